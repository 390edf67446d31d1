// The program: settings from the environment, one line of JSON on stdout when every door is open, a clean stop on SIGTERM or SIGINT.
// What keeps it from starting is one line on stderr and exit code 1.
import { openSandbox } from './sandbox.ts';
import { readSettings, StartError } from './settings.ts';

/** A hot process may hang on its way out; the one who waits for it must not. */
const stopWithin = 5_000;

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
  // Whoever started it is gone.
  if (process.send) process.on('disconnect', stop);
  process.stdout.write(`${JSON.stringify({ ready: true, ...sandbox.ports })}\n`);
} catch (error) {
  const reason = error instanceof StartError ? error.message : (error as Error).stack;
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exitCode = 1;
}
