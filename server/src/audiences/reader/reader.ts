/**
 * Parses untrusted files in a separate process, so that no file can crash the server. (A worker thread is not enough:
 * V8 can end the whole process when memory runs out, despite the thread's limits.) The reader has no settings and no
 * secrets, cannot write files, and receives the file in pieces. A reader that finished its task is reused for the next
 * one; any other reader is killed.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Problem } from '@parley/contract/problem.ts';
import type { Batch, FromReader, Task, TaskResults, ToReader } from './task.ts';

interface TaskOptions {
  /** Opens the file for reading from the start. */
  open(): Promise<Readable>;
  limit_ms: number;
  /** The reader continues when the returned promise settles. */
  onBatch?(batch: Batch): Promise<void>;
  signal?: AbortSignal;
}

const ENTRY = fileURLToPath(new URL('./reader_process.ts', import.meta.url));
/** 100,000 rows with half a million distinct strings in XLSX take about 350 MB. */
const HEAP_MB = 768;
const IDLE_MS = 20_000;
const IDLE_READERS = 1;
const idle: { reader: ChildProcess; timer: NodeJS.Timeout }[] = [];

function acquireReader(): ChildProcess {
  const warm = idle.pop();
  if (warm) {
    clearTimeout(warm.timer);
    removeListeners(warm.reader);
    warm.reader.ref();
    warm.reader.channel?.ref();
    return warm.reader;
  }
  return fork(ENTRY, {
    execArgv: [`--max-old-space-size=${HEAP_MB}`, '--permission', '--allow-fs-read=*'],
    env: {},
    // Uses structured cloning, because the channel carries bytes, not JSON.
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
}

/** Removes listeners by event name, because Node needs its own listeners on the child process. */
function removeListeners(reader: ChildProcess): void {
  for (const name of ['message', 'error', 'exit']) reader.removeAllListeners(name);
  reader.on('error', () => {});
}

function releaseReader(reader: ChildProcess): void {
  removeListeners(reader);
  if (idle.length >= IDLE_READERS || !reader.connected) {
    reader.kill('SIGKILL');
    return;
  }
  // An idle reader does not keep this process alive. It exits when the channel to its parent closes.
  reader.unref();
  reader.channel?.unref();
  const entry = { reader, timer: setTimeout(() => drop(), IDLE_MS).unref() };
  const drop = () => {
    const index = idle.indexOf(entry);
    if (index >= 0) idle.splice(index, 1);
    reader.kill('SIGKILL');
  };
  reader.once('exit', drop);
  idle.push(entry);
}

export async function runTask<T extends Task>(task: T, options: TaskOptions): Promise<TaskResults[T['kind']]> {
  options.signal?.throwIfAborted();
  const reader = acquireReader();
  const file = createPieceReader(options.open);
  let reusable = false;
  let abort = () => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TaskResults[T['kind']]>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Problem('IMPORT_FILE_UNREADABLE', { message: 'Reading the file took too long' })),
        options.limit_ms,
      );
      abort = () => reject(options.signal!.reason);
      options.signal?.addEventListener('abort', abort, { once: true });
      const send = (message: ToReader) => {
        if (reader.connected) reader.send(message, (error) => error && reject(error));
      };
      const receive = async (message: FromReader): Promise<void> => {
        if (message.kind === 'read') {
          send({ kind: 'piece', piece: await file.next(message.restart) });
        } else if (message.kind === 'batch') {
          await options.onBatch?.(message.batch);
          send({ kind: 'taken' });
        } else {
          // After a refused run, a batch confirmation may still be in transit and would count toward the next task.
          reusable = message.kind === 'done' || (message.kind === 'refused' && task.kind === 'preview');
          if (message.kind === 'done') resolve(message.result as TaskResults[T['kind']]);
          else if (message.kind === 'refused') reject(toProblem(message));
          else reject(Object.assign(new Error(message.message), { stack: message.stack }));
        }
      };
      reader.on('message', (message) => void receive(message as FromReader).catch(reject));
      reader.on('error', reject);
      reader.on('exit', (code, signal) => reject(toExitError(code, signal)));
      send({ kind: 'task', task });
    });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', abort);
    file.close();
    if (reusable) releaseReader(reader);
    else {
      removeListeners(reader);
      reader.kill('SIGKILL');
    }
  }
}

type Refused = Extract<FromReader, { kind: 'refused' }>;
const toProblem = ({ name, message, field }: Refused): Problem =>
  new Problem(name, { message, ...(field ? { field } : {}) });

/**
 * V8 aborts when its heap is full, and the system kills a process when memory runs out. In both cases the file is the
 * cause. Any other exit is a defect.
 */
const toExitError = (code: number | null, signal: string | null): Error =>
  signal === 'SIGABRT' || signal === 'SIGKILL' || signal === 'SIGTRAP' || signal === 'SIGILL' || code === 134
    ? new Problem('IMPORT_FILE_UNREADABLE', { message: 'The file requires too much memory to read' })
    : new Error(`the reader ended with ${signal ?? code}`);

function createPieceReader(open: () => Promise<Readable>) {
  let stream: Readable | null = null;
  let pieces: AsyncIterator<Buffer> | null = null;
  const close = () => {
    stream?.destroy();
    stream = null;
  };
  return {
    close,
    async next(restart: boolean): Promise<Uint8Array | null> {
      if (restart) {
        close();
        stream = await open();
        pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      }
      const { value, done } = await pieces!.next();
      return done ? null : value;
    },
  };
}
