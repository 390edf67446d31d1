/** Checks the accessibility of a page at both widths, and takes pictures of it in both themes if MONEY_SHOTS is set. */
import { findProblems, NARROW, WIDE } from '../accessible/look.ts';
import { expect, type Page } from '../test.ts';

const SHOTS = process.env.MONEY_SHOTS;

export async function lookAt(page: Page, name: string): Promise<void> {
  for (const viewport of [WIDE, NARROW]) {
    await page.setViewportSize(viewport);
    expect(await findProblems(page, `${name}, ${viewport.width} wide`)).toEqual([]);
    for (const colorScheme of SHOTS ? (['light', 'dark'] as const) : []) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: `${SHOTS}/${name}-${viewport.width}-${colorScheme}.png` });
    }
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(WIDE);
}
