/**
 * Whether a file that has arrived is what its name says, whole, and harmless; and what there is to know of it. Throws the Problem otherwise. Everything
 * it leaves behind lies beside the file.
 */
import { access, rm } from 'node:fs/promises';
import { extensionOf } from '@parley/contract/media/rules.ts';
import { carriesArchive, demandNoMacros } from './archive.ts';
import { type Content, withContent } from './content.ts';
import { bitmapSize, demandHarmless, FORMATS, type Format } from './formats.ts';
import { takeFrame } from '../pictures/frame.ts';
import { decodePicture } from '../pictures/picture.ts';
import { isUnreadable, mismatched } from './refusal.ts';

export interface Inspected {
  content_type: string;
  width: number | null;
  height: number | null;
  /** Where it lies. */
  thumbnail: string | null;
}

export const thumbnailOf = (path: string): string => `${path}.webp`;

export async function inspect(path: string, file_name: string): Promise<Inspected> {
  const format = FORMATS[extensionOf(file_name)];
  if (!format) throw mismatched();
  const size = await withContent(path, async (content) => {
    await format.demand(content);
    if (!format.archive && (await carriesArchive(content))) throw mismatched();
    return sizeOf(path, format, content);
  });
  const thumbnail = thumbnailOf(path);
  const drawn = await access(thumbnail).then(
    () => true,
    () => false,
  );
  return { content_type: format.content_type, ...size, thumbnail: drawn ? thumbnail : null };
}

/** Known of nothing but its octets: it is only ever downloaded. */
export const UNKNOWN = 'application/octet-stream';

/** Of a file that a person sent. Nobody can be asked for a better one, so what is of no kind we know, or not what its name says, is kept as it is. */
export async function inspectComing(path: string, file_name: string): Promise<Inspected> {
  await withContent(path, (content) => demandHarmless(content, file_name));
  try {
    return await inspect(path, file_name);
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    await withContent(path, demandNoMacros);
    return { content_type: UNKNOWN, width: null, height: null, thumbnail: null };
  }
}

async function sizeOf(
  path: string,
  format: Format,
  content: Content,
): Promise<{ width: number | null; height: number | null }> {
  if (format.picture) return decodePicture(path, format.picture, thumbnailOf(path));
  if (format.content_type === 'image/bmp') return bitmapSize(await content.read(0, 26));
  return (format.movie && (await frameSize(path))) || { width: null, height: null };
}

// A video that ffmpeg cannot read may still play elsewhere: it goes without.
async function frameSize(path: string): Promise<{ width: number; height: number } | null> {
  const picture = `${path}.png`;
  try {
    if (!(await takeFrame(path, picture))) return null;
    return await decodePicture(picture, 'png', thumbnailOf(path));
  } catch {
    return null;
  } finally {
    await rm(picture, { force: true });
  }
}
