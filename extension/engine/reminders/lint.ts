import { explainDiagnostic, ReminderFault, type DiagnosticCode, type Severity } from '../diagnostics';
import { parseReminder } from './spec';

/** One finding about a reminder as it was written. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** What is wrong with this reminder. */
  readonly message: string;
}

/** Judges a reminder as the pipeline would: the first fault, or else the warnings. Never throws for any value. */
export function lintReminder(value: unknown): readonly Finding[] {
  try {
    const reminder = parseReminder('pipeline', value, { newId: () => 'lint', context: 'reminder' });
    const vanishes = reminder.ttl_turns === null && !reminder.preserve_on_compact;
    return vanishes ? [findingOf('HARN-RMD-004', explainDiagnostic('HARN-RMD-004').explanation)] : [];
  } catch (thrown) {
    if (!(thrown instanceof ReminderFault) || thrown.code === null) throw thrown;
    return [findingOf(thrown.code, thrown.message)];
  }
}

function findingOf(code: DiagnosticCode, message: string): Finding {
  return { code, severity: explainDiagnostic(code).severity, message };
}
