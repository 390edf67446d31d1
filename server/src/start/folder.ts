/**
 * DATA_DIR: ours alone, one Parley at a time. What is running is written down there, so that a start after a kill finds and ends what the
 * dead one left behind, and only that.
 */
import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { end, hasEnded, startOf } from '../kernel/process.ts';

interface ProcessRecord {
  name: string;
  pid: number;
  /** With the pid it names one process: pids are used again. */
  started: string;
}
interface Running {
  supervisor: ProcessRecord;
  parts: ProcessRecord[];
  /** On its way out: whoever comes next may wait for that. */
  stopping?: true;
}

export interface DataFolder {
  /** Writes down a part that has been started. */
  note(name: string, pid: number): void;
  stopping(): void;
  release(): void;
}

/** A reason to refuse to start that a person can act on; printed as it is, without a stack. */
export class StartError extends Error {}

const MARK = 'parley.json';
const RUNNING = 'running.json';
const OURS = new Set([MARK, RUNNING, 'lost+found']);

export async function openDataFolder(path: string, say: (line: string) => void): Promise<DataFolder> {
  prepare(path);
  const file = join(path, RUNNING);
  const running: Running = { supervisor: record('parley', process.pid), parts: [] };
  await take(file, running, path, say);
  const rewrite = () => {
    write(`${file}.${process.pid}`, running);
    renameSync(`${file}.${process.pid}`, file);
  };
  return {
    note(name, pid) {
      running.parts = [...running.parts.filter((part) => part.name !== name), record(name, pid)];
      rewrite();
    },
    stopping() {
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
    if (entries.length > 0 && !entries.includes(MARK) && !entries.every((name) => OURS.has(name)))
      throw new StartError(`DATA_DIR ${path} holds something else (${entries[0]}): choose an empty or new folder`);
    if (!entries.includes(MARK)) writeFileSync(join(path, MARK), '{"made_by":"parley","format":1}\n');
    const probe = join(path, `.probe-${process.pid}`);
    try {
      // A page, not a byte: very small files can be written to a full disk.
      writeFileSync(probe, Buffer.alloc(65_536));
    } finally {
      rmSync(probe, { force: true });
    }
  } catch (error) {
    throw error instanceof StartError ? error : new StartError(folderProblem(path, error as NodeJS.ErrnoException));
  }
}

// Not `recursive`: below a file system that takes no folders (/proc) that tries for ever.
function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  mkdirSync(path);
}

function folderProblem(path: string, error: NodeJS.ErrnoException): string {
  if (error.code === 'EACCES' || error.code === 'EPERM' || error.code === 'EROFS')
    return `DATA_DIR ${path} cannot be written by this user (${error.code})`;
  if (error.code === 'ENOENT') return `DATA_DIR ${path} cannot be made there`;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') return `The disk of DATA_DIR ${path} is full`;
  if (error.code === 'ENOTDIR' || error.code === 'EEXIST') return `DATA_DIR ${path} is not a folder`;
  return `DATA_DIR ${path} cannot be used: ${error.message}`;
}

async function take(file: string, running: Running, path: string, say: (line: string) => void): Promise<void> {
  const draft = `${file}.${process.pid}`;
  for (let attempt = 0; attempt < 5; attempt++) {
    write(draft, running);
    try {
      // A link is made by one process only, however many try.
      linkSync(draft, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    } finally {
      rmSync(draft, { force: true });
    }
    const last = read(file);
    if (last?.stopping && isOurs(last.supervisor)) {
      say('Waiting for the earlier Parley to stop ...');
      await hasEnded(last.supervisor.pid, 60_000);
    }
    if (last && isOurs(last.supervisor))
      throw new StartError(`DATA_DIR ${path} is in use by the Parley with process id ${last.supervisor.pid}`);
    for (const part of last?.parts ?? []) await endLeftBehind(part, say);
    rmSync(file, { force: true });
  }
  throw new StartError(`DATA_DIR ${path} is being taken by another Parley that starts at the same time`);
}

async function endLeftBehind(part: ProcessRecord, say: (line: string) => void): Promise<void> {
  if (!isOurs(part)) return;
  say(`Ending the ${part.name} (process ${part.pid}) that an earlier Parley left behind`);
  const gentle = part.name === 'database' ? 'SIGINT' : 'SIGTERM';
  await end(part.pid, [
    [gentle, 15_000],
    ['SIGKILL', 5_000],
  ]);
}

const record = (name: string, pid: number): ProcessRecord => ({ name, pid, started: startOf(pid) ?? '' });
const isOurs = ({ pid, started }: ProcessRecord): boolean => started !== '' && startOf(pid) === started;

function read(file: string): Running | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Running;
  } catch {
    // Cut short by a crash of the machine: whatever it named is gone as well.
    return null;
  }
}

function write(file: string, running: Running): void {
  writeFileSync(file, `${JSON.stringify(running, null, 2)}\n`);
}

/** For `doctor` and the like: the folder of a Parley that may be running, which they only read. */
export function isDataFolder(path: string): boolean {
  return statSync(join(path, MARK), { throwIfNoEntry: false })?.isFile() ?? false;
}
