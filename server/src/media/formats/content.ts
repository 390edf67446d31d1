/** A file that has arrived, to be looked into without holding it: parts of it, or all of it piece by piece. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

export interface Content {
  readonly path: string;
  readonly bytes: number;
  /** Shorter where the file ends. */
  read(start: number, length: number): Promise<Buffer>;
  pieces(): AsyncIterable<Buffer>;
}

/**
 * Opened when it is first read: the file of an upload may be taken away at any moment, and a stream that fails before anybody listens ends the process.
 */
export async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
}

export async function withContent<T>(path: string, look: (content: Content) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await look({
      path,
      bytes: size,
      async read(start, length) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
        return buffer.subarray(0, bytesRead);
      },
      pieces: () => piecesOf(path),
    });
  } finally {
    await file.close();
  }
}
