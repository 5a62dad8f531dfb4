// Prints the facts of a session log: npm run --silent inspect -- FILE [--policy POLICY] [--options JSON] [--json]
import { inspectLog } from './inspectLog';

process.exitCode = inspectLog(
  process.argv.slice(2),
  (text) => process.stdout.write(text),
  (text) => process.stderr.write(text),
);
