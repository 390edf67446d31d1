/** The process that decodes one picture (see picture.ts). */
import sharp from 'sharp';
import type { PictureResult, PictureTask } from './picture.ts';

const THUMBNAIL = 320;

sharp.cache(false);
sharp.concurrency(1);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (task: PictureTask) => {
  void decode(task)
    .catch((error: Error): PictureResult => ({ refused: /pixel limit/i.test(error.message) ? 'pixels' : 'corrupted' }))
    .then((result) => process.send!(result));
});

async function decode({ path, format, thumbnail, max_pixels }: PictureTask): Promise<PictureResult> {
  const picture = sharp(path, { failOn: 'error', limitInputPixels: max_pixels });
  const metadata = await picture.metadata();
  if (metadata.format !== format) return { refused: 'corrupted' };
  await picture
    .autoOrient()
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .timeout({ seconds: 20 })
    .toFile(thumbnail);
  return { width: metadata.autoOrient.width, height: metadata.autoOrient.height };
}
