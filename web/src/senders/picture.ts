/** Measures and resizes pictures in the browser. */
import type { Dimensions } from '@parley/contract/media/rules.ts';

/** Null if the file is not a readable picture. */
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

/** The size and position of a picture that is scaled to fit and centered. */
export function centerWithin({ width, height }: Dimensions, into: Dimensions): Dimensions & { x: number; y: number } {
  const scale = Math.min(into.width / width, into.height / height);
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  return { width: wide, height: high, x: Math.round((into.width - wide) / 2), y: Math.round((into.height - high) / 2) };
}

/** Scales a picture to fit and centers it on a transparent background. */
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
  if (!blob) throw new Error('The image could not be resized.');
  return new File([blob], name, { type: 'image/png' });
}
