/** Opens pages of the app one after another, in parallel, and groups them into tests. */
import { type Api, OPERATOR, OWNER } from '../api.ts';
import type { Sandbox } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';
import { findProblemsAtBothWidths, WAIT_FOR_RENDER, WIDE } from './look.ts';
import { makeWorld, type Place, type World } from './places.ts';

let createdWorld: Promise<World> | null = null;

/** Returns the sample data, which it creates once for each file of tests. */
export async function getWorld(api: (email: string) => Promise<Api>, sandbox: Sandbox): Promise<World> {
  createdWorld ??= makeWorld(await api(OWNER), await api(OPERATOR), sandbox);
  return createdWorld;
}

/** Tests places with data for one kind of visitor, on wide and narrow screens. */
export function testPages(visitor: string, all: readonly Place[]): void {
  for (const [group, places] of splitPlaces(visitor, all))
    test(`pages are accessible to ${group} on wide and narrow screens`, async ({ openAs, context, api, sandbox }) => {
      test.setTimeout(300_000);
      const world = await getWorld(api, sandbox);
      const findings = await visitInParallel(places, async () => {
        const { who } = places[0]!;
        const page = who
          ? await openAs(who, { host: who === OPERATOR ? 'admin' : 'app', viewport: WIDE, reducedMotion: 'reduce' })
          : await context.newPage();
        await page.emulateMedia({ reducedMotion: 'reduce' });
        return async (place) => {
          const path = place.path?.(world) ?? place.route;
          await visit(page, place, path);
          await expect.soft(page, path).toHaveTitle(titlePattern(place));
          return findProblemsAtBothWidths(page, path, all.indexOf(place));
        };
      });
      expect(findings).toEqual([]);
    });
}

/**
 * Each test covers twenty places, so that a retry does not repeat all checks and slow machines stay within the time
 * limit.
 */
export function* splitPlaces(who: string, places: readonly Place[], size = 20): Generator<[string, readonly Place[]]> {
  for (let from = 0; from < places.length; from += size)
    yield [`${who} (from page ${from + 1})`, places.slice(from, from + size)];
}

/** Visits places on two pages in parallel, because checks mostly wait for the renderer. */
export async function visitInParallel(
  places: readonly Place[],
  openLane: () => Promise<(place: Place) => Promise<string[]>>,
): Promise<string[]> {
  const remaining = [...places];
  const findings: string[] = [];
  const run = async () => {
    const visit = await openLane();
    for (let place = remaining.shift(); place; place = remaining.shift()) findings.push(...(await visit(place)));
  };
  await Promise.all([run(), run()]);
  return findings;
}

const titlePattern = ({ title }: Place) => new RegExp(`^(\\(\\d+\\+?\\) )?${title} · Parley$`);

export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitUntilLoaded(page);
}

/**
 * Navigates as a link in the app does, without reloading the page, so that the app and the checks stay loaded. A
 * changed title shows that the page has loaded. If the page has the title of the current one, it is opened by its URL.
 */
export async function visit(page: Page, place: Place, path: string): Promise<void> {
  const title = await page.title();
  if (!title.endsWith(' · Parley') || titlePattern(place).test(title)) return open(page, path);
  await page.evaluate(`history.pushState(null, '', '${path}')`);
  await expect(page).toHaveTitle(titlePattern(place));
  await waitUntilLoaded(page);
}

/**
 * Opens a page without reloading the app, after closing everything that is open on the current page. Elements that
 * Escape does not close, and those of the whole app, close when the page is reloaded.
 */
export async function openAfresh(page: Page, path: string): Promise<void> {
  const overlays = page.locator('[role=dialog], [role=menu], [role=listbox]').filter({ visible: true });
  if ((await overlays.count()) > 0) await page.keyboard.press('Escape');
  await page.evaluate(`history.pushState(null, '', '/no/such/page')`);
  await expect(page).toHaveTitle(ELSEWHERE);
  await page.evaluate(WAIT_FOR_RENDER);
  if ((await overlays.count()) > 0) return open(page, path);
  await page.evaluate(`history.pushState(null, '', '${path}')`);
  await expect(page).not.toHaveTitle(ELSEWHERE);
  await waitUntilLoaded(page);
}

const ELSEWHERE = /Page not found · Parley$/;

async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true], [role=status][aria-label^=Loading]')).toHaveCount(0);
}
