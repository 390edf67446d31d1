/** Accessibility: every page in both themes, on wide and narrow screens, with and without data. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProblems, findProblemsAtBothWidths, WIDE } from './accessible/look.ts';
import { EXCLUDED_ROUTES, makeWorld, PLACES, type Place, type World } from './accessible/places.ts';
import { type Api, OPERATOR, OWNER } from './api.ts';
import type { Sandbox } from './sandbox.ts';
import { ROOT } from './system/parley.ts';
import { expect, type Page, test } from './test.ts';

test('the accessibility checks cover every route in the app', () => {
  const folder = join(ROOT, 'web/src');
  const routes = readdirSync(folder)
    .filter((name) => /^routes.*\.tsx$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const declared = [...routes.matchAll(/path: '([^']+)'|inboxRoute\('([^']+)'/g)].map(
    ([, path, inbox]) => path ?? inbox,
  );
  const missing = declared.filter(
    (path) => !EXCLUDED_ROUTES.includes(path!) && !PLACES.some(({ route }) => route === path),
  );
  expect(missing).toEqual([]);
  expect(declared.length).toBeGreaterThan(20);
});

const EARLY = PLACES.filter((place) => place.early);

for (const [group, places] of splitPlaces('the owner', EARLY))
  test(`pages without data are accessible to ${group}`, async ({ openAs }) => {
    test.setTimeout(300_000);
    const findings = await visitInParallel(places, async () => {
      const page = await openAs(OWNER, { viewport: WIDE, reducedMotion: 'reduce' });
      return async (place) => {
        await visit(page, place, place.route);
        return findProblems(page, place.route);
      };
    });
    expect(findings).toEqual([]);
  });

let createdWorld: Promise<World> | null = null;
const getWorld = async (api: (email: string) => Promise<Api>, sandbox: Sandbox): Promise<World> => {
  createdWorld ??= makeWorld(await api(OWNER), await api(OPERATOR), sandbox);
  return createdWorld;
};

/**
 * Each test covers twenty places, so that a retry does not repeat all checks and slow machines stay within the time
 * limit.
 */
const GROUPS = [...Map.groupBy(PLACES, ({ who }) => who)].flatMap(([who, places]) => [
  ...splitPlaces(who ?? 'signed-out visitors', places),
]);

function* splitPlaces(who: string, places: readonly Place[], size = 20): Generator<[string, readonly Place[]]> {
  for (let from = 0; from < places.length; from += size)
    yield [`${who} (from page ${from + 1})`, places.slice(from, from + size)];
}

for (const [group, places] of GROUPS)
  test(`pages are accessible to ${group} on wide and narrow screens in both themes`, async ({
    openAs,
    context,
    api,
    sandbox,
  }) => {
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
        return findProblemsAtBothWidths(page, path);
      };
    });
    expect(findings).toEqual([]);
  });

/** Visits places on two pages in parallel, because checks mostly wait for the renderer. */
async function visitInParallel(
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

test('wizard steps, panels, menus, and the not-found page are accessible', async ({ openAs, api, sandbox }) => {
  test.setTimeout(240_000);
  const { name } = await getWorld(api, sandbox);
  const page = await openAs(OWNER, { viewport: WIDE, reducedMotion: 'reduce' });
  const findings: string[] = [];
  /** Checks only the overlay if one is open, because it covers the page. */
  const checkScreen = async (screen: string, selector?: string) =>
    findings.push(...(await findProblems(page, screen, selector)));

  await open(page, '/sms/create-campaign');
  await page.getByLabel('Name').fill('Checked twice');
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await choose(page, 'Audience', new RegExp(`^${name}`));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {first_name}, it’s {nobody}');
  await checkScreen('wizard: message');
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {first_name}');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Send to/ })).toBeVisible();
  await checkScreen('wizard: review');

  await open(page, '/insights?tab=log');
  await page
    .getByRole('row', { name: /only for checks/ })
    .first()
    .click();
  await expect(page.getByRole('complementary')).toContainText('only for checks');
  await checkScreen('message inspector', '[data-panel]');
  await open(page, '/');
  await page.getByRole('button', { name: /^Balance/ }).click();
  await checkScreen('balance', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /menu for Dana Quill/ }).click();
  await checkScreen('user menu', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await checkScreen('command palette', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('?');
  await checkScreen('keyboard shortcuts', '[role=dialog]');
  await open(page, '/no/such/page');
  await checkScreen('not found');
  expect(findings).toEqual([]);
});

test('the sandbox page is accessible', async ({ page, at }) => {
  test.setTimeout(240_000);
  const findings: string[] = [];
  for (const view of ['phones', 'phones/4917604069014', 'mail', 'authenticator', 'carrier', 'magic']) {
    await page.goto(`${at.sandbox}/#/${view}`);
    await page.reload();
    await expect(page.getByRole('status').first()).toContainText('Live');
    findings.push(...(await findProblemsAtBothWidths(page, `sandbox ${view}`)));
  }
  expect(findings).toEqual([]);
});

const titlePattern = ({ title }: Place) => new RegExp(`^(\\(\\d+\\+?\\) )?${title} · Parley$`);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await waitUntilLoaded(page);
}

/**
 * Navigates as a link in the app does, without reloading the page, so that the app and the checks stay loaded. A
 * changed title shows that the page has loaded. If the page has the title of the current one, it is opened by its URL.
 */
async function visit(page: Page, place: Place, path: string): Promise<void> {
  const title = await page.title();
  if (!title.endsWith(' · Parley') || titlePattern(place).test(title)) return open(page, path);
  await page.evaluate(`history.pushState(null, '', '${path}')`);
  await expect(page).toHaveTitle(titlePattern(place));
  await waitUntilLoaded(page);
}

async function waitUntilLoaded(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true], [role=status][aria-label^=Loading]')).toHaveCount(0);
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}
