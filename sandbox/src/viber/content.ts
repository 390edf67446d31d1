/**
 * Turns a Viber message into the content that a phone shows. Media is fetched from its link when a phone shows it, not
 * when the message is accepted.
 */
import { notFound, Problem } from '../problem.ts';
import { fetchFile } from '../storage/fetch.ts';
import type { Files } from '../storage/files.ts';
import type { Button, Content, Media } from '../world/content.ts';
import type { MessageContent } from './request.ts';

const types: Record<string, string> = {
  bmp: 'image/bmp',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  '3gpp': 'video/3gpp',
  m4v: 'video/mp4',
  mov: 'video/quicktime',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  txt: 'text/plain',
};
const maxFileBytes = 210 * 1024 * 1024;
const maxLinks = 500;

const mediaAt = (token: string, link: string, file_name: string | null, size = 0, type = ''): Media => {
  const extension = type || (/\.([a-z0-9]+)$/i.exec(new URL(link).pathname)?.[1] ?? '');
  const mime = types[extension.toLowerCase()] ?? 'application/octet-stream';
  const name = file_name ?? decodeName(new URL(link).pathname.split('/').at(-1)!);
  return { url: `/viber/media/${token}/${encodeURIComponent(name)}`, mime, file_name, size };
};

/** Returns the content that the phone shows and the link to its media. */
export function toContent(token: string, { text, image, button, file, video, template }: MessageContent) {
  const buttons: Button[] | undefined = button ? [{ type: 'url', text: button.caption, value: button.url }] : undefined;
  const textParts = (caption: boolean): Pick<Content, 'text' | 'caption' | 'buttons'> => ({
    ...(text && (caption ? { caption: text } : { text })),
    ...(buttons && { buttons }),
  });
  let content: Content = { kind: 'text', ...textParts(false) };
  let link: string | null = null;
  if (template) {
    const { template_id: name, language } = template;
    content = { kind: 'template', text, template: { name, language, category: 'transactional' } };
  }
  if (file) {
    link = file.url;
    content = { kind: 'document', media: mediaAt(token, link, file.name, 0, file.type) };
  } else if (video) {
    link = video.url;
    content = { kind: 'video', ...textParts(true), media: mediaAt(token, link, null, video.bytes) };
  } else if (image) {
    link = image;
    content = { kind: 'image', ...textParts(true), media: mediaAt(token, link, null) };
  }
  return { content, link };
}

/** Fetches the bytes behind links and keeps them as files. */
export class Links {
  private readonly files: Files;
  private readonly cache = new Map<string, { id: string; mime: string }>();

  constructor(files: Files) {
    this.files = files;
  }

  async fetch(link: string): Promise<{ bytes: Buffer; mime: string }> {
    const cached = this.cache.get(link);
    const bytesRead = cached && this.files.read(cached.id);
    if (cached && bytesRead) return { bytes: bytesRead, mime: cached.mime };
    const { bytes, mime } = await fetchFile(link, maxFileBytes, this.files).catch((error: Error) => {
      throw new Problem(502, 'unreachable', `the link in this message cannot be read: ${error.message}`);
    });
    if (bytes.length === 0) throw notFound('the file behind this link');
    this.cache.delete(link);
    this.cache.set(link, { id: this.files.store(bytes), mime });
    if (this.cache.size > maxLinks) this.cache.delete(this.cache.keys().next().value!);
    return { bytes, mime };
  }

  clear(): void {
    this.cache.clear();
  }
}

function decodeName(text: string): string {
  try {
    return decodeURIComponent(text) || 'file';
  } catch {
    return text;
  }
}
