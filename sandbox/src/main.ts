/**
 * The program: reads settings from the environment, prints one line of JSON on stdout when every port is open, and
 * stops cleanly on SIGTERM or SIGINT. If it cannot start, it prints the reason as one line on stderr and exits with
 * code 1.
 */
import { openSandbox } from './sandbox.ts';
import { readSettings, StartError } from './settings.ts';

/** Kills the process if a clean stop takes longer than this, so that its parent does not wait. */
const stopTimeout = 5_000;

// Stops the program when the parent process exits, which can happen even before this listener is added. Until the ports
// are open, there is nothing to close.
let exit = (): void => process.exit(1);
process.on('disconnect', () => exit());
if (process.connected === false) exit();

try {
  const sandbox = await openSandbox(readSettings(process.env));
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), stopTimeout).unref();
    await sandbox.close();
    if (process.connected) process.disconnect();
    process.exitCode = 0;
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  exit = () => void stop();
  process.stdout.write(`${JSON.stringify({ ready: true, ...sandbox.ports })}\n`);
} catch (error) {
  const reason = error instanceof StartError ? error.message : (error as Error).stack;
  process.stderr.write(`sandbox: ${reason}\n`);
  process.exitCode = 1;
}
