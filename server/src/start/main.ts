/**
 * Runs the commands of start.mjs under the pinned Node: `start`, `serve`, `build`, `doctor`, `operator`, `networks`,
 * `rekey`, `backup`, `restore`, `bench`, `schema`, `sbom`, and `new-provider`.
 */

import { createLog } from '../kernel/log.ts';
import { ConfigError, loadConfig, warnings } from '../kernel/settings/config.ts';
import { StartError } from './folder.ts';
import { newProvider } from './new_provider/new_provider.ts';
import { pretty } from './pretty.ts';
import { ROOT } from './program.ts';
import { type Reporter, type Supervisor, startParley } from './supervisor.ts';
import { notifySystemd } from './systemd.ts';
import {
  bench,
  rekey,
  restore,
  runBackup,
  runDoctor,
  runNetworks,
  runOperator,
  writeSbom,
  writeSchema,
} from './tool.ts';
import { buildWebApp } from './web_app.ts';

// Set by start.mjs, so that the reported time includes installing packages.
const startedAt = Number(process.env.PARLEY_BEGAN) || Date.now() - process.uptime() * 1_000;
const [mode = 'start', ...args] = process.argv.slice(2);

const stopRequest = new AbortController();
let isForced = false;
let parley: Supervisor | null = null;
let giveUp: (line: string) => void = () => {};
const over = new Promise<string | null>((resolve) => {
  giveUp = resolve;
  stopRequest.signal.addEventListener('abort', () => resolve(null));
});

// start.mjs handles the terminal. If it is killed, the channel closes, which also counts as a request to stop.
function requestStop(message: unknown): void {
  if (message === 'force' && stopRequest.signal.aborted) {
    isForced = true;
    void parley?.stop(true);
  }
  stopRequest.abort();
}
process.on('message', requestStop);
process.on('disconnect', () => requestStop('stop'));
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => requestStop(stopRequest.signal.aborted ? 'force' : 'stop'));
// Ignores errors from a closed output, so that the shutdown continues.
process.stdout.on('error', () => {});
process.stderr.on('error', () => {});

try {
  finish(await run());
} catch (error) {
  if (error instanceof ConfigError) for (const line of error.lines) console.error(line);
  else if (error instanceof StartError) console.error(error.message);
  else console.error(error);
  finish(1);
}

async function run(): Promise<number> {
  if (mode === 'start') return startDemo();
  if (mode === 'serve') return startProduction();
  if (mode === 'build') return buildWebApp().then(() => 0);
  if (mode === 'doctor') return runDoctor(process.env, args, stopRequest.signal);
  if (mode === 'operator') return runOperator(process.env, args, stopRequest.signal);
  if (mode === 'networks') return runNetworks(process.env, args, stopRequest.signal);
  if (mode === 'rekey') return rekey(process.env, args, stopRequest.signal);
  if (mode === 'backup') return runBackup(process.env, args, stopRequest.signal);
  if (mode === 'restore') return restore(process.env, args, stopRequest.signal);
  if (mode === 'bench') return bench(args, stopRequest.signal);
  if (mode === 'schema') return writeSchema().then(() => 0);
  if (mode === 'sbom') return writeSbom().then(() => 0);
  if (mode === 'new-provider') {
    newProvider(ROOT, args);
    return 0;
  }
  throw new StartError(
    `Unknown command "${mode}": use start, serve, build, doctor, operator, networks, rekey, backup, restore, bench, ` +
      'schema, sbom, or new-provider',
  );
}

async function startDemo(): Promise<number> {
  if (args.length > 0)
    throw new StartError(`npm start takes no arguments (${args.join(' ')}). Settings come from the environment`);
  const config = loadConfig({ ...process.env, MODE: 'demo', ROLE: 'all' });
  const reporter: Reporter = {
    say: (line) => console.log(line),
    log: (part, line) => console.log(pretty(part, line)),
    giveUp: (line) => giveUp(line),
  };
  parley = await startParley(config, reporter, stopRequest.signal);
  const { banner } = await import('./banner.ts');
  console.log(banner(config, (Date.now() - startedAt) / 1_000));
  return waitForStop((line) => console.log(line));
}

async function startProduction(): Promise<number> {
  const config = loadConfig({ ...process.env, MODE: 'production', ...readArguments() });
  const log = createLog(config);
  const reporter: Reporter = {
    say: (line) => log.info(line),
    // The line is already structured JSON.
    log: (_, line) => console.log(line),
    giveUp: (line) => giveUp(line),
  };
  parley = await startParley(config, reporter, stopRequest.signal);
  for (const line of warnings(config)) log.warn(line);
  notifySystemd(process.env, (line) => log.warn(line));
  log.info({ port: config.ROLE === 'worker' ? undefined : config.PORT, host: config.HOST }, 'Parley is up');
  return waitForStop((line) => log.info(line));
}

function readArguments(): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const arg of args) {
    const role = /^--role=(.*)$/.exec(arg)?.[1];
    if (role === undefined)
      throw new StartError(`Unknown argument ${arg}: npm run serve takes --role=all, --role=api, or --role=worker`);
    settings.ROLE = role;
  }
  return settings;
}

async function waitForStop(say: (line: string) => void): Promise<number> {
  const failure = await over;
  say(failure ?? 'Stopping ...');
  await parley!.stop(isForced);
  say('Stopped');
  return failure === null ? 0 : 1;
}

function finish(code: number): void {
  process.exitCode = code;
  if (process.connected) {
    process.send!({ exit: code });
    process.disconnect();
  }
  // Node can hang while shutting down, so the process is killed after three seconds.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3_000).unref();
}
