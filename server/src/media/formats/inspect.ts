/**
 * Inspects a received file: its content must match its name, be complete, and be harmless. Otherwise, throws the
 * problem. Temporary files and the thumbnail are written next to the file.
 */
import { access, rm } from 'node:fs/promises';
import { fileExtension } from '@parley/contract/media/rules.ts';
import type { Tenant } from '../../kernel/untrusted/fair_slots.ts';
import { hasAppendedZip } from '../../kernel/untrusted/zip.ts';
import { takeFrame } from '../pictures/frame.ts';
import { cleanedPath, decodePicture } from '../pictures/picture.ts';
import { requireNoMacros } from './archive.ts';
import { type Content, withContent } from './content.ts';
import { bitmapSize, FORMATS, type Format, requireHarmless } from './formats.ts';
import { isUnreadable, mismatched } from './refusal.ts';

export interface Inspected {
  content_type: string;
  width: number | null;
  height: number | null;
  /** Path of the file to store: the received file or, for an SVG, the cleaned one. */
  path: string;
  /** Path of the thumbnail. */
  thumbnail: string | null;
}

export const thumbnailPath = (path: string): string => `${path}.webp`;

export async function inspect(tenant: Tenant, path: string, file_name: string): Promise<Inspected> {
  const format = FORMATS[fileExtension(file_name)];
  if (!format) throw mismatched();
  const size = await withContent(path, async (content) => {
    await format.verify(content);
    if (!format.archive && (await hasAppendedZip(content))) throw mismatched();
    return readDimensions(tenant, path, format, content);
  });
  const thumbnail = thumbnailPath(path);
  const hasThumbnail = await access(thumbnail).then(
    () => true,
    () => false,
  );
  const stored = format.picture === 'svg' ? cleanedPath(path) : path;
  return { content_type: format.content_type, path: stored, ...size, thumbnail: hasThumbnail ? thumbnail : null };
}

/** The content type for files of an unknown kind, which can only be downloaded. */
export const UNKNOWN = 'application/octet-stream';

/**
 * Inspects a file from an inbound message. The sender cannot be asked for a better file, so a file of an unknown kind
 * or with a mismatched name is kept as a download.
 */
export async function inspectInbound(tenant: Tenant, path: string, file_name: string): Promise<Inspected> {
  await withContent(path, (content) => requireHarmless(content, file_name));
  try {
    return await inspect(tenant, path, file_name);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await withContent(path, requireNoMacros);
    return { content_type: UNKNOWN, path, width: null, height: null, thumbnail: null };
  }
}

async function readDimensions(
  tenant: Tenant,
  path: string,
  format: Format,
  content: Content,
): Promise<{ width: number | null; height: number | null }> {
  if (format.picture) return decodePicture(tenant, path, format.picture, thumbnailPath(path));
  if (format.content_type === 'image/bmp') return bitmapSize(await content.read(0, 26));
  return (format.movie && (await readFrame(tenant, path))) || { width: null, height: null };
}

/** A video that ffmpeg cannot read may still play on phones. It has no thumbnail and no dimensions. */
async function readFrame(tenant: Tenant, path: string): Promise<{ width: number; height: number } | null> {
  const picture = `${path}.png`;
  try {
    if (!(await takeFrame(tenant, path, picture))) return null;
    return await decodePicture(tenant, picture, 'png', thumbnailPath(path));
  } catch {
    return null;
  } finally {
    await rm(picture, { force: true });
  }
}
