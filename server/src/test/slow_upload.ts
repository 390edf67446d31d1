/** An upload that stalls: it sends some of the announced bytes, then nothing until the connection is cut. */
import { type ClientRequest, request } from 'node:http';
import type { UploadSlot } from '@parley/contract/media/media.ts';
import { pathIn } from './media.ts';
import { until, type World } from './world.ts';

interface SlowUpload {
  cut(): void;
  /** The status of the response, or the error if there was none. */
  ended: Promise<number | string>;
}

export async function startUpload(
  world: Pick<World, 'url'>,
  slot: UploadSlot,
  bytes: Uint8Array,
  declaredBytes: number,
  headers: Record<string, string> = {},
): Promise<SlowUpload> {
  let upload: ClientRequest | undefined;
  const ended = new Promise<number | string>((resolve) => {
    upload = request(world.url + pathIn(slot.put_url), {
      method: 'PUT',
      headers: { 'content-type': slot.content_type, 'content-length': declaredBytes, ...headers },
    });
    upload.on('response', (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    upload.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    upload.write(bytes);
  });
  return { cut: () => upload?.destroy(), ended };
}

/** Returns the number of bytes that the server has received. */
export async function readReceivedBytes(world: Pick<World, 'url'>, slot: UploadSlot): Promise<number> {
  const response = await fetch(world.url + pathIn(slot.put_url), { method: 'HEAD' });
  return Number(response.headers.get('upload-offset'));
}

export const untilReceived = (world: Pick<World, 'url'>, slot: UploadSlot, bytes: number): Promise<void> =>
  until(`${bytes} bytes have arrived`, async () => (await readReceivedBytes(world, slot)) >= bytes);
