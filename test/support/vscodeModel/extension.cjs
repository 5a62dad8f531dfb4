// A chat model for tests: asked to read a file it calls the tool, then says what it was given back; asked to fail it fails.
const vscode = require('vscode');

function textOf(message) {
  return message.content
    .map((part) =>
      part instanceof vscode.LanguageModelTextPart
        ? part.value
        : part instanceof vscode.LanguageModelToolResultPart
          ? part.content.map((each) => each.value ?? '').join('')
          : '',
    )
    .join('');
}

const model = {
  id: 'test-model-1',
  name: 'Test Model 1',
  family: 'test',
  version: '1',
  maxInputTokens: 8000,
  maxOutputTokens: 1000,
  capabilities: { toolCalling: true },
};

exports.activate = (context) => {
  context.subscriptions.push(
    vscode.lm.registerLanguageModelChatProvider('test-model', {
      provideLanguageModelChatInformation: async () => [model],
      provideTokenCount: async (_model, text) => Math.ceil(String(text).length / 4),
      provideLanguageModelChatResponse: async (_model, messages, _options, progress) => {
        const last = messages.at(-1);
        const text = textOf(last);
        const isResult = last.content.some((part) => part instanceof vscode.LanguageModelToolResultPart);
        if (isResult) {
          progress.report(new vscode.LanguageModelTextPart(`The file begins with: ${text.slice(0, 80)}`));
        } else if (/fail/.test(text)) {
          throw vscode.LanguageModelError.Blocked('The quota of the test is used up.');
        } else {
          const file = /read (\S+)/.exec(text)?.[1];
          progress.report(new vscode.LanguageModelTextPart(file ? 'I will read it.' : `You said: ${text}`));
          if (file) progress.report(new vscode.LanguageModelToolCallPart('call-1', 'read_file', { path: file }));
        }
      },
    }),
  );
};
