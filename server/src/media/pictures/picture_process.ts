/** The process that decodes one picture (see picture.ts). It reports that it is ready, then the result. */
import { readFile, writeFile } from 'node:fs/promises';
import sharp from 'sharp';
import { cleanDrawing } from '../formats/drawing/drawing.ts';
import { DrawingError } from '../formats/drawing/drawing_error.ts';
import type { PictureResult, PictureTask } from './picture.ts';

const THUMBNAIL = 320;

sharp.cache(false);
sharp.concurrency(1);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (task: PictureTask) => {
  void decode(task)
    .catch(toRefusal)
    .then((result) => process.send!(result));
});
process.send!('ready');

function toRefusal(error: Error): PictureResult {
  if (error instanceof DrawingError) return { refused: error.fault };
  return { refused: /pixel limit/i.test(error.message) ? 'pixels' : 'corrupted' };
}

async function decode({ path, format, thumbnail, cleaned, max_pixels }: PictureTask): Promise<PictureResult> {
  let source: string | Buffer = path;
  if (format === 'svg') {
    source = Buffer.from(cleanDrawing(await readFile(path)));
    await writeFile(cleaned, source);
  }
  const picture = sharp(source, { failOn: 'error', limitInputPixels: max_pixels });
  const metadata = await picture.metadata();
  if (metadata.format !== format) return { refused: 'corrupted' };
  await picture
    .autoOrient()
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .toFile(thumbnail);
  return { width: metadata.autoOrient.width, height: metadata.autoOrient.height };
}
