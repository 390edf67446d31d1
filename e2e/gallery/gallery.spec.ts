/**
 * Compares the gallery, which shows every pattern in each of its states, with the pictures in docs/images/gallery.
 * After an intended change, `npm run gallery` stores new ones.
 */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import config from '../playwright.config.ts';
import { ROOT } from '../system/parley.ts';
import { expect, type Page, test } from '../test.ts';
import { buildGallery, openGallery } from './built_gallery.ts';
import { findDifference, takePicture } from './pictures.ts';

// Otherwise, the widths of letters depend on the font settings of the machine.
const launchOptions = config.use!.launchOptions!;
const FIXED_FONTS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];
test.use({ launchOptions: { ...launchOptions, args: [...launchOptions.args!, ...FIXED_FONTS] } });

const FOLDER = join(ROOT, 'docs/images/gallery');
const VARIANTS = [
  { theme: 'light', width: 1280 },
  { theme: 'dark', width: 1280 },
  { theme: 'light', width: 390 },
] as const;

let app = '';
test.beforeAll(async () => {
  app = mkdtempSync(join(tmpdir(), 'parley-gallery-'));
  await buildGallery(app);
});
test.afterAll(() => rmSync(app, { recursive: true, force: true }));

const sectionNamed = (title: string): string => `main > section[aria-label="${title}"]`;

/** The pictures of all sections by the names of their files. */
async function takePictures(page: Page): Promise<Map<string, Buffer>> {
  const session = await page.context().newCDPSession(page);
  const pictures = new Map<string, Buffer>();
  for (const section of await page.locator('main > section').all()) {
    const title = (await section.getAttribute('aria-label'))!;
    const name = title
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '_')
      .slice(0, 40);
    pictures.set(`${name}.webp`, await takePicture(page, session, sectionNamed(title)));
  }
  return pictures;
}

async function findDifferences(page: Page, folder: string, pictures: ReadonlyMap<string, Buffer>): Promise<string[]> {
  const stored = existsSync(folder) ? readdirSync(folder) : [];
  const differences = stored.filter((name) => !pictures.has(name)).map((name) => `${name}: no longer in the gallery`);
  for (const [name, picture] of pictures) {
    if (!stored.includes(name)) differences.push(`${name}: not stored`);
    else {
      const difference = await findDifference(page, readFileSync(join(folder, name)), picture);
      if (difference) differences.push(`${name}: ${difference}`);
    }
  }
  return differences;
}

for (const { theme, width } of VARIANTS) {
  const variant = `${theme}-${width}`;
  test(`the gallery looks as in its stored pictures in the ${theme} theme at ${width} pixels`, async ({ page }) => {
    await openGallery(page, app, theme, width);
    const pictures = await takePictures(page);
    const folder = join(FOLDER, variant);
    if (['all', 'changed'].includes(test.info().config.updateSnapshots)) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(folder, { recursive: true });
      for (const [name, picture] of pictures) writeFileSync(join(folder, name), picture);
    }
    expect(pictures.size).toBeGreaterThan(20);
    const differences = await findDifferences(page, folder, pictures);
    for (const difference of differences) {
      const name = difference.split(':')[0]!;
      const picture = pictures.get(name);
      if (picture) await test.info().attach(name, { body: picture, contentType: 'image/webp' });
    }
    expect(differences).toEqual([]);
  });
}

test('the comparison finds a changed color, a missing icon, and a moved part', async ({ page }) => {
  await openGallery(page, app, 'light', 1280);
  const session = await page.context().newCDPSession(page);
  const take = async () => takePicture(page, session, sectionNamed('List'));
  const before = await take();
  const compare = async (css: string): Promise<string | null> => {
    const style = await page.addStyleTag({ content: css });
    const after = await take();
    await style.evaluate((element) => element.parentNode?.removeChild(element));
    return findDifference(page, before, after);
  };
  expect(await compare('/* nothing */')).toBeNull();
  expect(await compare('tbody { color: #5a3ec8 !important }')).toContain('of the area');
  expect(await compare('td svg { visibility: hidden }')).toContain('of the area');
  expect(await compare('td { position: relative; left: 6px }')).toContain('of the area');
  expect(await compare('td { padding-block: 12px !important }')).toContain('height');
});
