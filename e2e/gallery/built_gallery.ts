/** Builds the web app with the gallery page and serves it to a browser page from the disk, without a server. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { ROOT } from '../system/parley.ts';

const ORIGIN = 'http://gallery.localhost';
/** Higher than every section, so that each is visible as a whole after scrolling to it. */
const HEIGHT = 3_600;

export const buildGallery = (folder: string): Promise<unknown> =>
  build({
    configFile: join(ROOT, 'web/vite.config.ts'),
    mode: 'gallery',
    logLevel: 'error',
    build: { outDir: folder },
  });

export async function openGallery(page: Page, folder: string, theme: 'light' | 'dark', width: number): Promise<void> {
  await page.route(`${ORIGIN}/**`, (route) => {
    const { pathname } = new URL(route.request().url());
    const file = join(folder, pathname);
    return route.fulfill({ path: pathname !== '/' && existsSync(file) ? file : join(folder, 'index.html') });
  });
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await page.goto(`${ORIGIN}/gallery`);
  // The whole app is read from the disk, which a busy machine delays.
  await page.getByRole('heading', { level: 1, name: 'Gallery' }).waitFor({ timeout: 60_000 });
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(`document.fonts.status === 'loaded'`);
}
