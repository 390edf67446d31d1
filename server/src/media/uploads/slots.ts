/** Slots: a signed link for one upload of a file whose name, type, and size are already checked. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { type createSlot as createSlotEndpoint, SLOT_MINUTES, type UploadSlot } from '@parley/contract/media/media.ts';
import { type Dimensions, extensionRefusal, fileExtension, sizeRefusal } from '@parley/contract/media/rules.ts';
import { Problem } from '@parley/contract/problem.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { FORMATS } from '../formats/formats.ts';
import { mediaLink, uploadLink } from '../links/links.ts';
import { hasFfmpeg } from '../pictures/frame.ts';
import type { MediaRow } from '../queries.ts';
import * as queries from '../queries.ts';
import { requireAllowed } from './limits.ts';
import { lockSpace, requireSpace } from './space.ts';

const MAX_WAITING = 100;

type SlotRequest = Omit<Parsed<typeof createSlotEndpoint>['body'], 'file_name'> & { file_name: string };

function requiredDimensions({ width, height }: Pick<SlotRequest, 'width' | 'height'>): Dimensions | null {
  if ((width ?? null) === null && (height ?? null) === null) return null;
  if (!width || !height) throw new Problem('VALUE_INVALID', { field: width ? 'height' : 'width' });
  return { width, height };
}

export async function openSlot(kernel: Kernel, tx: Tx, actor: Actor, body: SlotRequest): Promise<MediaRow> {
  const rule = mediaRule(body.type, body.channel ?? null);
  requireAllowed(extensionRefusal(body.file_name, rule));
  if (body.bytes !== undefined) requireAllowed(sizeRefusal(body.bytes, rule));
  const dimensions = requiredDimensions(body);
  const since = new Date(tx.now.getTime() - SLOT_MINUTES * 60_000);
  if ((await queries.countWaitingSlots(tx, actor.account_id, since)) >= MAX_WAITING)
    throw new Problem('UPLOADS_LIMIT_REACHED', { retry_after: 60 });
  await lockSpace(tx, actor.account_id);
  await requireSpace(kernel, tx, actor);
  return queries.insertSlot(tx, {
    account_id: actor.account_id,
    id: newId(),
    user_id: actor.real_user_id ?? actor.user_id,
    type: body.type,
    channel: body.channel ?? null,
    file_name: body.file_name,
    directory: body.directory ?? '',
    content_type: body.content_type || FORMATS[fileExtension(body.file_name)]!.content_type,
    dimensions,
    now: tx.now,
  });
}

async function toUploadSlot(kernel: Kernel, row: MediaRow): Promise<UploadSlot> {
  const { max_bytes } = mediaRule(row.type, row.channel);
  const { put_url, expire_date } = uploadLink(kernel, { ...row, max_bytes });
  const { picture, movie } = FORMATS[fileExtension(row.file_name)] ?? {};
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
  toUploadSlot(kernel, await openSlot(kernel, tx, actor, body));

export async function renewSlot(kernel: Kernel, tx: Tx, actor: Actor, id: string): Promise<UploadSlot> {
  const row = await queries.renew(tx, actor.account_id, id, tx.now);
  if (row) return toUploadSlot(kernel, row);
  throw new Problem((await queries.findMedia(tx, actor.account_id, id)) ? 'UPLOAD_ENDED' : 'FILE_NOT_FOUND');
}
