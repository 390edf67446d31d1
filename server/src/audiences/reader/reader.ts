/**
 * Parses untrusted files in separate processes, so that no file can crash the server. (A worker thread is not enough:
 * V8 can end the whole process when memory runs out, despite the thread's limits.) A reader parses one file, which it
 * receives in pieces, and is then killed. Previews and runs have their own slots, because a run takes longer than a
 * user waits for a preview.
 */
import type { ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { Problem } from '@parley/contract/problem.ts';
import { type FairSlots, fairSlots, type Tenant } from '../../kernel/untrusted/fair_slots.ts';
import { startLimited } from '../../kernel/untrusted/limited_process.ts';
import type { Batch, FromReader, Task, TaskResults, ToReader } from './task.ts';

interface TaskOptions {
  tenant: Tenant;
  /** Opens the file for reading from the start. */
  open(): Promise<Readable>;
  limit_ms: number;
  /** The reader continues when the returned promise settles. */
  onBatch?(batch: Batch): Promise<void>;
  signal?: AbortSignal;
}

const ENTRY = fileURLToPath(new URL('./reader_process.ts', import.meta.url));
/** 100,000 rows with half a million distinct strings in XLSX take about 350 MB. */
const LIMITS = { heap_mb: 768, memory_mb: 1_536 };
const PREVIEWS = fairSlots({ total: 2, per_tenant: 1, unverified: 1, waiting_per_tenant: 4, host: 'preview' });
const SLOTS: Record<Task['kind'], FairSlots> = {
  preview: PREVIEWS,
  sheet: PREVIEWS,
  // Import jobs are limited, so few runs ever wait here.
  rows: fairSlots({ total: 2, per_tenant: 1, unverified: 1, waiting_per_tenant: 20, host: 'rows' }),
};

const startReader = (limit_ms: number): ChildProcess =>
  startLimited(ENTRY, { ...LIMITS, cpu_seconds: Math.ceil(limit_ms / 1_000) + 1 });

export const runTask = <T extends Task>(task: T, options: TaskOptions): Promise<TaskResults[T['kind']]> =>
  SLOTS[task.kind].run(options.tenant, () => readFile(task, options), options.signal);

async function readFile<T extends Task>(task: T, options: TaskOptions): Promise<TaskResults[T['kind']]> {
  options.signal?.throwIfAborted();
  const reader = startReader(options.limit_ms);
  const ended = new Promise((resolve) => reader.once('exit', resolve).once('error', resolve));
  const file = createPieceReader(options.open);
  let abort = () => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TaskResults[T['kind']]>((resolve, reject) => {
      timer = setTimeout(() => reject(tooLong()), options.limit_ms);
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
        } else if (message.kind === 'done') resolve(message.result as TaskResults[T['kind']]);
        else if (message.kind === 'refused') reject(toProblem(message));
        else reject(Object.assign(new Error(message.message), { stack: message.stack }));
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
    reader.kill('SIGKILL');
    // The slot stays taken until the process's memory is free.
    await ended;
  }
}

type Refused = Extract<FromReader, { kind: 'refused' }>;
const toProblem = ({ name, message, field }: Refused): Problem =>
  new Problem(name, { message, ...(field ? { field } : {}) });

const tooLong = () => new Problem('IMPORT_FILE_UNREADABLE', { message: 'Reading the file took too long' });

/** How a process ends when V8 cannot get memory, or when the system ends it because memory ran out. */
const OUT_OF_MEMORY = new Set(['SIGABRT', 'SIGKILL', 'SIGTRAP', 'SIGILL', 'SIGSEGV', 'SIGBUS']);

/** If a limit of the operating system ended the process, the file is the cause. Any other exit is a defect. */
function toExitError(code: number | null, signal: string | null): Error {
  if (signal === 'SIGXCPU') return tooLong();
  return (signal && OUT_OF_MEMORY.has(signal)) || code === 134
    ? new Problem('IMPORT_FILE_UNREADABLE', { message: 'Reading the file requires too much memory' })
    : new Error(`the reader ended with ${signal ?? code}`);
}

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
