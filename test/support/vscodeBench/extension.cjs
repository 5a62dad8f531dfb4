// For measurements: a command that opens a panel with nothing but a mark, one that opens the next session file of
// BENCH_SESSIONS (a JSON list), and the times of VS Code's own file events, in the file BENCH_EVENTS.
const { appendFileSync } = require('node:fs');
const vscode = require('vscode');

const page = `<!DOCTYPE html>
<html lang="en">
<head><meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'nonce-bench'"></head>
<body><script nonce="bench">
  const mark = document.createElement('p');
  mark.id = 'bench-mark';
  mark.textContent = 'Nothing else.';
  document.body.append(mark);
</script></body>
</html>`;

exports.activate = (context) => {
  const sessions = JSON.parse(process.env.BENCH_SESSIONS ?? '[]');
  const events = process.env.BENCH_EVENTS;
  context.subscriptions.push(
    vscode.commands.registerCommand('testBench.emptyPanel', () => {
      const column = vscode.ViewColumn.Active;
      vscode.window.createWebviewPanel('testBench', 'Empty', column, { enableScripts: true }).webview.html = page;
    }),
    vscode.commands.registerCommand('testBench.nextSession', () =>
      vscode.commands.executeCommand('transcriptInspector.openSessionFile', vscode.Uri.file(sessions.shift())),
    ),
  );
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  if (!events || !folder) return;
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '**/*'));
  watcher.onDidChange(({ fsPath }) => appendFileSync(events, `${JSON.stringify([fsPath, Date.now()])}\n`));
  context.subscriptions.push(watcher);
};
