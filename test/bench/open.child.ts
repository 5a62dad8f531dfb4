import { existsSync, readFileSync } from 'node:fs';
import { openClaudeSession } from '../../extension/agents/claudeCode/sessionFile';

/** Opens a session, indexes it, and reads its middle and its end; prints the most memory that it took, in bytes. */
const [file = ''] = process.argv.slice(2);

const session = await openClaudeSession(file);
await session.indexed;
const lane = session.lane();
const middle = lane.entries >> 1;
await lane.read(middle, middle + 100);
await lane.read(lane.entries - 100, lane.entries);
session.lanes();
await session.check();
session.files();
session.dispose();
process.stdout.write(String(peakMemory()));

/** Linux counts the memory of the process that started this one into `maxRSS`, so it is asked for this one alone. */
function peakMemory(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const peak = /^VmHWM:\s+(\d+) kB/mu.exec(status)?.[1];
  return (peak === undefined ? process.resourceUsage().maxRSS : Number(peak)) * 1024;
}
