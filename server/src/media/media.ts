/**
 * Files that messages carry. A medium is ready only when its whole file lies in storage and has been found to be what its name says; until then nobody can
 * use it. What something uses is never removed, and what nothing uses goes after 30 days.
 */
import { randomUUID } from 'node:crypto';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import {
  type createSlot as createSlotEndpoint,
  type Media,
  mediaRemoved,
  SLOT_MINUTES,
  type UploadSlot,
} from '@parley/contract/media/media.ts';
import {
  type Dimensions,
  extensionOf,
  extensionRefusal,
  type MediaRefusal,
  type MediaType,
  sizeRefusal,
} from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../kernel/clock.ts';
import type { Tx } from '../kernel/db/db.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit } from '../kernel/live/events.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { FORMATS } from './formats.ts';
import { hasFfmpeg } from './frame.ts';
import { mediaLink, uploadLink } from './links.ts';
import type { MediaRow } from './queries.ts';
import * as queries from './queries.ts';

export { mediaChecks } from './check.ts';
export { carrierLink, mediaLink } from './links.ts';
export { outgoingFile, outgoingLink, outgoingVideoLink } from './outgoing.ts';
export { type MediaRow, readyMedia as mediaOf } from './queries.ts';
export { takeIn } from './take_in.ts';

const MAX_WAITING = 100;
const MB = 1024 * 1024;
export const forgetJob = job<object>('media.forget', { key: () => 'all' });

export const refuse = (refusal: MediaRefusal | null): void => {
  if (refusal) throw new Problem(refusal.code, { field: 'file', message: refusal.message });
};

type SlotRequest = Omit<Parsed<typeof createSlotEndpoint>['body'], 'file_name'> & { file_name: string };

export function wantedSize(body: { width?: number | null | undefined; height?: number | null | undefined }) {
  if ((body.width ?? null) === null && (body.height ?? null) === null) return null;
  if (!body.width || !body.height) throw new Problem('VALUE_INVALID', { field: body.width ? 'height' : 'width' });
  return { width: body.width, height: body.height } satisfies Dimensions;
}

/**
 * STORAGE_LIMIT_REACHED: what a company keeps is bounded, or one could fill the disk of all. What an unapproved one
 * only says it will upload counts as if it were there.
 */
async function demandRoom(kernel: Kernel, tx: Tx, { account_id, verified }: Actor): Promise<void> {
  const { FILES_MB, FILES_UNVERIFIED_MB } = kernel.config;
  const most = verified ? FILES_MB : FILES_UNVERIFIED_MB;
  const { kept, coming } = await queries.bytesOf(tx, account_id);
  if (kept + (verified ? 0 : coming) < most * MB) return;
  throw new Problem('STORAGE_LIMIT_REACHED', {
    message: `Files of ${most} MB are the most there is room for: delete some first`,
  });
}

export async function openSlot(kernel: Kernel, tx: Tx, actor: Actor, body: SlotRequest): Promise<MediaRow> {
  const rule = mediaRule(body.type, body.channel ?? null);
  refuse(extensionRefusal(body.file_name, rule));
  if (body.bytes !== undefined) refuse(sizeRefusal(body.bytes, rule));
  const wanted = wantedSize(body);
  const since = new Date(tx.now.getTime() - SLOT_MINUTES * 60_000);
  if ((await queries.waitingSlots(tx, actor.account_id, since)) >= MAX_WAITING)
    throw new Problem('UPLOADS_LIMIT_REACHED', { retry_after: 60 });
  await demandRoom(kernel, tx, actor);
  return queries.insertSlot(tx, {
    account_id: actor.account_id,
    id: newId(),
    user_id: actor.real_user_id ?? actor.user_id,
    type: body.type,
    channel: body.channel ?? null,
    file_name: body.file_name,
    directory: body.directory ?? '',
    content_type: body.content_type || FORMATS[extensionOf(body.file_name)]!.content_type,
    wanted,
    now: tx.now,
  });
}

export async function slotOf(kernel: Kernel, row: MediaRow): Promise<UploadSlot> {
  const { max_bytes } = mediaRule(row.type, row.channel);
  const { put_url, expire_date } = uploadLink(kernel, { ...row, max_bytes });
  const { picture, movie } = FORMATS[extensionOf(row.file_name)] ?? {};
  return {
    id: row.id,
    put_url,
    get_url: mediaLink(kernel, row),
    thumbnail_url: picture || (movie && (await hasFfmpeg())) ? mediaLink(kernel, row, 'thumbnail') : null,
    content_type: row.content_type,
    max_bytes,
    expire_date: expire_date.toISOString().slice(0, 19).replace('T', ' '),
  };
}

export const createSlot = async (kernel: Kernel, tx: Tx, actor: Actor, body: SlotRequest): Promise<UploadSlot> =>
  slotOf(kernel, await openSlot(kernel, tx, actor, body));

export async function renewSlot(kernel: Kernel, tx: Tx, actor: Actor, id: string): Promise<UploadSlot> {
  const row = await queries.renew(tx, actor.account_id, id, tx.now);
  if (row) return slotOf(kernel, row);
  throw new Problem((await queries.mediaById(tx, actor.account_id, id)) ? 'UPLOAD_ENDED' : 'FILE_NOT_FOUND');
}

/** Without its addresses: what events say. */
export const told = (row: MediaRow): Omit<Media, 'get_url' | 'thumbnail_url'> => {
  const { wanted_width: _, wanted_height: __, lease: ___, has_thumbnail: ____, ...rest } = row;
  return rest;
};

export const shown = (kernel: Kernel, row: MediaRow): Media => ({
  ...told(row),
  get_url: row.status === 'ready' ? mediaLink(kernel, row) : null,
  thumbnail_url: row.has_thumbnail ? mediaLink(kernel, row, 'thumbnail') : null,
});

export async function getMedia(kernel: Kernel, actor: Pick<Actor, 'account_id'>, id: string): Promise<Media> {
  const row = await queries.mediaById(kernel.db, actor.account_id, id);
  if (!row) throw new Problem('FILE_NOT_FOUND');
  return shown(kernel, row);
}

/** Gone for everybody at once; its files follow by a job. */
export async function removeMedia(tx: Tx, account_id: string, id: string): Promise<queries.Removed> {
  const gone = await queries.setRemoved(tx, account_id, id, tx.now);
  if (!gone) throw new Problem((await queries.mediaById(tx, account_id, id)) ? 'FILE_IN_USE' : 'FILE_NOT_FOUND');
  if (gone.was_ready) emit(tx, mediaRemoved, account_id, { id, account_id });
  await enqueue(tx, forgetJob, {});
  return gone;
}

/** A ready file of the account, of this type, that the channel takes; the Problem otherwise. */
export async function demandMedia(
  db: Pick<Tx, 'maybeOne' | 'rows' | 'one' | 'run'>,
  account_id: string,
  id: string,
  wanted: { type: MediaType; channel: ChannelName | null },
): Promise<MediaRow> {
  const row = await queries.mediaById(db, account_id, id);
  if (row?.status !== 'ready') throw new Problem('FILE_NOT_FOUND', { field: 'media_id' });
  const rule = mediaRule(wanted.type, wanted.channel);
  const refusal = extensionRefusal(row.file_name, rule) ?? sizeRefusal(row.bytes!, rule);
  if (refusal) throw new Problem(refusal.code, { field: 'media_id', message: refusal.message });
  return row;
}

/** `template:<id>`, `campaign:<id>`, `message:<id>`: as long as it stands the file stays. */
export type UsedBy = `${string}:${string}`;

export async function useMedia(tx: Tx, account_id: string, id: string, used_by: UsedBy): Promise<void> {
  if (!(await queries.markUsed(tx, account_id, id))) throw new Problem('FILE_NOT_FOUND', { field: 'media_id' });
  await queries.insertUse(tx, account_id, id, used_by);
}

/** Whatever it used. */
export async function releaseMedia(tx: Tx, account_id: string, used_by: UsedBy): Promise<void> {
  const rows = await queries.usedBy(tx, account_id, used_by);
  if (rows.length === 0) return;
  await queries.deleteUse(tx, account_id, used_by);
  await queries.markIdle(
    tx,
    account_id,
    rows.map(({ media_id }) => media_id),
    tx.now,
  );
}

/** More bytes than may come. */
export function refusalOf(limit: Parameters<typeof sizeRefusal>[1]): Problem {
  const { code, message } = sizeRefusal(limit.max_bytes + 1, limit)!;
  return new Problem(code, { field: 'file', message });
}

export const newLease = (): string => randomUUID();
export const objectKey = (account_id: string, lease: string): string => `media/${account_id}/${lease}`;
export const thumbnailKey = (account_id: string, lease: string): string => `${objectKey(account_id, lease)}.webp`;

/** What an upload has put into storage, or may have put there before it died. */
export async function removeObjects(
  { storage }: Pick<Kernel, 'storage'>,
  account_id: string,
  lease: string,
): Promise<void> {
  await storage.remove(objectKey(account_id, lease));
  await storage.remove(thumbnailKey(account_id, lease));
}
