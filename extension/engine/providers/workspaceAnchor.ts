import type { Json } from '../transcript/message';
import type { ReminderProvider } from './provider';
import { code, itemsIn, objectIn, textIn } from './wording';

const mostRoots = 20;

/** Tells a model where its workspace is: the primary root and what else is mounted. */
export const workspaceAnchor: ReminderProvider = {
  id: 'workspace_anchor',
  subscribes_to: ['session_start', 'on_budget_threshold'],
  evaluate: ({ session }) => {
    const anchor = objectIn(session['anchor']);
    const primary = pathOf(anchor['primary']);
    const roots = itemsIn(anchor['additional_roots']).flatMap((root) => pathOf(root) ?? []);
    if (primary === null && roots.length === 0) return null;
    const more = roots.length - mostRoots;
    const names = roots
      .slice(0, mostRoots)
      .map((root) => code(root))
      .join(', ');
    return {
      body: [
        'The workspace of this session:',
        ...(primary === null ? [] : [`Primary root: ${code(primary)}`]),
        ...(roots.length === 0 ? [] : [`Mounted roots: ${names}${more > 0 ? ` and ${String(more)} more` : ''}`]),
      ].join('\n'),
      tags: ['workspace_anchor'],
      dedupe_key: 'workspace_anchor',
      ttl_turns: 1,
      propagate: 'session',
    };
  },
};

function pathOf(value: Json | undefined): string | null {
  return textIn(typeof value === 'string' ? value : objectIn(value)['path']);
}
