/**
 * Stores the files of inbound messages. They are inspected like uploads, accepted regardless of their type, and owned
 * by the account.
 */
import type { Readable } from 'node:stream';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { fileExtension } from '@parley/contract/media/rules.ts';
import type { MediaType } from '@parley/contract/media/types.ts';
import { newId } from '../../kernel/clock.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { FORMATS } from '../formats/formats.ts';
import { inspectInbound, UNKNOWN } from '../formats/inspect.ts';
import { newLease } from '../objects.ts';
import type { MediaRow } from '../queries.ts';
import * as queries from '../queries.ts';
import { removeMedia } from '../removal.ts';
import { finishUpload } from './finish.ts';
import { tooLarge } from './limits.ts';
import { removePart, takeOver } from './parts.ts';
import { writePart } from './receive.ts';
import { requireSpace } from './space.ts';

interface InboundFile {
  account_id: string;
  type: MediaType;
  channel: ChannelName | null;
  /** The name given by the person who sent the file. */
  file_name: string | null;
  content_type: string;
}

/** Returns a ready media row. If the file has a problem, throws it and leaves nothing behind. */
export async function storeInboundFile(kernel: Kernel, file: InboundFile, stream: Readable): Promise<MediaRow> {
  const { account_id, type, channel } = file;
  const owner = { account_id, verified: await queries.isVerified(kernel.db, account_id) };
  try {
    await requireSpace(kernel, kernel.db, owner);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  const id = newId();
  const lease = newLease();
  try {
    const file_name = chooseName(file);
    const now = kernel.clock.now();
    const content_type = FORMATS[fileExtension(file_name)]?.content_type ?? UNKNOWN;
    const row = { account_id, id, type, channel, file_name, directory: '', content_type };
    const slot = await queries.insertSlot(kernel.db, { ...row, user_id: null, dimensions: null, now });
    await queries.takeLease(kernel.db, account_id, id, lease, now);
    const path = await takeOver(kernel, null, lease, 0);
    const rule = mediaRule(type, channel);
    await writePart(path, stream, 0, rule.max_bytes, async () => tooLarge(rule));
    return await finishUpload(kernel, { ...slot, lease }, lease, inspectInbound);
  } catch (error) {
    await removePart(kernel, lease);
    await kernel.db.tx((tx) => removeMedia(tx, account_id, id)).catch(() => {});
    throw error;
  } finally {
    stream.destroy();
  }
}

const withoutParameters = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

/**
 * Returns a file name with an extension. The given extension is kept if it matches the content type that the carrier
 * reports, or if the carrier reports no known content type. Otherwise, the extension of the content type is used.
 */
function chooseName({ file_name, content_type, type }: InboundFile): string {
  const cleaned = (file_name ?? '').replace(/[^\p{L}\p{N} ._-]/gu, '_').trim();
  const format = FORMATS[fileExtension(cleaned)];
  const reported = withoutParameters(content_type);
  const extension = Object.keys(FORMATS).find(
    (candidate) => reported !== UNKNOWN && withoutParameters(FORMATS[candidate]!.content_type) === reported,
  );
  if (format && (!extension || withoutParameters(format.content_type) === reported)) return cleaned.slice(-100);
  if (!extension && /[^.]\.[\p{L}\p{N}]{1,10}$/u.test(cleaned)) return cleaned.slice(-100);
  const stem =
    cleaned
      .replace(/\.[^.]*$/, '')
      .replace(/^\.+/, '')
      .slice(0, 90) || type;
  return `${stem}${extension ?? '.bin'}`;
}
