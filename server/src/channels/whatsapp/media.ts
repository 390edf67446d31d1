/**
 * Files in both directions: outbound files are uploaded once and then sent by their WhatsApp id, and inbound files are
 * fetched with the token.
 */
import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import type { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { CarrierRefusal } from '../channel.ts';
import { type FetchedFile, fetchCapped, isAllowedUrl, isOwnUrl } from '../fetched_file.ts';
import type { Keeper } from '../http_call.ts';
import type { OutgoingMedia } from '../outgoing_content.ts';
import { toText } from '../wire_json.ts';
import { bearer, callGraph, pathSegment } from './graph.ts';
import type { MediaPlace } from './outgoing.ts';

/** WhatsApp forgets an upload after 30 days. */
const KEPT_MS = 29 * 24 * 3_600_000;
const MAX_UPLOADS = 5_000;
/** Enough for 16 MB of video over a slow connection. */
const UPLOAD_MS = 120_000;
/** WhatsApp allows no larger files. */
export const MAX_FILE_BYTES = 100 * 1024 * 1024;

const USUAL_TYPE = { image: 'image/jpeg', video: 'video/mp4', document: 'application/pdf' } as const;
export const contentType = ({ content_type, type }: OutgoingMedia): string => content_type ?? USUAL_TYPE[type];

interface Upload {
  id: Promise<string>;
  until: number;
}

/**
 * One connection's uploads, by sender and file. They are kept in memory, so a file is uploaded again after a restart.
 */
export class Uploads {
  private readonly settings: WhatsAppSettings;
  private readonly uploads = new Map<string, Upload>();
  private readonly now: () => number;

  constructor(settings: WhatsAppSettings, now: () => number = Date.now) {
    this.settings = settings;
    this.now = now;
  }

  async resolve(
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
    // Messages in a campaign that need the same file at the same time share one upload.
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

  /** WhatsApp refused the upload, so the next message uploads the file again. */
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
    `${field('messaging_product', 'whatsapp')}${field('type', contentType(media))}--${boundary}\r\n` +
      `content-disposition: form-data; name="file"; filename="${file_name}"\r\n` +
      `content-type: ${contentType(media)}\r\n\r\n`,
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
    const answer = await callGraph(settings, `${pathSegment(phone_number_id)}/media`, {
      method: 'POST',
      body,
      headers,
      timeout_ms: Math.max(UPLOAD_MS, settings.timeout_ms),
      ...(keeper ? { keeper } : {}),
      ...(signal ? { signal } : {}),
    });
    const id = toText(answer.id, 200);
    if (id === '') throw new CarrierRefusal('', 'WhatsApp did not return an ID for the file');
    return id;
  } finally {
    file.destroy();
  }
}

// The hosts where Meta keeps files. The token gives access to all of the company's messages, so it is never sent to
// another host, whatever URL a response contains.
const FILE_HOSTS = /(?:^|\.)(?:facebook\.com|fbsbx\.com|fbcdn\.net|whatsapp\.net)$/;

export const tokenFor = (settings: WhatsAppSettings, file_url: string): Record<string, string> =>
  isOwnUrl(file_url, settings.base_url) || FILE_HOSTS.test(new URL(file_url).hostname) ? bearer(settings) : {};

/** Fetches a file that a person sent: first its URL, then the file itself, both with the token. */
export async function fetchFile(settings: WhatsAppSettings, id: string): Promise<FetchedFile> {
  const { url, mime_type, file_size } = await callGraph(settings, pathSegment(id));
  if (Number(toText(file_size)) > MAX_FILE_BYTES) throw new CarrierRefusal('', 'The file is too large');
  const file_url = toText(url, 4_000);
  if (!isAllowedUrl(file_url, settings.base_url))
    throw new CarrierRefusal('', 'WhatsApp did not return a valid URL for the file');
  const { base_url, timeout_ms } = settings;
  const headers = tokenFor(settings, file_url);
  const fetched = await fetchCapped(file_url, { base_url, timeout_ms, max_bytes: MAX_FILE_BYTES, headers });
  return { ...fetched, content_type: toText(mime_type, 200) || fetched.content_type };
}
