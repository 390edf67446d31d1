/** A page looked at for everybody: too wide, or against the rules of WCAG, in light and in dark. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '../test.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
/** All that colours alone can break: the second look at the same page needs no other rule. */
const COLOURS = ['color-contrast', 'link-in-text-block'];
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

type Scheme = 'light' | 'dark';

/** What is wrong with what is on the screen, in both colour schemes. */
export async function look(page: Page, what: string, inside?: string): Promise<string[]> {
  return [...(await examine(page, what, ['light', 'dark'], inside)), ...(await tooWide(page, what))];
}

/** The same wide and narrow, in place. The page is left wide. */
export async function lookWideAndNarrow(page: Page, what: string): Promise<string[]> {
  await page.setViewportSize(WIDE);
  const findings = await look(page, `${what} wide`);
  await page.setViewportSize(NARROW);
  // What is drawn by width, and not only laid out by it, follows in a frame or two.
  await page.evaluate(DRAWN);
  // It is dark already.
  findings.push(...(await examine(page, `${what} narrow`, ['dark', 'light'])));
  findings.push(...(await tooWide(page, `${what} narrow`)));
  await page.setViewportSize(WIDE);
  return findings;
}

/** Nothing moves any more, for two frames in a row. */
const DRAWN = `(async () => {
  for (let still = 0, frame = 0; still < 2 && frame < 120; frame++) {
    await new Promise(requestAnimationFrame);
    still = document.getAnimations().some((one) => one instanceof CSSTransition) ? 0 : still + 1;
  }
})()`;

async function tooWide(page: Page, what: string): Promise<string[]> {
  const over = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return over > 0 ? [`${what}: ${over} px too wide`] : [];
}

async function examine(page: Page, what: string, [first, second]: [Scheme, Scheme], inside?: string) {
  await show(page, first);
  const findings = await check(page, `${what}, ${first}`, TAGS, inside);
  await show(page, second);
  return [...findings, ...(await check(page, `${what}, ${second}`, COLOURS, inside))];
}

async function show(page: Page, colorScheme: Scheme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The app follows in a moment of its own; half of one look and half of the other would be no finding.
  const shown = () =>
    page.evaluate(`document.documentElement.getAttribute('data-mantine-color-scheme') ?? '${colorScheme}'`);
  await expect.poll(shown, { intervals: [20, 50, 100] }).toBe(colorScheme);
  await page.evaluate(DRAWN);
}

async function check(page: Page, what: string, rules: string[], inside?: string): Promise<string[]> {
  // Loading it once is enough for as long as the page stays.
  const there = await page.evaluate<boolean>(`typeof window.axe?.run === 'function'`);
  const axe = new AxeBuilder({ page, ...(there ? { axeSource: 'undefined' } : {}) });
  const { violations } = await (inside ? axe.include(inside) : axe)
    .options({ runOnly: rules, resultTypes: ['violations'] })
    // There are no frames, and without them no page of its own is needed to add up what was found.
    .setLegacyMode(true)
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ target, failureSummary }) =>
        `${what}: ${id} at ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
    ),
  );
}
