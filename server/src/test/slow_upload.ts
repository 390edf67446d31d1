/** An upload that stops in the middle: some bytes of the promised ones are sent, then nothing, until the line is cut. */
import { type ClientRequest, request } from 'node:http';
import type { UploadSlot } from '@parley/contract/media/media.ts';
import { pathIn } from './media.ts';
import { until, type World } from './world.ts';

export interface SlowUpload {
  cut(): void;
  /** The status it was answered with, or why it was not. */
  ended: Promise<number | string>;
}

export async function startUpload(
  world: Pick<World, 'url'>,
  slot: UploadSlot,
  bytes: Uint8Array,
  promised: number,
  headers: Record<string, string> = {},
): Promise<SlowUpload> {
  let line: ClientRequest | undefined;
  const ended = new Promise<number | string>((resolve) => {
    line = request(world.url + pathIn(slot.put_url), {
      method: 'PUT',
      headers: { 'content-type': slot.content_type, 'content-length': promised, ...headers },
    });
    line.on('response', (answer) => {
      answer.resume();
      resolve(answer.statusCode!);
    });
    line.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    line.write(bytes);
  });
  return { cut: () => line?.destroy(), ended };
}

/** How many bytes of it the server has. */
export async function received(world: Pick<World, 'url'>, slot: UploadSlot): Promise<number> {
  const answer = await fetch(world.url + pathIn(slot.put_url), { method: 'HEAD' });
  return Number(answer.headers.get('upload-offset'));
}

export const untilReceived = (world: Pick<World, 'url'>, slot: UploadSlot, bytes: number): Promise<void> =>
  until(`${bytes} bytes have arrived`, async () => (await received(world, slot)) >= bytes);
