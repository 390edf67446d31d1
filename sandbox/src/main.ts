// The program: settings from the environment, one line of JSON on stdout when every door is open, a clean stop on SIGTERM or SIGINT.
// What keeps it from starting is one line on stderr and exit code 1.
import { openSandbox } from './sandbox.ts';
import { readSettings, StartError } from './settings.ts';

/** A hot process may hang on its way out; the one who waits for it must not. */
const stopWithin = 5_000;

// Whoever started it is gone. Before the doors are open there is nothing to close; it may have gone before we could listen.
let leave = (): void => process.exit(1);
process.on('disconnect', () => leave());
if (process.connected === false) leave();

try {
  const sandbox = await openSandbox(readSettings(process.env));
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopWithin).unref();
    await sandbox.close();
    if (process.connected) process.disconnect();
    process.exitCode = 0;
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  leave = () => void stop();
  process.stdout.write(`${JSON.stringify({ ready: true, ...sandbox.ports })}\n`);
} catch (error) {
  const reason = error instanceof StartError ? error.message : (error as Error).stack;
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exitCode = 1;
}
