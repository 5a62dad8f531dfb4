import { runProcess } from './process';
import { countOf } from './text';
import { fail, integerOf, succeed, textOf } from './tool';
import type { Tool } from './tool';

const SECONDS = 60;
const MOST_SECONDS = 600;

export const runCommandTool: Tool = {
  description: {
    name: 'run_command',
    description:
      'Runs a shell command in the workspace folder and gives what it printed and its exit code. A person is asked first. It has no input to read, and what it leaves running is stopped.',
    parameters: {
      type: 'object',
      properties: {
        command: { type: 'string', minLength: 1, description: 'The command line.' },
        timeout_seconds: {
          type: 'integer',
          minimum: 1,
          maximum: MOST_SECONDS,
          description: `Seconds after which it is stopped; ${SECONDS} when absent.`,
        },
      },
      required: ['command'],
      additionalProperties: false,
    },
  },
  asks: true,
  title: (input) => `Run ${textOf(input, 'command')}`,
  scope: (input) => `run_command ${textOf(input, 'command')}`,
  async run(input, { workspace, files, signal }) {
    const seconds = integerOf(input, 'timeout_seconds', SECONDS);
    const { absolute: cwd } = await workspace.resolve('.');
    const outcome = await files.during(() =>
      runProcess(textOf(input, 'command'), { cwd, timeout_ms: seconds * 1000, signal }),
    );
    const printed = outcome.output === '' ? '(nothing was printed)' : outcome.output;
    const end = outcome.timed_out
      ? `[Stopped after ${countOf(seconds, 'second')}: the time limit.]`
      : outcome.exit_code === null
        ? `[Ended by ${outcome.ended_by ?? 'a signal'}.]`
        : `[Exit code ${outcome.exit_code}.]`;
    const text = `${printed}${printed.endsWith('\n') ? '' : '\n'}${end}`;
    return outcome.exit_code === 0 ? succeed(text, outcome.truncated) : fail(text, outcome.truncated);
  },
};
