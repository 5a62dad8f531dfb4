// Reads every session log below a folder and compares it with the folder's facts.json: npm run transcripts -- DIR
import { checkTranscripts } from './checkTranscripts';

process.exitCode = checkTranscripts(process.argv.slice(2), (line) => process.stdout.write(`${line}\n`));
