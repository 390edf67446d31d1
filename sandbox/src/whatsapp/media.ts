// Files of the business account: uploaded ones live 30 days, those people sent 7, addresses to fetch them 5 minutes. Samples for
// template headers come in by resumable sessions and are known by a handle.
import { createHmac, randomBytes } from 'node:crypto';
import type { Media } from '../content.ts';
import type { Facts } from '../facts.ts';
import { type Files, urlOf } from '../files.ts';
import { idFor } from './account.ts';
import { GraphError, invalidParameter, noSuchObject } from './graph_error.ts';

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

export interface MediaRecord {
  id: string;
  file: string;
  mime: string;
  file_name: string | null;
  size: number;
  created: number;
  until: number;
}

interface UploadSession {
  id: string;
  file_name: string;
  file_length: number;
  file_type: string;
  /** What has come so far. */
  bytes: Buffer;
}

interface Sample {
  handle: string;
  file: string;
  mime: string;
  file_name: string;
  size: number;
}

const mega = 1024 * 1024;
const day = 24 * 3_600_000;
const addressLives = 5 * 60_000;
const mostRecords = 5_000;
const mostSessions = 200;
const documents = [
  'text/plain',
  'text/csv',
  'application/pdf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
];
export const mediaLimits: Record<MediaKind, { mimes: string[]; most: number }> = {
  image: { mimes: ['image/jpeg', 'image/png'], most: 5 * mega },
  video: { mimes: ['video/mp4', 'video/3gpp'], most: 16 * mega },
  audio: { mimes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], most: 16 * mega },
  document: { mimes: documents, most: 100 * mega },
  sticker: { mimes: ['image/webp'], most: 500 * 1024 },
};
const stillSticker = 100 * 1024;
const kinds = Object.keys(mediaLimits) as MediaKind[];

export const kindOf = (mime: string): MediaKind | undefined =>
  kinds.find((kind) => mediaLimits[kind].mimes.includes(mime));

/** Why a file is not what WhatsApp sends as this; nothing when it is. Its bytes are looked at where they are at hand. */
export function unfit(kind: MediaKind, mime: string, size: number, bytes?: Buffer): string | undefined {
  const { mimes, most: limit } = mediaLimits[kind];
  if (!mimes.includes(mime)) {
    return `${kind} of the type ${mime || 'unknown'} is not supported; supported: ${mimes.join(', ')}`;
  }
  if (size === 0) return 'the file is empty';
  const most = kind === 'sticker' && bytes && !isAnimated(bytes) ? stillSticker : limit;
  if (size > most) return `the file has ${size} bytes; ${kind} may have at most ${most}`;
  return undefined;
}

/** WebP says so in its extended header. */
const isAnimated = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0x02) !== 0;

export class MediaShelf {
  #facts: Facts;
  #files: Files;
  #secret: string;
  #sessions = new Map<string, UploadSession>();

  constructor(facts: Facts, files: Files, secret: string) {
    this.#facts = facts;
    this.#files = files;
    this.#secret = secret;
  }

  upload(bytes: Buffer, mime: string, file_name: string | null): MediaRecord {
    const kind = kindOf(mime);
    if (!kind) {
      throw invalidParameter(
        `Param file must be a file with one of the following types: ${kinds.flatMap((one) => mediaLimits[one].mimes).join(', ')}. Received file of type '${mime}'.`,
      );
    }
    const reason = unfit(kind, mime, bytes.length, bytes);
    if (reason) throw invalidParameter(reason);
    return this.keep(bytes, mime, file_name, 30 * day);
  }

  /** What a person sent. */
  received(bytes: Buffer, mime: string, file_name: string | null): MediaRecord {
    return this.keep(bytes, mime, file_name, 7 * day);
  }

  get(id: string): MediaRecord | undefined {
    const record = this.#facts.get<MediaRecord>(`whatsapp:media:${id}`);
    return record && record.until > Date.now() ? record : undefined;
  }

  remove(id: string): void {
    if (!this.get(id)) throw noSuchObject(id);
    this.#facts.remove(`whatsapp:media:${id}`);
  }

  /** As a phone shows it. */
  shown({ file, mime, file_name, size }: Pick<MediaRecord, 'file' | 'mime' | 'file_name' | 'size'>): Media {
    return { url: urlOf(file, mime, file_name), mime, file_name, size };
  }

  answer(record: MediaRecord, origin: string): Record<string, unknown> {
    const expires = Math.floor((Date.now() + addressLives) / 1000);
    const query = new URLSearchParams({ mid: record.id, ext: String(expires), hash: this.#sign(record.id, expires) });
    return {
      messaging_product: 'whatsapp',
      url: `${origin}/graph/attachments?${query}`,
      mime_type: record.mime,
      sha256: record.file,
      file_size: record.size,
      id: record.id,
    };
  }

  /** The bytes behind an address that was given out and has not run out. */
  download(mid: string, ext: string, hash: string): { record: MediaRecord; bytes: Buffer } | undefined {
    const expires = Number(ext);
    if (hash !== this.#sign(mid, expires) || expires * 1000 < Date.now()) return undefined;
    const record = this.get(mid);
    const bytes = record && this.#files.read(record.file);
    return bytes && { record: record!, bytes };
  }

  openSession(file_name: string, file_length: number, file_type: string): string {
    const types = ['image/jpeg', 'image/jpg', 'image/png', 'video/mp4', 'application/pdf'];
    if (!types.includes(file_type)) throw invalidParameter(`file_type must be one of ${types.join(', ')}`);
    if (!Number.isInteger(file_length) || file_length < 1 || file_length > 100 * mega) {
      throw invalidParameter('file_length must be the size of the file in bytes');
    }
    const id = `upload:${randomBytes(24).toString('base64url')}?sig=${randomBytes(9).toString('base64url')}`;
    this.#sessions.set(id, { id, file_name, file_length, file_type, bytes: Buffer.alloc(0) });
    if (this.#sessions.size > mostSessions) this.#sessions.delete(this.#sessions.keys().next().value!);
    return id;
  }

  session(id: string): UploadSession {
    const session = this.#sessions.get(id);
    if (!session) throw noSuchObject(id);
    return session;
  }

  /** The handle once everything is there. */
  append(id: string, offset: number, bytes: Buffer): string | undefined {
    const session = this.session(id);
    if (offset !== session.bytes.length) {
      throw new GraphError(6000, `file_offset must be ${session.bytes.length}, where the upload stopped`);
    }
    session.bytes = Buffer.concat([session.bytes, bytes]);
    if (session.bytes.length > session.file_length) {
      this.#sessions.delete(id);
      throw invalidParameter('More bytes came than file_length said');
    }
    if (session.bytes.length < session.file_length) return undefined;
    this.#sessions.delete(id);
    const { file_name, file_type, file_length } = session;
    const handle = `4::${Buffer.from(file_type).toString('base64')}:${randomBytes(48).toString('base64url')}`;
    const sample: Sample = {
      handle,
      file: this.#files.keep(session.bytes),
      mime: file_type,
      file_name,
      size: file_length,
    };
    this.#facts.put(`whatsapp:sample:${handle}`, sample);
    return handle;
  }

  sample(handle: string): Sample | undefined {
    return this.#facts.get<Sample>(`whatsapp:sample:${handle}`);
  }

  reset(): void {
    this.#sessions.clear();
  }

  private keep(bytes: Buffer, mime: string, file_name: string | null, lives: number): MediaRecord {
    const now = Date.now();
    const record: MediaRecord = {
      id: idFor(`media ${randomBytes(16).toString('hex')}`),
      file: this.#files.keep(bytes),
      mime,
      file_name,
      size: bytes.length,
      created: now,
      until: now + lives,
    };
    this.#facts.put(`whatsapp:media:${record.id}`, record);
    const records = this.#facts.list<MediaRecord>('whatsapp:media:');
    if (records.length > mostRecords) this.#facts.remove(`whatsapp:media:${records[0]!.id}`);
    return record;
  }

  #sign(mid: string, expires: number): string {
    return createHmac('sha256', this.#secret).update(`${mid} ${expires}`).digest('base64url');
  }
}
