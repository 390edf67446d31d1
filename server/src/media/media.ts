/**
 * Files that messages carry. A media file is ready only when storage has the whole file and its content matches its
 * name. Until then, nothing can use it. A file in use is never removed, and an unused file is removed after 30 days.
 */
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import type { Media } from '@parley/contract/media/media.ts';
import { extensionRefusal, sizeRefusal } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable, Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { mediaLink } from './links/links.ts';
import type { MediaRow } from './queries.ts';
import * as queries from './queries.ts';
import { toMedia } from './view.ts';

export { mediaChecks } from './check.ts';

export { makeOutgoingFile, makeOutgoingVideoLink, outgoingLink } from './links/outgoing.ts';
export { readSmallPicture } from './pictures/small_picture.ts';
export { listReadyMedia, type MediaRow } from './queries.ts';
export { removeMedia } from './removal.ts';
export { storeInboundFile } from './uploads/inbound.ts';
export { lockSpace, requireSpace } from './uploads/space.ts';

export async function getMedia(kernel: Kernel, actor: Pick<Actor, 'account_id'>, id: string): Promise<Media> {
  const row = await queries.findMedia(kernel.db, actor.account_id, id);
  if (!row) throw new Problem('FILE_NOT_FOUND');
  return toMedia(kernel, row);
}

/** The links of the files' thumbnails, by the ID of the file. Files without a thumbnail are missing. */
export async function listThumbnailLinks(
  kernel: Kernel,
  db: Queryable,
  files: readonly { account_id: string; id: string }[],
): Promise<Map<string, string>> {
  const rows = await queries.listReadyMedia(db, files);
  return new Map(rows.flatMap((row) => (row.has_thumbnail ? [[row.id, mediaLink(kernel, row, 'thumbnail')]] : [])));
}

/** Returns the account’s file with this ID if it is ready and the channel accepts it. Otherwise, throws the problem. */
export async function requireMedia(
  db: Pick<Tx, 'maybeOne' | 'rows' | 'one' | 'run'>,
  account_id: string,
  id: string,
  { type, channel }: { type: MediaType; channel: ChannelName | null },
): Promise<MediaRow> {
  const row = await queries.findMedia(db, account_id, id);
  if (row?.status !== 'ready') throw new Problem('FILE_NOT_FOUND', { field: 'media_id' });
  const rule = mediaRule(type, channel);
  const refusal = extensionRefusal(row.file_name, rule) ?? sizeRefusal(row.bytes!, rule);
  if (refusal) throw new Problem(refusal.code, { field: 'media_id', message: refusal.message });
  return row;
}

/** `template:<id>`, `campaign:<id>`, or `message:<id>`. The file is kept as long as the use exists. */
type UsedBy = `${string}:${string}`;

export async function useMedia(tx: Tx, account_id: string, id: string, used_by: UsedBy): Promise<void> {
  if (!(await queries.markUsed(tx, account_id, id))) throw new Problem('FILE_NOT_FOUND', { field: 'media_id' });
  await queries.insertUse(tx, account_id, id, used_by);
}

/** Ends all uses by this template, campaign, or message. */
export async function releaseMedia(tx: Tx, account_id: string, used_by: UsedBy): Promise<void> {
  const rows = await queries.listMediaUsedBy(tx, account_id, used_by);
  if (rows.length === 0) return;
  await queries.deleteUse(tx, account_id, used_by);
  await queries.markIdle(
    tx,
    account_id,
    rows.map(({ media_id }) => media_id),
    tx.now,
  );
}
