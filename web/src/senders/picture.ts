/** Pictures in the browser: how large one is, and one fitted into a size, whole and in the middle of a clear ground. */
import type { Dimensions } from '@parley/contract/media/rules.ts';

/** Null: it cannot be read as a picture. */
export async function measurePicture(file: Blob): Promise<Dimensions | null> {
  try {
    const bitmap = await createImageBitmap(file);
    const { width, height } = bitmap;
    bitmap.close();
    return { width, height };
  } catch {
    return null;
  }
}

/** Where a picture of this size lies in the other one. */
export function centerWithin({ width, height }: Dimensions, into: Dimensions): Dimensions & { x: number; y: number } {
  const scale = Math.min(into.width / width, into.height / height);
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  return { width: wide, height: high, x: Math.round((into.width - wide) / 2), y: Math.round((into.height - high) / 2) };
}

export async function fitPicture(source: Blob, into: Dimensions, name: string): Promise<File> {
  const bitmap = await createImageBitmap(source);
  const canvas = document.createElement('canvas');
  canvas.width = into.width;
  canvas.height = into.height;
  const context = canvas.getContext('2d')!;
  context.imageSmoothingQuality = 'high';
  const { x, y, width, height } = centerWithin(bitmap, into);
  context.drawImage(bitmap, x, y, width, height);
  bitmap.close();
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!blob) throw new Error('the picture could not be drawn');
  return new File([blob], name, { type: 'image/png' });
}
