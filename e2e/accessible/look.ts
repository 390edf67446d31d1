/** Checks a page for WCAG violations and horizontal overflow in the light and dark themes. */
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '../test.ts';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** Rules that depend on colors. When the same page is checked in the second theme, no other rules are needed. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block'];
export const WIDE = { width: 1280, height: 800 };
export const NARROW = { width: 390, height: 844 };

type Theme = 'light' | 'dark';

/** Returns the problems on the current screen in both themes. */
export async function findProblems(page: Page, screen: string, selector?: string): Promise<string[]> {
  return [...(await checkThemes(page, screen, ['light', 'dark'], selector)), ...(await checkWidth(page, screen))];
}

/** `npm run soak` checks every combination of width and theme. */
const isSoak = process.env.SOAK === '1';

/**
 * Returns the problems on the current screen in one theme: light for even turns, and dark for odd ones. For screens
 * that share their parts, such as pages without data.
 */
export async function findProblemsInTurn(page: Page, screen: string, turn: number): Promise<string[]> {
  if (isSoak) return findProblems(page, screen);
  const findings = await checkThemes(page, screen, [turn % 2 === 0 ? 'light' : 'dark']);
  return [...findings, ...(await checkWidth(page, screen))];
}

/**
 * Returns the problems on the current screen in a wide viewport with the light theme and in a narrow one with the dark
 * theme. With a turn, violations are checked in the wide viewport for even turns and in the narrow one for odd turns.
 * Restores the wide viewport.
 */
export async function findProblemsAtBothWidths(page: Page, screen: string, turn?: number): Promise<string[]> {
  const isChecked = (parity: number) => isSoak || turn === undefined || turn % 2 === parity;
  const findings: string[] = [];
  await page.setViewportSize(WIDE);
  if (isChecked(0))
    findings.push(...(await checkThemes(page, `${screen} wide`, isSoak ? ['light', 'dark'] : ['light'])));
  findings.push(...(await checkWidth(page, `${screen} wide`)));
  await page.setViewportSize(NARROW);
  // Components whose layout depends on the width update within a frame or two.
  await page.evaluate(WAIT_FOR_RENDER);
  if (isChecked(1))
    findings.push(...(await checkThemes(page, `${screen} narrow`, isSoak ? ['dark', 'light'] : ['dark'])));
  findings.push(...(await checkWidth(page, `${screen} narrow`)));
  await page.setViewportSize(WIDE);
  return findings;
}

/** Waits until no transition runs for two frames. */
export const WAIT_FOR_RENDER = `(async () => {
  for (let still = 0, frame = 0; still < 2 && frame < 120; frame++) {
    await new Promise(requestAnimationFrame);
    still = document.getAnimations().some((one) => one instanceof CSSTransition) ? 0 : still + 1;
  }
})()`;

async function checkWidth(page: Page, screen: string): Promise<string[]> {
  const overflow = await page.evaluate<number>(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  );
  return overflow > 0 ? [`${screen}: ${overflow} px too wide`] : [];
}

async function checkThemes(page: Page, screen: string, [first, second]: [Theme, Theme?], selector?: string) {
  await setTheme(page, first);
  const findings = await check(page, `${screen}, ${first}`, TAGS, selector);
  if (!second) return findings;
  await setTheme(page, second);
  return [...findings, ...(await check(page, `${screen}, ${second}`, COLOR_RULES, selector))];
}

async function setTheme(page: Page, colorScheme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  // The app switches themes asynchronously, and a mix of both would cause false findings.
  const activeTheme = () =>
    page.evaluate(`document.documentElement.getAttribute('data-mantine-color-scheme') ?? '${colorScheme}'`);
  await expect.poll(activeTheme, { intervals: [20, 50, 100] }).toBe(colorScheme);
  await page.evaluate(WAIT_FOR_RENDER);
}

async function check(page: Page, screen: string, rules: string[], selector?: string): Promise<string[]> {
  // axe is loaded once per page load.
  const isLoaded = await page.evaluate<boolean>(`typeof window.axe?.run === 'function'`);
  const axe = new AxeBuilder({ page, ...(isLoaded ? { axeSource: 'undefined' } : {}) });
  const { violations } = await (selector ? axe.include(selector) : axe)
    .options({ runOnly: rules, resultTypes: ['violations'] })
    // Without frames, axe needs no extra page to merge its results.
    .setLegacyMode(true)
    .analyze();
  // A dialog covers parts of the page, which cannot be used until it closes.
  const covered = violations.some(({ id }) => id === 'target-size') ? await listCovered(page) : new Set();
  return violations.flatMap(({ id, nodes }) =>
    nodes
      .filter(({ target }) => id !== 'target-size' || !covered.has(target.join(' ')))
      // A tooltip belongs to its control, but is at the end of the page, outside of the landmarks.
      .filter(({ html }) => id !== 'region' || !html.includes('role="tooltip"'))
      .map(
        ({ target, failureSummary }) =>
          `${screen}: ${id} at ${target.join(' ')}: ${failureSummary?.split('\n')[1]?.trim()}`,
      ),
  );
}

/** The selectors by ID of the elements outside of an open dialog. */
const listCovered = async (page: Page): Promise<ReadonlySet<string>> =>
  new Set(
    await page.evaluate<string[]>(`(() => {
      const dialog = document.querySelector('[aria-modal=true]');
      if (!dialog) return [];
      return [...document.querySelectorAll('[id]')].filter((one) => !dialog.contains(one)).map(({ id }) => '#' + id);
    })()`),
  );
