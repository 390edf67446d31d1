/** What start.mjs goes on with under the pinned Node: `start`, `serve`, `build`, `doctor`, `bench` or `schema`. Tells what happens, stops when asked. */

import { createLog } from '../kernel/log.ts';
import { ConfigError, loadConfig } from '../kernel/settings/config.ts';
import { StartError } from './folder.ts';
import { pretty } from './pretty.ts';
import { type Supervisor, startParley, type Told } from './supervisor.ts';
import { bench, doctor, schema } from './tool.ts';
import { buildWebApp } from './web_app.ts';

// Told by start.mjs, so that installing counts too.
const began = Number(process.env.PARLEY_BEGAN) || Date.now() - process.uptime() * 1_000;
const [mode = 'start', ...args] = process.argv.slice(2);

const asked = new AbortController();
let forced = false;
let parley: Supervisor | null = null;
let gaveUp: (line: string) => void = () => {};
const over = new Promise<string | null>((resolve) => {
  gaveUp = resolve;
  asked.signal.addEventListener('abort', () => resolve(null));
});

// The terminal belongs to start.mjs; when it is killed the channel closes and that is a request to stop.
function ask(word: unknown): void {
  if (word === 'force' && asked.signal.aborted) {
    forced = true;
    void parley?.stop(true);
  }
  asked.abort();
}
process.on('message', ask);
process.on('disconnect', () => ask('stop'));
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(name, () => ask(asked.signal.aborted ? 'force' : 'stop'));
// Nobody reads any more; the work of stopping goes on.
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
  if (mode === 'start') return demo();
  if (mode === 'serve') return production();
  if (mode === 'build') return buildWebApp().then(() => 0);
  if (mode === 'doctor') return doctor(process.env, args, asked.signal);
  if (mode === 'bench') return bench(args, asked.signal);
  if (mode === 'schema') return schema().then(() => 0);
  throw new StartError(`Unknown command "${mode}": start, serve, build, doctor, bench and schema are there`);
}

async function demo(): Promise<number> {
  if (args.length > 0)
    throw new StartError(`npm start takes no arguments; settings come from the environment (${args.join(' ')})`);
  const config = loadConfig({ ...process.env, MODE: 'demo', ROLE: 'all' });
  const told: Told = {
    say: (line) => console.log(line),
    log: (part, line) => console.log(pretty(part, line)),
    giveUp: (line) => gaveUp(line),
  };
  parley = await startParley(config, told, asked.signal);
  const { banner } = await import('./banner.ts');
  console.log(banner(config, (Date.now() - began) / 1_000));
  return untilOver((line) => console.log(line));
}

async function production(): Promise<number> {
  const config = loadConfig({ ...process.env, MODE: 'production', ...fromArguments() });
  const log = createLog(config);
  const told: Told = {
    say: (line) => log.info(line),
    // Already structured.
    log: (_, line) => console.log(line),
    giveUp: (line) => gaveUp(line),
  };
  parley = await startParley(config, told, asked.signal);
  if (!config.SMTP_URL) log.warn('no SMTP_URL: mails wait in the outbox');
  log.info({ port: config.ROLE === 'worker' ? undefined : config.PORT, host: config.HOST }, 'Parley is up');
  return untilOver((line) => log.info(line));
}

function fromArguments(): Record<string, string> {
  const settings: Record<string, string> = {};
  for (const arg of args) {
    const role = /^--role=(.*)$/.exec(arg)?.[1];
    if (role === undefined)
      throw new StartError(`npm run serve knows --role=all, --role=api and --role=worker, not ${arg}`);
    settings.ROLE = role;
  }
  return settings;
}

async function untilOver(say: (line: string) => void): Promise<number> {
  const given = await over;
  say(given ?? 'Stopping ...');
  await parley!.stop(forced);
  say('Stopped');
  return given === null ? 0 : 1;
}

function finish(code: number): void {
  process.exitCode = code;
  if (process.connected) {
    process.send!({ exit: code });
    process.disconnect();
  }
  // A process can hang on its way out; whoever waits for it must not.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 3_000).unref();
}
