/**
 * Files in both directions: ours are uploaded once and then sent by WhatsApp's id, files of people are fetched with the
 * token.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal, type OutgoingMedia } from '../channel.ts';
import { type FetchedFile, fetchCapped, isNear, isOwn } from '../fetched_file.ts';
import type { Keeper } from '../http_call.ts';
import { textOf } from '../wire_json.ts';
import { bearer, graph, step } from './graph.ts';
import type { MediaPlace } from './outgoing.ts';

/** WhatsApp forgets an upload after 30 days. */
const KEPT_MS = 29 * 24 * 3_600_000;
const MAX_UPLOADS = 5_000;
/** Enough for 16 MB of video over a slow connection. */
const UPLOAD_MS = 120_000;
/** No file on WhatsApp is larger. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

const USUAL_TYPE = { image: 'image/jpeg', video: 'video/mp4', document: 'application/pdf' } as const;
export const typeOf = ({ content_type, type }: OutgoingMedia): string => content_type ?? USUAL_TYPE[type];

interface Upload {
  id: Promise<string>;
  until: number;
}

/** Uploads of one connection, by sender and file. In memory: after a restart a file is uploaded once more. */
export class Uploads {
  private readonly settings: WhatsAppSettings;
  private readonly uploads = new Map<string, Upload>();
  private readonly now: () => number;

  constructor(settings: WhatsAppSettings, now: () => number = Date.now) {
    this.settings = settings;
    this.now = now;
  }

  async place(
    media: OutgoingMedia,
    phone_number_id: string,
    keeper?: Keeper,
    signal?: AbortSignal,
  ): Promise<MediaPlace> {
    const { key, open, link } = media;
    if (key === null || open === null) return { link };
    const name = `${phone_number_id} ${key}`;
    const uploaded = this.uploads.get(name);
    if (uploaded && uploaded.until > this.now()) return { id: await uploaded.id };
    // Messages of a campaign that come at the same moment share one upload.
    const id = upload(this.settings, media, open, phone_number_id, keeper, signal);
    this.uploads.delete(name);
    this.uploads.set(name, { id, until: this.now() + KEPT_MS });
    if (this.uploads.size > MAX_UPLOADS) this.uploads.delete(this.uploads.keys().next().value!);
    try {
      return { id: await id };
    } catch (error) {
      this.forget(media, phone_number_id);
      throw error;
    }
  }

  /** WhatsApp refused the upload: the next message uploads the file again. */
  forget({ key }: OutgoingMedia, phone_number_id: string): void {
    this.uploads.delete(`${phone_number_id} ${key}`);
  }
}

async function upload(
  settings: WhatsAppSettings,
  media: OutgoingMedia,
  open: () => Promise<Readable>,
  phone_number_id: string,
  keeper?: Keeper,
  signal?: AbortSignal,
): Promise<string> {
  const boundary = `parley${randomBytes(12).toString('hex')}`;
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file_name = media.file_name.replace(/[^\w. -]/g, '_');
  const head = Buffer.from(
    `${field('messaging_product', 'whatsapp')}${field('type', typeOf(media))}--${boundary}\r\n` +
      `content-disposition: form-data; name="file"; filename="${file_name}"\r\ncontent-type: ${typeOf(media)}\r\n\r\n`,
  );
  const tail = Buffer.from(`\r\n--${boundary}--\r\n`);
  const file = await open();
  const body = Readable.from(
    (async function* () {
      yield head;
      yield* file as AsyncIterable<Buffer>;
      yield tail;
    })(),
    { objectMode: false },
  );
  const headers: Record<string, string | number> = { 'content-type': `multipart/form-data; boundary=${boundary}` };
  if (media.bytes !== null) headers['content-length'] = head.length + media.bytes + tail.length;
  try {
    const answer = await graph(settings, `${step(phone_number_id)}/media`, {
      method: 'POST',
      body,
      headers,
      timeout_ms: Math.max(UPLOAD_MS, settings.timeout_ms),
      ...(keeper ? { keeper } : {}),
      ...(signal ? { signal } : {}),
    });
    const id = textOf(answer.id, 200);
    if (id === '') throw new CarrierRefusal('', 'WhatsApp gave the file no id');
    return id;
  } finally {
    file.destroy();
  }
}

// The hosts where Meta keeps files. The token gives access to every message of the company, so it is sent to no other
// host, whatever address a response names.
const KEEPERS = /(?:^|\.)(?:facebook\.com|fbsbx\.com|fbcdn\.net|whatsapp\.net)$/;

export const tokenFor = (settings: WhatsAppSettings, place: string): Record<string, string> =>
  isOwn(place, settings.base_url) || KEEPERS.test(new URL(place).hostname) ? bearer(settings) : {};

/** Fetches a file that a person sent: first its address, then the file itself, both with the token. */
export async function fetchFile(settings: WhatsAppSettings, id: string): Promise<FetchedFile> {
  const { url, mime_type, file_size } = await graph(settings, step(id));
  if (Number(textOf(file_size)) > MAX_FILE_BYTES) throw new CarrierRefusal('', 'The file is too large');
  const place = textOf(url, 4_000);
  if (!isNear(place, settings.base_url)) throw new CarrierRefusal('', 'WhatsApp named no address of the file');
  const { base_url, timeout_ms } = settings;
  const headers = tokenFor(settings, place);
  const found = await fetchCapped(place, { base_url, timeout_ms, max_bytes: MAX_FILE_BYTES, headers });
  return { ...found, content_type: textOf(mime_type, 200) || found.content_type };
}
