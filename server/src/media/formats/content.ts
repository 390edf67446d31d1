/** The content of a received file, read in parts or chunk by chunk, never as a whole. */
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';

export interface Content {
  readonly path: string;
  readonly bytes: number;
  /** Returns fewer bytes at the end of the file. */
  read(start: number, length: number): Promise<Buffer>;
  chunks(): AsyncIterable<Buffer>;
}

/**
 * Opens the file at the first read. An upload's file can disappear at any moment, and a stream that fails before it has
 * an error listener ends the process.
 */
export async function* readChunks(path: string): AsyncGenerator<Buffer> {
  yield* createReadStream(path, { highWaterMark: 256 * 1024 }) as AsyncIterable<Buffer>;
}

export async function withContent<T>(path: string, use: (content: Content) => Promise<T>): Promise<T> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    return await use({
      path,
      bytes: size,
      async read(start, length) {
        const buffer = Buffer.alloc(Math.max(0, Math.min(length, size - start)));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, start);
        return buffer.subarray(0, bytesRead);
      },
      chunks: () => readChunks(path),
    });
  } finally {
    await file.close();
  }
}
