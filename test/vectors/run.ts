import { adapters } from './adapters';
import { runVectors } from './runner';

const [dir] = process.argv.slice(2);
try {
  if (dir === undefined) {
    throw new Error('Say which folder to run: npm run vectors -- DIR');
  }
  const { failed } = await runVectors(dir, adapters, (line) => console.log(line));
  process.exitCode = failed > 0 ? 1 : 0;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
