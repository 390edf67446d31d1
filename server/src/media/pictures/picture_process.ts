/** The process in which one picture is decoded (see picture.ts). */
import sharp from 'sharp';
import type { PictureAnswer, PictureTask } from './picture.ts';

const THUMBNAIL = 320;

sharp.cache(false);
sharp.concurrency(1);
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
process.on('message', (task: PictureTask) => {
  void decode(task)
    .catch((error: Error): PictureAnswer => ({ refused: /pixel limit/i.test(error.message) ? 'points' : 'corrupted' }))
    .then((answer) => process.send!(answer));
});

async function decode({ path, format, thumbnail, max_points }: PictureTask): Promise<PictureAnswer> {
  const picture = sharp(path, { failOn: 'error', limitInputPixels: max_points });
  const found = await picture.metadata();
  if (found.format !== format) return { refused: 'corrupted' };
  await picture
    .autoOrient()
    .resize(THUMBNAIL, THUMBNAIL, { fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 78 })
    .timeout({ seconds: 20 })
    .toFile(thumbnail);
  return { width: found.autoOrient.width, height: found.autoOrient.height };
}
