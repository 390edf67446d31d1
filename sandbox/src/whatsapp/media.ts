/**
 * The files of the business account. Uploads are kept for 30 days and files from people for 7 days. Download URLs are
 * valid for 5 minutes. Samples for template headers arrive in resumable sessions and are identified by a handle.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Facts } from '../storage/facts.ts';
import { type Files, fileUrl } from '../storage/files.ts';
import type { Media } from '../world/content.ts';
import { stableId } from './account.ts';
import { GraphError, invalidParameter, noSuchObject } from './graph/graph_error.ts';

export type MediaKind = 'image' | 'video' | 'audio' | 'document' | 'sticker';

interface MediaRecord {
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
  /** The bytes received so far. */
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
const addressLifetime = 5 * 60_000;
const maxRecords = 5_000;
const maxSessions = 200;
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
export const mediaLimits: Record<MediaKind, { mimes: string[]; maxBytes: number }> = {
  image: { mimes: ['image/jpeg', 'image/png'], maxBytes: 5 * mega },
  video: { mimes: ['video/mp4', 'video/3gpp'], maxBytes: 16 * mega },
  audio: { mimes: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'], maxBytes: 16 * mega },
  document: { mimes: documents, maxBytes: 100 * mega },
  sticker: { mimes: ['image/webp'], maxBytes: 500 * 1024 },
};
const maxStillStickerBytes = 100 * 1024;
const kinds = Object.keys(mediaLimits) as MediaKind[];

export const mediaKind = (mime: string): MediaKind | undefined =>
  kinds.find((kind) => mediaLimits[kind].mimes.includes(mime));

/**
 * Returns why a file cannot be sent as this kind of media, or undefined if it can. Checks the bytes if they are
 * available.
 */
export function mediaProblem(kind: MediaKind, mime: string, size: number, bytes?: Buffer): string | undefined {
  const { mimes, maxBytes } = mediaLimits[kind];
  if (!mimes.includes(mime)) {
    return `${kind} of type ${mime || 'unknown'} is not supported; supported types: ${mimes.join(', ')}`;
  }
  if (size === 0) return 'the file is empty';
  const limit = kind === 'sticker' && bytes && !isAnimated(bytes) ? maxStillStickerBytes : maxBytes;
  if (size > limit) return `the file has ${size} bytes; ${kind} may have at most ${limit}`;
  return undefined;
}

/** The animation flag is in the extended header of a WebP file. */
const isAnimated = (bytes: Buffer): boolean =>
  bytes.toString('latin1', 12, 16) === 'VP8X' && ((bytes[20] ?? 0) & 0x02) !== 0;

export class MediaStore {
  private readonly facts: Facts;
  private readonly files: Files;
  private readonly secret: string;
  private readonly sessions = new Map<string, UploadSession>();

  constructor(facts: Facts, files: Files, secret: string) {
    this.facts = facts;
    this.files = files;
    this.secret = secret;
  }

  upload(bytes: Buffer, mime: string, file_name: string | null): MediaRecord {
    const kind = mediaKind(mime);
    if (!kind) {
      const types = kinds.flatMap((other) => mediaLimits[other].mimes).join(', ');
      throw invalidParameter(
        `Param file must be a file with one of the following types: ${types}. Received file of type '${mime}'.`,
      );
    }
    const reason = mediaProblem(kind, mime, bytes.length, bytes);
    if (reason) throw invalidParameter(reason);
    return this.store(bytes, mime, file_name, 30 * day);
  }

  /** Stores a file that a person sent. */
  storeReceived(bytes: Buffer, mime: string, file_name: string | null): MediaRecord {
    return this.store(bytes, mime, file_name, 7 * day);
  }

  get(id: string): MediaRecord | undefined {
    const record = this.facts.get<MediaRecord>(`whatsapp:media:${id}`);
    return record && record.until > Date.now() ? record : undefined;
  }

  remove(id: string): void {
    if (!this.get(id)) throw noSuchObject(id);
    this.facts.remove(`whatsapp:media:${id}`);
  }

  /** Returns the file in the format that a phone shows. */
  toMedia({ file, mime, file_name, size }: Pick<MediaRecord, 'file' | 'mime' | 'file_name' | 'size'>): Media {
    return { url: fileUrl(file, mime, file_name), mime, file_name, size };
  }

  toJson(record: MediaRecord, origin: string): Record<string, unknown> {
    const expires = Math.floor((Date.now() + addressLifetime) / 1000);
    const query = new URLSearchParams({ mid: record.id, ext: String(expires), hash: this.sign(record.id, expires) });
    return {
      messaging_product: 'whatsapp',
      url: `${origin}/graph/attachments?${query}`,
      mime_type: record.mime,
      sha256: record.file,
      file_size: record.size,
      id: record.id,
    };
  }

  /** Returns the file at a download URL, unless the URL is wrong or has expired. */
  download(mid: string, ext: string, hash: string): { record: MediaRecord; bytes: Buffer } | undefined {
    const expires = Number(ext);
    if (hash !== this.sign(mid, expires) || expires * 1000 < Date.now()) return undefined;
    const record = this.get(mid);
    const bytes = record && this.files.read(record.file);
    return bytes && { record: record!, bytes };
  }

  openSession(file_name: string, file_length: number, file_type: string): string {
    const types = ['image/jpeg', 'image/jpg', 'image/png', 'video/mp4', 'application/pdf'];
    if (!types.includes(file_type)) throw invalidParameter(`file_type must be one of ${types.join(', ')}`);
    if (!Number.isInteger(file_length) || file_length < 1 || file_length > 100 * mega) {
      throw invalidParameter('file_length must be the size of the file in bytes');
    }
    const id = `upload:${randomBytes(24).toString('base64url')}?sig=${randomBytes(9).toString('base64url')}`;
    this.sessions.set(id, { id, file_name, file_length, file_type, bytes: Buffer.alloc(0) });
    if (this.sessions.size > maxSessions) this.sessions.delete(this.sessions.keys().next().value!);
    return id;
  }

  session(id: string): UploadSession {
    const session = this.sessions.get(id);
    if (!session) throw noSuchObject(id);
    return session;
  }

  /** Adds bytes to an upload. Returns the handle once the upload is complete. */
  append(id: string, offset: number, bytes: Buffer): string | undefined {
    const session = this.session(id);
    if (offset !== session.bytes.length) {
      throw new GraphError(6000, `file_offset must be ${session.bytes.length}, where the upload stopped`);
    }
    session.bytes = Buffer.concat([session.bytes, bytes]);
    if (session.bytes.length > session.file_length) {
      this.sessions.delete(id);
      throw invalidParameter('The upload has more bytes than file_length');
    }
    if (session.bytes.length < session.file_length) return undefined;
    this.sessions.delete(id);
    const { file_name, file_type, file_length } = session;
    const handle = `4::${Buffer.from(file_type).toString('base64')}:${randomBytes(48).toString('base64url')}`;
    const sample: Sample = {
      handle,
      file: this.files.store(session.bytes),
      mime: file_type,
      file_name,
      size: file_length,
    };
    this.facts.put(`whatsapp:sample:${handle}`, sample);
    return handle;
  }

  sample(handle: string): Sample | undefined {
    return this.facts.get<Sample>(`whatsapp:sample:${handle}`);
  }

  reset(): void {
    this.sessions.clear();
  }

  private store(bytes: Buffer, mime: string, file_name: string | null, lifetime: number): MediaRecord {
    const now = Date.now();
    const record: MediaRecord = {
      id: stableId(`media ${randomBytes(16).toString('hex')}`),
      file: this.files.store(bytes),
      mime,
      file_name,
      size: bytes.length,
      created: now,
      until: now + lifetime,
    };
    this.facts.put(`whatsapp:media:${record.id}`, record);
    const records = this.facts.list<MediaRecord>('whatsapp:media:');
    if (records.length > maxRecords) this.facts.remove(`whatsapp:media:${records[0]!.id}`);
    return record;
  }

  private sign(mid: string, expires: number): string {
    return createHmac('sha256', this.secret).update(`${mid} ${expires}`).digest('base64url');
  }
}
