/**
 * Signed links for slots and files. The signature covers the file, the expiration time, and, for a slot, the allowed
 * content. A link is a permission: anyone who has it can use it until it expires. Each call reads the row again, so the
 * link of a deleted file stops working immediately.
 */
import { SLOT_MINUTES } from '@parley/contract/media/media.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import type { MediaRow } from '../queries.ts';

const HOUR_S = 3_600;
/** Long enough for phones that fetch a file late: a message can be delivered two weeks after it was sent. */
const CARRIER_S = 30 * 24 * HOUR_S;

type Place = Pick<Kernel, 'storage' | 'clock' | 'config'>;
type Query = Readonly<Record<string, unknown>>;

export interface UploadLink {
  account_id: string;
  id: string;
  max_bytes: number;
  content_type: string;
}

const uploadFields = (link: UploadLink, expires: string): string[] => [
  'PUT',
  link.account_id,
  link.id,
  expires,
  String(link.max_bytes),
  link.content_type,
];

export function uploadLink(place: Place, link: UploadLink): { put_url: string; expire_date: Date } {
  const expire_date = new Date(place.clock.now().getTime() + SLOT_MINUTES * 60_000);
  const expires = String(Math.floor(expire_date.getTime() / 1000));
  const query = new URLSearchParams({
    account: link.account_id,
    expires,
    max_bytes: String(link.max_bytes),
    content_type: link.content_type,
    signature: place.storage.signature('upload', uploadFields(link, expires)),
  });
  return { put_url: `${place.config.PUBLIC_URL}/v1/media/uploads/${link.id}?${query}`, expire_date };
}

/** Returns null for a forged, changed, or expired link. */
export function readUploadLink(place: Place, id: string, query: Query): UploadLink | null {
  const { account, expires, max_bytes, content_type, signature } = query;
  if (![account, expires, max_bytes, content_type].every((value) => typeof value === 'string')) return null;
  const link = {
    account_id: account as string,
    id,
    max_bytes: Number(max_bytes),
    content_type: content_type as string,
  };
  if (!place.storage.isSigned('upload', uploadFields(link, expires as string), signature)) return null;
  return Number(expires) * 1000 < place.clock.now().getTime() ? null : link;
}

type Part = 'file' | 'thumbnail';

const fileFields = (account_id: string, id: string, part: string, expires: string): string[] => [
  'GET',
  account_id,
  id,
  part,
  expires,
];

function fileLink(place: Place, media: Pick<MediaRow, 'account_id' | 'id' | 'file_name'>, part: Part, expires: string) {
  const { account_id, id } = media;
  const query = new URLSearchParams({
    account: account_id,
    id,
    part,
    expires,
    signature: place.storage.signature('media', fileFields(account_id, id, part, expires)),
  });
  // The name is for people, and for carriers that read the extension of a link.
  const name = part === 'file' ? media.file_name : 'thumbnail.webp';
  return `${place.config.PUBLIC_URL}/v1/media/files/${encodeURIComponent(name.toWellFormed())}?${query}`;
}

/** Valid for one to two hours. The link stays the same within an hour, so that browsers can use their cache. */
export function mediaLink(
  place: Place,
  media: Pick<MediaRow, 'account_id' | 'id' | 'file_name'>,
  part: Part = 'file',
): string {
  const hours = Math.ceil(place.clock.now().getTime() / 1000 / HOUR_S);
  return fileLink(place, media, part, String((hours + 1) * HOUR_S));
}

/** A link for a carrier, which passes it on to phones. */
export const carrierLink = (
  place: Place,
  media: Pick<MediaRow, 'account_id' | 'id' | 'file_name'>,
  part: Part = 'file',
): string => fileLink(place, media, part, String(Math.floor(place.clock.now().getTime() / 1000) + CARRIER_S));

export function readFileLink(place: Place, query: Query): { account_id: string; id: string; part: Part } | null {
  const { account, id, part, expires, signature } = query;
  if (typeof account !== 'string' || typeof id !== 'string' || typeof expires !== 'string') return null;
  if (part !== 'file' && part !== 'thumbnail') return null;
  if (!place.storage.isSigned('media', fileFields(account, id, part, expires), signature)) return null;
  return Number(expires) * 1000 < place.clock.now().getTime() ? null : { account_id: account, id, part };
}
