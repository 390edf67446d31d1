// Entry of every npm command, in plain JavaScript for any Node from 20 on: installs what is missing, then goes on under the pinned Node.
// It stays as a thin parent: the terminal's Ctrl-C reaches only this process, so that the parts can be stopped in order.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));
export const NODE = join(ROOT, 'node_modules', '.bin', 'node');

/** npm writes node_modules/.package-lock.json when an installation is complete: everything the lockfile demands must be in there. */
export function isInstalled({ production = false } = {}) {
  try {
    const read = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')).packages;
    const there = read('node_modules/.package-lock.json');
    const missing = Object.entries(read('package-lock.json')).some(([path, wanted]) => {
      if (!path.startsWith('node_modules/') || wanted.link) return false;
      const found = there[path];
      if (!found) return !(wanted.optional || wanted.devOptional || wanted.peer || (wanted.dev && production));
      return found.version !== wanted.version || found.integrity !== wanted.integrity;
    });
    return !missing && existsSync(NODE);
  } catch {
    return false;
  }
}

/** True when everything is there; otherwise it has said why not. */
export function install({ production = false } = {}) {
  if (isInstalled({ production })) return true;
  console.log('Installing packages (only the first time, or after an update) ...');
  const npm = process.env.npm_execpath;
  const args = ['ci', '--no-audit', '--no-fund', '--loglevel=error'];
  const options = { cwd: ROOT, stdio: 'inherit' };
  const { status, error } =
    npm && /\.c?js$/.test(npm)
      ? spawnSync(process.execPath, [npm, ...args], options)
      : spawnSync('npm', args, { ...options, shell: process.platform === 'win32' });
  if (status === 0 && isInstalled()) return true;
  console.error(
    error
      ? `npm could not be run: ${error.message}`
      : 'The packages could not be installed (npm says why above). This needs the network once; later starts work without.',
  );
  return false;
}

function main() {
  const began = Date.now() - process.uptime() * 1_000;
  const [major = 0] = process.versions.node.split('.').map(Number);
  if (major < 20) {
    console.error(`Parley needs Node 20 or newer to start; this is ${process.version}.`);
    process.exit(1);
  }
  if (!install({ production: process.argv[2] === 'serve' })) process.exit(1);
  const parts = spawn(NODE, [join(ROOT, 'server/src/start/main.ts'), ...process.argv.slice(2)], {
    // A session of its own: see above.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PARLEY_BEGAN: String(Math.round(began)) },
  });
  let code = null;
  let asked = 0;
  let times = 0;
  const ask = () => {
    // npm passes on the signal that the terminal has already sent to us: two within a second are one.
    if (asked && Date.now() - asked < 1_000) return;
    asked = Date.now();
    times += 1;
    if (times > 2) parts.kill('SIGKILL');
    else if (parts.connected) parts.send(times === 1 ? 'stop' : 'force');
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, ask);
  // A signal to npm ends npm and its shell but never arrives here: being handed to another parent is how it shows.
  const parent = process.ppid;
  const watch = setInterval(() => process.env.npm_lifecycle_event && process.ppid !== parent && !asked && ask(), 300);
  parts.on('message', (message) => {
    if (typeof message?.exit === 'number') code = message.exit;
  });
  parts.on('error', (error) => {
    console.error(`The pinned Node could not be run: ${error.message}`);
    process.exitCode = 1;
  });
  parts.on('exit', (status, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? status ?? 1;
    if (code === null && signal) console.error(`Parley was ended by ${signal}. The next start tidies up.`);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, ask);
  });
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) main();
