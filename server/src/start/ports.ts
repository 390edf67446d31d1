/** Checks ports before anything starts, so that a port in use is reported immediately with the name of its setting. */
import { createServer } from 'node:net';
import { type Config, sandboxPorts } from '../kernel/settings/config.ts';
import { StartError } from './folder.ts';

export async function checkPorts(config: Config, sandbox: boolean): Promise<void> {
  const ports: { port: number; host: string; setting: string; use: string }[] = [];
  if (config.ROLE !== 'worker') ports.push({ port: config.PORT, host: config.HOST, setting: 'PORT', use: 'the app' });
  if (config.METRICS_PORT !== null)
    ports.push({ port: config.METRICS_PORT, host: config.METRICS_HOST, setting: 'METRICS_PORT', use: 'the metrics' });
  if (config.ROLE !== 'worker')
    for (const setting of ['SMPP_PORT', 'SMPP_TLS_PORT'] as const) {
      const port = config[setting];
      if (port !== null) ports.push({ port, host: config.HOST, setting, use: 'SMPP' });
    }
  if (sandbox) {
    for (const [name, port] of Object.entries(sandboxPorts(config)))
      ports.push({ port, host: '127.0.0.1', setting: 'SANDBOX_PORT', use: `the sandbox (${name})` });
  }
  for (const { port, host, setting, use } of ports) {
    const problem = await tryPort(port, host);
    if (problem === 'EADDRINUSE')
      throw new StartError(`Port ${port} for ${use} is in use by another program. Set ${setting} to a free port`);
    if (problem === 'EACCES')
      throw new StartError(`Port ${port} for ${use} is reserved for root. Set ${setting} to a port above 1023`);
    if (problem === 'EADDRNOTAVAIL' || problem === 'ENOTFOUND')
      throw new StartError(
        `${setting === 'METRICS_PORT' ? 'METRICS_HOST' : 'HOST'} ${host} is not an address of this machine`,
      );
    if (problem) throw new StartError(`Port ${port} for ${use} cannot be opened (${problem}). See ${setting}`);
  }
}

function tryPort(port: number, host: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}
