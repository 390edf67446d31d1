/**
 * Runs a task in the import's thread with limits of memory and time, feeds it the file and takes what it makes. A thread that has done its
 * task stays warm for the next one for a while; one that failed in any unforeseen way is not trusted again.
 */
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import { type Code, isCode, Problem } from '@parley/contract/problem.ts';
import type { Batch, FromThread, ResultOf, Task, ToThread } from './import_task.ts';

export interface TaskDetail {
  /** Opens the file at its start. */
  open(): Promise<Readable>;
  limit_ms: number;
  /** Not read further before this settles. */
  onBatch?(batch: Batch): Promise<void>;
  signal?: AbortSignal;
}

const IDLE_MS = 20_000;
const IDLE_THREADS = 1;
const idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];

function takeWorker(): Worker {
  const warm = idle.pop();
  if (warm) {
    clearTimeout(warm.timer);
    warm.worker.removeAllListeners();
    warm.worker.ref();
    return warm.worker;
  }
  return new Worker(new URL('./import_thread.ts', import.meta.url), {
    name: 'import',
    // A heap beyond this ends the thread and not the process.
    resourceLimits: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 32 },
  });
}

function giveBack(worker: Worker): void {
  worker.removeAllListeners();
  worker.on('error', () => {});
  if (idle.length >= IDLE_THREADS) {
    void worker.terminate();
    return;
  }
  worker.unref();
  const entry = { worker, timer: setTimeout(() => drop(), IDLE_MS).unref() };
  const drop = () => {
    const index = idle.indexOf(entry);
    if (index >= 0) idle.splice(index, 1);
    void worker.terminate();
  };
  worker.once('exit', drop);
  idle.push(entry);
}

export async function runTask<T extends Task>(task: T, detail: TaskDetail): Promise<ResultOf[T['kind']]> {
  detail.signal?.throwIfAborted();
  const worker = takeWorker();
  const file = fileOf(detail.open);
  let healthy = false;
  let abort = () => {};
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ResultOf[T['kind']]>((resolve, reject) => {
      timer = setTimeout(
        () => reject(new Problem(1316, { message: 'Reading the file took too long' })),
        detail.limit_ms,
      );
      abort = () => reject(detail.signal!.reason);
      detail.signal?.addEventListener('abort', abort, { once: true });
      const send = (message: ToThread, transfer: ArrayBuffer[] = []) => worker.postMessage(message, transfer);
      const answer = async (message: FromThread): Promise<void> => {
        if (message.kind === 'read') {
          const piece = await file.next(message.restart);
          send({ kind: 'piece', piece }, piece ? [piece.buffer] : []);
        } else if (message.kind === 'batch') {
          await detail.onBatch?.(message.batch);
          send({ kind: 'taken' });
        } else {
          healthy = message.kind !== 'broken';
          if (message.kind === 'done') resolve(message.result as ResultOf[T['kind']]);
          else if (message.kind === 'refused') reject(problemOf(message));
          else reject(Object.assign(new Error(message.message), { stack: message.stack }));
        }
      };
      worker.on('message', (message: FromThread) => void answer(message).catch(reject));
      worker.on('error', (error) => reject(fatal(error)));
      worker.on('exit', (code) => reject(new Error(`the import's thread ended with ${code}`)));
      send({ kind: 'task', task });
    });
  } finally {
    clearTimeout(timer);
    detail.signal?.removeEventListener('abort', abort);
    file.close();
    if (healthy) giveBack(worker);
    else {
      worker.removeAllListeners();
      worker.on('error', () => {});
      await worker.terminate();
    }
  }
}

const problemOf = ({ code, message, field }: { code: number; message: string; field: string | undefined }): Problem =>
  new Problem((isCode(code) ? code : 1316) as Code, { message, ...(field ? { field } : {}) });

const fatal = (error: unknown): unknown =>
  (error as { code?: string }).code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new Problem(1316, { message: 'The file needs too much memory to be read' })
    : error;

function fileOf(open: () => Promise<Readable>) {
  let stream: Readable | null = null;
  let pieces: AsyncIterator<Buffer> | null = null;
  const close = () => {
    stream?.destroy();
    stream = null;
  };
  return {
    close,
    async next(restart: boolean): Promise<Uint8Array<ArrayBuffer> | null> {
      if (restart) {
        close();
        stream = await open();
        pieces = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      }
      const { value, done } = await pieces!.next();
      // The stream's own memory is shared with what it reads next; only a copy can be handed over.
      return done ? null : new Uint8Array(value);
    },
  };
}
