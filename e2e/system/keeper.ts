/**
 * Runs `node start.mjs` on behalf of the tests. When the test process ends, even if it is killed, the channel to it
 * closes, and the keeper stops Parley. It runs for at most 45 minutes.
 */
import { spawn } from 'node:child_process';

const MAX_MS = 45 * 60_000;

const parley = spawn(process.execPath, ['start.mjs'], { stdio: ['ignore', 'inherit', 'inherit'] });
const stop = () => parley.kill('SIGTERM');
process.on('disconnect', stop);
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, stop);
const timer = setTimeout(stop, MAX_MS);
// The process that reads the output may end before Parley does.
process.stdout.on('error', () => {});
parley.on('exit', (code, signal) => {
  clearTimeout(timer);
  process.exit(signal ? 1 : (code ?? 1));
});
