/**
 * Draws the contact sheets in docs/images/review: every page at 1280 and 390 pixels in the light and the dark theme, on
 * the data of the accessibility checks. Run it with `npm run pictures`.
 */
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { CHROMIUM } from '../../test_chromium.ts';
import { makeWorld, PLACES, type Place, type World } from '../accessible/places.ts';
import { OPERATOR, OWNER, signedIn } from '../api.ts';
import { sandboxAt } from '../sandbox.ts';
import { ROOT, startParley } from '../system/parley.ts';
import type { Addresses } from '../test.ts';

const FOLDER = join(ROOT, 'docs/images/review');
const MAX_BYTES = 3 * 1024 * 1024;
/** The pages on one sheet. */
const ROWS = 12;
/** The scale of the pictures on a sheet. */
const SCALE = 0.36;
const QUALITY = 55;
const SIZES = [
  { width: 1280, height: 800 },
  { width: 390, height: 844 },
];
const THEMES = ['light', 'dark'] as const;

const GROUPS: Readonly<Record<string, Place['who']>> = { public: null, app: OWNER, operators: OPERATOR };

interface Row {
  title: string;
  path: string;
  /** The data URLs of the pictures, one for each size and theme. */
  pictures: { url: string; width: number; height: number }[];
}

async function main(): Promise<void> {
  const running = process.env.PARLEY_E2E;
  const parley = running ? null : await startParley(join(ROOT, 'e2e/test-results/pictures.log'));
  const at: Addresses = parley ?? JSON.parse(running!);
  const browser = await chromium.launch(CHROMIUM);
  try {
    const world = await makeWorld(await signedIn(at, OWNER), await signedIn(at, OPERATOR), sandboxAt(at.sandbox));
    rmSync(FOLDER, { recursive: true, force: true });
    mkdirSync(FOLDER, { recursive: true });
    for (const [name, who] of Object.entries(GROUPS)) {
      const rows = await visit(browser, at, world, who);
      for (let from = 0; from < rows.length; from += ROWS)
        await drawSheet(browser, `${name}-${from / ROWS + 1}`, rows.slice(from, from + ROWS));
    }
  } finally {
    await browser.close();
    await parley?.stop();
  }
  const bytes = readdirSync(FOLDER).reduce((sum, file) => sum + statSync(join(FOLDER, file)).size, 0);
  console.log(`${readdirSync(FOLDER).length} sheets in ${FOLDER}, ${Math.round(bytes / 1024)} KiB`);
  if (bytes > MAX_BYTES) throw new Error('The sheets are larger than 3 MiB');
}

async function visit(browser: Browser, at: Addresses, world: World, who: Place['who']): Promise<Row[]> {
  const base = who === OPERATOR ? at.admin : at.app;
  const context = await openContext(browser, at, base, who);
  const page = await context.newPage();
  const rows: Row[] = [];
  for (const place of PLACES.filter((one) => one.who === who)) {
    const path = place.path?.(world) ?? place.route;
    await page.goto(path);
    const pictures = [];
    for (const size of SIZES)
      for (const colorScheme of THEMES) {
        await page.setViewportSize(size);
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        await settle(page);
        const picture = await page.screenshot({ type: 'jpeg', quality: 90, animations: 'disabled', caret: 'hide' });
        pictures.push({ url: `data:image/jpeg;base64,${picture.toString('base64')}`, ...size });
      }
    rows.push({ title: place.title, path: place.route, pictures });
  }
  await context.close();
  return rows;
}

async function openContext(browser: Browser, at: Addresses, base: string, who: Place['who']): Promise<BrowserContext> {
  const token = who && (await signedIn(at, who)).token;
  const localStorage = token ? [{ name: 'parley.token', value: token }] : [];
  return browser.newContext({
    baseURL: base,
    locale: 'en-GB',
    storageState: { cookies: [], origins: [{ origin: base, localStorage }] },
  });
}

/** Waits until the data, the fonts, and the layout are ready. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  // The content security policy forbids `page.waitForFunction`.
  const isLoading = `document.querySelector('[aria-busy=true], [role=status][aria-label^=Loading]') !== null
    || document.fonts.status !== 'loaded'`;
  for (let tries = 0; tries < 300 && (await page.evaluate(isLoading)); tries++) await page.waitForTimeout(100);
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
}

async function drawSheet(browser: Browser, name: string, rows: readonly Row[]): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1260, height: 800 } });
  const picture = ({ url, width, height }: Row['pictures'][number]) =>
    `<img src="${url}" width="${width * SCALE}" height="${height * SCALE}">`;
  await page.setContent(`<body style="margin: 12px; background: #77736b; font: 13px sans-serif; color: #fff">
    ${rows
      .map(
        ({
          title,
          path,
          pictures,
        }) => `<h2 style="margin: 12px 0 6px; font-size: 14px">${title} <code>${path}</code></h2>
          <div style="display: flex; align-items: start; gap: 10px">${pictures.map(picture).join('')}</div>`,
      )
      .join('')}</body>`);
  await page.waitForFunction('[...document.images].every((image) => image.complete)');
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width: 1260, height });
  // Only the browser's own protocol writes WebP.
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY });
  writeFileSync(join(FOLDER, `${name}.webp`), Buffer.from(data, 'base64'));
  await page.close();
}

await main();
