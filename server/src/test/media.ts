/** Uploads files through the API for tests. */
import type { Media, UploadSlot } from '@parley/contract/media/media.ts';
import { expect } from 'vitest';
import { picture } from './media_files.ts';
import type { Reply, World } from './world.ts';

export type SlotBody = Record<string, unknown> & { file_name: string; type: string };

export async function makeSlot(world: World, token: string, body: SlotBody): Promise<UploadSlot> {
  const response = await world.as(token).post('/v1/media/slots', body);
  expect(response.status, response.text).toBe(201);
  return response.body.data;
}

/** Returns the path and query of a Parley URL, because the PUBLIC_URL of a test is not reachable. */
export const pathIn = (url: string): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

export const send = (
  world: World,
  slot: Pick<UploadSlot, 'put_url' | 'content_type'>,
  body: Uint8Array | string | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Reply> =>
  world.as().raw(pathIn(slot.put_url), {
    method: 'PUT',
    headers: { 'content-type': slot.content_type, ...headers },
    body: body as NonNullable<RequestInit['body']>,
    ...(body instanceof ReadableStream ? ({ duplex: 'half' } as object) : {}),
  });

export async function uploadFile(
  world: World,
  token: string,
  body: SlotBody,
  bytes: Uint8Array | string,
): Promise<Media> {
  const response = await send(world, await makeSlot(world, token, body), bytes);
  expect(response.status, response.text).toBe(200);
  return response.body.data;
}

export const makeMedia = async (world: World, token: string): Promise<Media> =>
  uploadFile(world, token, { file_name: 'photo.jpg', type: 'image' }, await picture('jpeg'));

export const readProblem = ({ status, body }: Reply): [number, number, string] => [
  status,
  body.errors[0].code,
  body.errors[0].message,
];
