import { createSha256 } from '../../../extension/io/hash';
import { newId } from '../../../extension/session/ids';
import { Session } from '../../../extension/session/session';

/** Appends to a session's log for ever and names each record on its own line once it is acknowledged. */
const [folder = '', id = ''] = process.argv.slice(2);

const session = await Session.open(folder, id, {
  now: () => Date.now(),
  newId,
  createHash: createSha256,
  onError: (error) => console.error(error),
  flush: false,
});
if (session.readOnly !== null) throw new Error(session.readOnly);
for (let number = 0; ; number++) {
  const drafts = Array.from({ length: 1 + (number % 3) }, (_, part) => ({
    kind: 'test.counted',
    payload: { number, part, filler: 'x'.repeat((number * 37) % 5000) },
  }));
  const records = session.append(drafts);
  process.stdout.write(records.map((record) => record.id).join('\n') + '\n');
}
