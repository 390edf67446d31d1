/** Ports are looked at before anything is started, so that a taken one is said at once and by the name of its setting. */
import { createServer } from 'node:net';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { StartError } from './folder.ts';

export async function demandFreePorts(config: Config, sandbox: boolean): Promise<void> {
  const wanted: { port: number; host: string; setting: string; what: string }[] = [];
  if (config.ROLE !== 'worker') wanted.push({ port: config.PORT, host: config.HOST, setting: 'PORT', what: 'the app' });
  if (config.METRICS_PORT !== null)
    wanted.push({ port: config.METRICS_PORT, host: config.HOST, setting: 'METRICS_PORT', what: 'the metrics' });
  if (sandbox) {
    for (const [what, port] of Object.entries(sandboxPorts(config)))
      wanted.push({ port, host: '127.0.0.1', setting: 'SANDBOX_PORT', what: `the sandbox (${what})` });
  }
  for (const { port, host, setting, what } of wanted) {
    const wrong = await tryPort(port, host);
    if (wrong === 'EADDRINUSE')
      throw new StartError(
        `Port ${port}, wanted for ${what}, is taken by another program: set ${setting} to a free one`,
      );
    if (wrong === 'EACCES')
      throw new StartError(`Port ${port}, wanted for ${what}, is not open to this user: set ${setting} above 1023`);
    if (wrong === 'EADDRNOTAVAIL' || wrong === 'ENOTFOUND')
      throw new StartError(`HOST ${host} is not an address of this machine`);
    if (wrong) throw new StartError(`Port ${port}, wanted for ${what}, cannot be opened (${wrong}): see ${setting}`);
  }
}

function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
