import { filteredOut } from '../errors';
import { askNumber, pick } from '../prompts';
import { counted } from '../words';
import { openedOf } from './parts';
import type { CommandParts, Handlers } from './parts';

type Names =
  | 'choosePolicy'
  | 'applyPolicy'
  | 'chooseLane'
  | 'goToTurn'
  | 'goToMessage'
  | 'find'
  | 'showTranscript'
  | 'showDirectives'
  | 'showLifecycle'
  | 'copyPrefixHash'
  | 'showIssues'
  | 'showLog';

/** Going about in the inspector, and choosing what it shows. */
export function inspectorCommands(parts: CommandParts): Handlers<Names> {
  const { inspector } = parts;
  const tab = (name: 'transcript' | 'directives' | 'lifecycle') => (): void => {
    openedOf(parts);
    inspector.wish({ type: 'tab', tab: name });
  };

  return {
    choosePolicy: async () => {
      const inspection = openedOf(parts);
      const { policies, projection } = inspection.view;
      const policy = await pick(
        policies.map(({ name, description }) => ({
          label: name,
          description: name === projection.policy ? 'shown now' : '',
          detail: description,
          value: name,
        })),
        'Choose Policy',
      );
      if (policy === undefined) return;
      const options = policy === projection.policy ? projection.options : {};
      await inspection.request('set_policy', { policy, options });
    },
    applyPolicy: () => openedOf(parts).request('apply_policy', {}),
    chooseLane: async () => {
      const inspection = openedOf(parts);
      const lane = await pick(
        inspection.view.lanes.map((each) => ({
          label: each.label,
          ...(each.messages === null ? {} : { description: counted(each.messages, 'message') }),
          value: each.id,
        })),
        'Choose Branch',
      );
      if (lane !== undefined) await inspection.request('set_lane', { lane });
    },
    goToTurn: async () => {
      const inspection = openedOf(parts);
      const { count } = inspection.view.turn;
      const turn = await askNumber('Go to Turn', `1 to ${count}; empty: the present`, 1, count);
      if (turn !== undefined) await inspection.request('set_turn', { turn });
    },
    goToMessage: async () => {
      const inspection = openedOf(parts);
      const last = inspection.view.messages.raw - 1;
      const message = await askNumber('Go to Message', `0 to ${last}`, 0, last);
      if (message === undefined || message === null) return;
      const { row } = await inspection.request('locate', { message });
      if (row === null) throw filteredOut();
      inspector.wish({ type: 'tab', tab: 'transcript' });
      inspector.wish({ type: 'reveal', row });
    },
    find: () => {
      openedOf(parts);
      inspector.wish({ type: 'tab', tab: 'transcript' });
      inspector.wish({ type: 'focus', target: 'search' });
    },
    showTranscript: tab('transcript'),
    showDirectives: tab('directives'),
    showLifecycle: tab('lifecycle'),
    copyPrefixHash: () => openedOf(parts).request('copy', { what: 'hash' }),
    showIssues: () => openedOf(parts).request('open', { what: 'issues' }),
    showLog: parts.showLog,
  };
}
