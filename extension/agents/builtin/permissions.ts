import { maskSecrets } from '../../engine/rows/mask';
import { showUnseen } from '../../engine/rows/text';
import type { JsonObject } from '../../engine/transcript/message';
import type { PermissionView } from '../../protocol/view';
import type { Tool } from './tools/tool';

interface Open {
  readonly view: PermissionView;
  readonly scope: string;
  readonly settle: (allowed: boolean) => void;
}

/** What waits for a person's yes or no. "Always" holds for this session while it is open. */
export class Permissions {
  private readonly open = new Map<string, Open>();
  private readonly always = new Set<string>();

  /** `prefix` makes the ids unique among sessions. */
  constructor(
    private readonly prefix: string,
    private readonly changed: () => void,
  ) {}

  get views(): readonly PermissionView[] {
    return [...this.open.values()].map((one) => one.view);
  }

  /** Resolves with what the person answers; rejects with the signal's reason when the run is stopped. */
  async ask(callId: string, tool: Tool, input: JsonObject, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const scope = tool.scope(input);
    if (this.always.has(scope)) return true;
    const { name } = tool.description;
    const id = `${this.prefix}:${callId}`;
    const shown = (text: string): string => showUnseen(maskSecrets(text));
    const view = { id, tool: name, title: shown(tool.title(input)), detail: shown(detailOf(input)) };
    let stop: (() => void) | undefined;
    try {
      return await new Promise<boolean>((resolve, reject) => {
        stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
        signal.addEventListener('abort', stop, { once: true });
        this.open.set(id, { view, scope, settle: resolve });
        this.changed();
      });
    } finally {
      if (stop !== undefined) signal.removeEventListener('abort', stop);
      this.open.delete(id);
      this.changed();
    }
  }

  /** Throws for what does not wait any more, so that nobody believes to have allowed something. */
  answer(id: string, allow: boolean, always: boolean): void {
    const one = this.open.get(id);
    if (one === undefined) throw new Error('This request does not wait for an answer any more.');
    if (allow && always) this.always.add(one.scope);
    one.settle(allow);
  }
}

/** Every argument: short ones in a line, texts of several lines as they are. */
function detailOf(input: JsonObject): string {
  const shown = Object.entries(input).map(([key, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return text.includes('\n') ? `${key}:\n${text}` : `${key}: ${text}`;
  });
  return shown.join('\n');
}
