/**
 * Takes pictures of parts of a page and compares them with stored ones. Two pictures are compared by the average colors
 * of small blocks: these change with layout, color, and content, but hardly with the way a browser draws the edges of
 * letters.
 */
import type { CDPSession, Page } from '@playwright/test';

/** The width and height of a block in pixels. */
const BLOCK = 8;
/** How much a channel of a block's average color, 0 to 255, may differ. */
const MAX_DIFFERENCE = 24;
/** The share of blocks that may differ more than that. */
const MAX_SHARE = 0.003;
/** How many pixels the height may differ. */
const MAX_HEIGHT = 2;
const QUALITY = 70;

/** Scrolls to a part that fits into the window, and takes its picture. */
export async function takePicture(page: Page, session: CDPSession, selector: string): Promise<Buffer> {
  const clip = await page.evaluate<Clip>(`(${MEASURE})(document.querySelector(${JSON.stringify(selector)}))`);
  const options = { format: 'webp', quality: QUALITY, clip: { ...clip, scale: 1 } } as const;
  return Buffer.from((await session.send('Page.captureScreenshot', options)).data, 'base64');
}

interface Clip {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Runs in the page. */
const MEASURE = `(part) => {
  part.scrollIntoView({ block: 'start', behavior: 'instant' });
  const { x, y, width, height } = part.getBoundingClientRect();
  if (height > window.innerHeight) throw new Error('The part is ' + height + ' pixels high');
  return new Promise((done) => requestAnimationFrame(() =>
    requestAnimationFrame(() => done({ x, y: y + window.scrollY, width, height }))));
}`;

interface Comparison {
  heights: [number, number];
  /** The share of the blocks that differ. */
  share: number;
  /** The largest difference, and where it is. */
  most: { difference: number; x: number; y: number };
}

/** Returns the difference, or null if the pictures look the same. */
export async function findDifference(page: Page, stored: Buffer, current: Buffer): Promise<string | null> {
  const urls = [stored, current].map((picture) => `data:image/webp;base64,${picture.toString('base64')}`);
  const result = await page.evaluate<Comparison>(
    `(${COMPARE})(${JSON.stringify(urls)}, ${BLOCK}, ${MAX_DIFFERENCE}, ${MAX_HEIGHT})`,
  );
  const { heights, share, most } = result;
  if (Math.abs(heights[0] - heights[1]) > MAX_HEIGHT) return `height ${heights[1]} instead of ${heights[0]} pixels`;
  if (share <= MAX_SHARE) return null;
  return `${(share * 100).toFixed(2)} % of the area differ, most at ${most.x}, ${most.y} (by ${most.difference})`;
}

/** Runs in the page. */
const COMPARE = `async (urls, size, limit) => {
  const [stored, current] = await Promise.all(urls.map(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext('2d', { willReadFrequently: true });
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, image.width, image.height);
  }));
  const average = ({ data, width }, left, top) => {
    const sums = [0, 0, 0];
    for (let y = top; y < top + size; y++)
      for (let x = left; x < left + size; x++)
        for (let channel = 0; channel < 3; channel++) sums[channel] += data[(y * width + x) * 4 + channel];
    return sums.map((sum) => sum / size ** 2);
  };
  const width = Math.min(stored.width, current.width);
  const height = Math.min(stored.height, current.height);
  let blocks = 0, different = 0, most = { difference: 0, x: 0, y: 0 };
  for (let y = 0; y + size <= height; y += size)
    for (let x = 0; x + size <= width; x += size) {
      const [a, b] = [average(stored, x, y), average(current, x, y)];
      const difference = Math.round(Math.max(...a.map((value, channel) => Math.abs(value - b[channel]))));
      blocks++;
      if (difference > limit) different++;
      if (difference > most.difference) most = { difference, x, y };
    }
  return { heights: [stored.height, current.height], share: blocks ? different / blocks : 1, most };
}`;
