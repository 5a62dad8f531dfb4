import { window } from 'vscode';
import { decideRevoke } from '../../engine/reminders/bridge';
import { previewFireNow } from '../../engine/reminders/fireNow';
import type { Directive } from '../../engine/rows/row';
import type { ReminderForm } from '../../protocol';
import { isDelivered } from '../directivesTree';
import { noDirective } from '../errors';
import { pick } from '../prompts';
import { counted, firstLine } from '../words';
import { openedOf, selectedOf, stringOf } from './parts';
import type { CommandParts, Handlers } from './parts';

type Names = 'writeReminder' | 'revokeDirective' | 'fireDirective' | 'correctDirective';

/** Writing, revoking, firing and correcting directives. */
export function directiveCommands(parts: CommandParts): Handlers<Names> {
  const { inspector, actions } = parts;

  /** The directive of the tree's line, else one that the person picks among those that allow it. */
  const directiveOf = async (
    argument: unknown,
    what: 'revoke' | 'fire' | 'correct',
  ): Promise<Directive | undefined> => {
    const all = selectedOf(parts).inspected.session.directives();
    const given = stringOf(argument, 'reminder_id');
    if (given !== undefined) return all.find(({ reminder_id }) => reminder_id === given);
    const allowed = all.filter((directive) => allows(directive, what));
    if (allowed.length === 0) throw noDirective(what);
    return pick(
      allowed.map((directive) => ({
        label: firstLine(directive.body),
        description: `${directive.authority} · ${directive.state}`,
        value: directive,
      })),
      { revoke: 'Revoke Directive', fire: 'Fire Directive Now', correct: 'Correct Directive' }[what],
    );
  };

  return {
    writeReminder: () => {
      openedOf(parts);
      inspector.wish({ type: 'tab', tab: 'directives' });
      inspector.wish({ type: 'focus', target: 'form' });
    },
    revokeDirective: async (argument) => {
      const directive = await directiveOf(argument, 'revoke');
      if (!directive) return;
      selectedOf(parts).inspected.session.decide((state) => decideRevoke(state, directive.reminder_id));
    },
    fireDirective: async (argument) => {
      const directive = await directiveOf(argument, 'fire');
      if (!directive) return;
      const { inspected } = selectedOf(parts);
      const { turn, starts_turn, others } = previewFireNow(inspected.session.state, directive.reminder_id);
      const fire = 'Fire Now';
      const along = others === 0 ? '' : ` ${counted(others, 'other directive')} go${others === 1 ? 'es' : ''} along.`;
      const detail = `It is delivered in turn ${turn}.${starts_turn ? ' The session is idle: this starts the turn.' : ''}${along}`;
      const answer = await window.showInformationMessage(
        `Fire “${firstLine(directive.body)}” now?`,
        { modal: true, detail },
        fire,
      );
      if (answer === fire) await actions.fire(inspected, directive.reminder_id);
    },
    correctDirective: async (argument) => {
      const directive = await directiveOf(argument, 'correct');
      if (!directive) return;
      const body = await window.showInputBox({
        title: 'Correct Directive',
        prompt: `The agent was told: ${firstLine(directive.body)}${cautionOf(directive)}`,
        placeHolder: 'What it should know instead',
      });
      if (body !== undefined && body.trim() !== '')
        await openedOf(parts).request('remind', correction(body, directive));
    },
  };
}

function allows(directive: Directive, what: 'revoke' | 'fire' | 'correct'): boolean {
  if (what === 'revoke') return directive.can_revoke;
  if (what === 'fire') return directive.can_fire;
  return isDelivered(directive);
}

/** What to know before a contract is corrected. */
function cautionOf({ authority }: Directive): string {
  if (authority !== 'contract') return '';
  return ' (a contract, which comes before this correction; to make a contract of this one, correct it in the inspector)';
}

/** A directive that corrects another: for the model a correction, for one turn, and in place of what has the same key. */
function correction(body: string, wrong: Directive): ReminderForm {
  return {
    body,
    tags: ['correction'],
    dedupe_key: wrong.dedupe_key,
    ttl_turns: wrong.ttl_turns ?? 1,
    preserve_on_compact: false,
    propagate: wrong.propagate,
    authority: 'corrective',
    role_hint: wrong.role_hint,
    mode: 'finish_step',
  };
}
