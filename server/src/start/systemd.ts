/**
 * Notifies systemd that Parley is up and that its supervisor responds. If the supervisor hangs, systemd restarts the
 * unit (WatchdogSec). Node has no Unix datagram sockets, so the program `systemd-notify` sends the messages.
 */
import { execFile } from 'node:child_process';

export function notifySystemd(env: NodeJS.ProcessEnv, warn: (line: string) => void): void {
  if (!env.NOTIFY_SOCKET) return;
  let isSilent = false;
  const notify = (message: string) =>
    execFile('systemd-notify', [message], { env, timeout: 10_000 }, (error) => {
      if (error && !isSilent) warn(`systemd-notify failed: ${error.message.trim()}`);
      isSilent = error !== null;
    });
  notify('READY=1');
  const watchdog_ms = Number(env.WATCHDOG_USEC) / 1_000;
  if (watchdog_ms > 0) setInterval(() => notify('WATCHDOG=1'), watchdog_ms / 3).unref();
}
