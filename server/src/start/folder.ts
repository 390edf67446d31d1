/**
 * DATA_DIR, which only one Parley may use at a time. It records the running processes, so that a start after a crash
 * finds and ends exactly the processes that were left behind.
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { end, hasEnded, processStart } from '../kernel/process.ts';

interface ProcessRecord {
  name: string;
  pid: number;
  /** The process's start time. Together with the PID it identifies the process, because PIDs are reused. */
  started: string;
}
interface Running {
  supervisor: ProcessRecord;
  parts: ProcessRecord[];
  /** Set while Parley is stopping. The next start waits until it has stopped. */
  stopping?: true;
}

export interface DataFolder {
  /** Records a part that was started. */
  recordPart(name: string, pid: number): void;
  markStopping(): void;
  release(): void;
}

/** A problem that prevents startup and that the user can fix. It is printed without a stack trace. */
export class StartError extends Error {}

const MARK = 'parley.json';
const RUNNING = 'running.json';
const KNOWN_FILES = new Set([MARK, RUNNING, 'lost+found']);

export async function openDataFolder(path: string, say: (line: string) => void): Promise<DataFolder> {
  prepare(path);
  const file = join(path, RUNNING);
  const running: Running = { supervisor: record('parley', process.pid), parts: [] };
  await acquire(file, running, path, say);
  const rewrite = () => {
    write(`${file}.${process.pid}`, running);
    renameSync(`${file}.${process.pid}`, file);
  };
  return {
    recordPart(name, pid) {
      running.parts = [...running.parts.filter((part) => part.name !== name), record(name, pid)];
      rewrite();
    },
    markStopping() {
      running.stopping = true;
      rewrite();
    },
    release() {
      rmSync(file, { force: true });
    },
  };
}

function prepare(path: string): void {
  try {
    makeFolder(path);
    const entries = readdirSync(path);
    if (entries.length > 0 && !entries.includes(MARK) && !entries.every((name) => KNOWN_FILES.has(name)))
      throw new StartError(`DATA_DIR ${path} contains other files (${entries[0]}). Choose an empty or new folder`);
    if (!entries.includes(MARK)) writeFileSync(join(path, MARK), '{"made_by":"parley","format":1}\n');
    const probe = join(path, `.probe-${process.pid}`);
    try {
      // The probe is larger than a few bytes, because very small files can be written even to a full disk.
      writeFileSync(probe, Buffer.alloc(65_536));
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(folderProblem(path, error as NodeJS.ErrnoException));
  }
}

// Does not use `recursive`, which never returns on a file system that cannot have folders (/proc).
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) makeFolder(parent);
  mkdirSync(path);
}

function folderProblem(path: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return `DATA_DIR ${path} is not writable by this user (${error.code})`;
  if (error.code === 'ENOENT') return `DATA_DIR ${path} cannot be created`;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return `The disk with DATA_DIR ${path} is full`;
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') return `DATA_DIR ${path} is not a folder`;
  return `DATA_DIR ${path} cannot be used: ${error.message}`;
}

async function acquire(file: string, running: Running, path: string, say: (line: string) => void): Promise<void> {
  const draft = `${file}.${process.pid}`;
  for (let attempt = 0; attempt < 5; attempt++) {
    write(draft, running);
    try {
      // Only one process can create the link.
      linkSync(draft, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const last = read(file);
    if (last?.stopping && isRunning(last.supervisor)) {
      say('Waiting for the previous Parley to stop ...');
      await hasEnded(last.supervisor.pid, 60_000);
    }
    if (last && isRunning(last.supervisor))
      throw new StartError(`DATA_DIR ${path} is in use by another Parley (process ${last.supervisor.pid})`);
    for (const part of last?.parts ?? []) await endLeftover(part, say);
    rmSync(file, { force: true });
  }
  throw new StartError(`DATA_DIR ${path} is being opened by another Parley at the same time`);
}

async function endLeftover(part: ProcessRecord, say: (line: string) => void): Promise<void> {
  if (!isRunning(part)) return;
  say(`Ending the ${part.name} (process ${part.pid}) left by a previous Parley`);
  const gracefulSignal = part.name === 'database' ? 'SIGINT' : 'SIGTERM';
  await end(part.pid, [
    [gracefulSignal, 15_000],
    ['SIGKILL', 5_000],
  ]);
}

const record = (name: string, pid: number): ProcessRecord => ({ name, pid, started: processStart(pid) ?? '' });
const isRunning = ({ pid, started }: ProcessRecord): boolean => started !== '' && processStart(pid) === started;

function read(file: string): Running | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Running;
  } catch {
    // The machine crashed while the file was being written, so the recorded processes are also gone.
    return null;
  }
}

function write(file: string, running: Running): void {
  writeFileSync(file, `${JSON.stringify(running, null, 2)}\n`);
}

/** Checks for a Parley folder without opening it. Used by tools that only read, such as `doctor`. */
export function isDataFolder(path: string): boolean {
  return statSync(join(path, MARK), { throwIfNoEntry: false })?.isFile() ?? false;
}
