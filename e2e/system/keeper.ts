/**
 * Stands between the tests and `node start.mjs`: when the tests end in whatever way, killed included, the channel to them closes and Parley is
 * stopped. Never lives longer than twenty minutes.
 */
import { spawn } from 'node:child_process';

const LONGEST_MS = 20 * 60_000;

const parley = spawn(process.execPath, ['start.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
const stop = () => parley.kill('SIGTERM');
process.on('disconnect', stop);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
const longest = setTimeout(stop, LONGEST_MS);
// Whoever reads our output may be gone before Parley is.
process.stdout.on('error', () => {});
parley.on('exit', (code, signal) => {
  clearTimeout(longest);
  process.exit(signal ? 1 : (code ?? 1));
});
