/** Files that come to us rather than being uploaded: with the same look inside, whatever they are, and an account's own from then on. */
import type { Readable } from 'node:stream';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { mediaRule } from '@parley/contract/media/channel_rules.ts';
import { extensionOf, type MediaType } from '@parley/contract/media/rules.ts';
import { newId } from '../kernel/clock.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { finishUpload } from './finish.ts';
import { FORMATS } from './formats.ts';
import { inspectComing, UNKNOWN } from './inspect.ts';
import { newLease, refusalOf, removeMedia } from './media.ts';
import { removePart, takeOver } from './parts.ts';
import type { MediaRow } from './queries.ts';
import * as queries from './queries.ts';
import { writePart } from './receive.ts';

export interface ComingFile {
  account_id: string;
  type: MediaType;
  channel: ChannelName | null;
  /** As whoever sends it calls it. */
  file_name: string | null;
  content_type: string;
}

/** Ready, or the Problem that is found with it; then nothing is left of it. */
export async function takeIn(kernel: Kernel, file: ComingFile, stream: Readable): Promise<MediaRow> {
  const { account_id, type, channel } = file;
  const id = newId();
  const lease = newLease();
  try {
    const file_name = nameOf(file);
    const now = kernel.clock.now();
    const content_type = FORMATS[extensionOf(file_name)]?.content_type ?? UNKNOWN;
    const place = { account_id, id, type, channel, file_name, directory: '', content_type };
    const slot = await queries.insertSlot(kernel.db, { ...place, user_id: null, wanted: null, now });
    await queries.takeLease(kernel.db, account_id, id, lease, now);
    const path = await takeOver(kernel, null, lease, 0);
    const rule = mediaRule(type, channel);
    await writePart(path, stream, 0, rule.max_bytes, async () => refusalOf(rule));
    return await finishUpload(kernel, { ...slot, lease }, lease, inspectComing);
  } catch (error) {
    await removePart(kernel, lease);
    await kernel.db.tx((tx) => removeMedia(tx, account_id, id)).catch(() => {});
    throw error;
  } finally {
    stream.destroy();
  }
}

const plain = (type: string): string => type.split(';')[0]!.trim().toLowerCase();

/** A name that says what it is: the extension of its own name where that fits what the carrier calls it, else one for that, else its own all the same. */
function nameOf({ file_name, content_type, type }: ComingFile): string {
  const given = (file_name ?? '').replace(/[^\p{L}\p{N} ._-]/gu, '_').trim();
  const own = FORMATS[extensionOf(given)];
  const told = Object.keys(FORMATS).find(
    (extension) => plain(content_type) !== UNKNOWN && plain(FORMATS[extension]!.content_type) === plain(content_type),
  );
  if (own && (!told || plain(own.content_type) === plain(content_type))) return given.slice(-100);
  if (!told && /[^.]\.[\p{L}\p{N}]{1,10}$/u.test(given)) return given.slice(-100);
  const stem =
    given
      .replace(/\.[^.]*$/, '')
      .replace(/^\.+/, '')
      .slice(0, 90) || type;
  return `${stem}${told ?? '.bin'}`;
}
