/** Usable by everybody: every address in light and dark, wide and narrow, empty and full, and all of it by keyboard. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { look, lookWideAndNarrow, WIDE } from './accessible/look.ts';
import { makeWorld, PASSAGES, PLACES, type Place, type World } from './accessible/places.ts';
import { type Api, OPERATOR, OWNER, PASSWORD } from './api.ts';
import type { Sandbox } from './sandbox.ts';
import { ROOT } from './system/parley.ts';
import { expect, type Page, test } from './test.ts';

test('no address of the app is forgotten here', () => {
  const folder = join(ROOT, 'web/src');
  const routes = readdirSync(folder)
    .filter((name) => /^routes.*\.tsx$/.test(name))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const written = [...routes.matchAll(/path: '([^']+)'|inboxRoute\('([^']+)'/g)].map(
    ([, path, inbox]) => path ?? inbox,
  );
  const missing = written.filter((path) => !PASSAGES.includes(path!) && !PLACES.some(({ route }) => route === path));
  expect(missing).toEqual([]);
  expect(written.length).toBeGreaterThan(20);
});

const EARLY = PLACES.filter((place) => place.early);

for (const [which, places] of partsOf('on day one', EARLY))
  test(`${which}, when there is nothing yet`, async ({ openAs }) => {
    test.setTimeout(300_000);
    const findings = await inLanes(places, async () => {
      const page = await openAs(OWNER, { viewport: WIDE, reducedMotion: 'reduce' });
      return async ({ route }) => {
        await open(page, route);
        return look(page, route);
      };
    });
    expect(findings).toEqual([]);
  });

let made: Promise<World> | null = null;
const worldOf = async (api: (email: string) => Promise<Api>, sandbox: Sandbox): Promise<World> => {
  made ??= makeWorld(await api(OWNER), await api(OPERATOR), sandbox);
  return made;
};

/** Parts of twenty, so that what is wrong with one page does not make all be looked at again, and a slow machine comes to the end of each. */
const PARTS = [...Map.groupBy(PLACES, ({ who }) => who)].flatMap(([who, places]) => [
  ...partsOf(who ?? 'signed out', places),
]);

function* partsOf(who: string, places: readonly Place[], size = 20): Generator<[string, readonly Place[]]> {
  for (let from = 0; from < places.length; from += size)
    yield [`${who}, from number ${from + 1}`, places.slice(from, from + size)];
}

for (const [whose, places] of PARTS)
  test(`every page, ${whose}: wide and narrow, light and dark`, async ({ openAs, context, api, sandbox }) => {
    test.setTimeout(300_000);
    const world = await worldOf(api, sandbox);
    const findings = await inLanes(places, async () => {
      const { who } = places[0]!;
      const page = who
        ? await openAs(who, { host: who === OPERATOR ? 'admin' : 'app', viewport: WIDE, reducedMotion: 'reduce' })
        : await context.newPage();
      await page.emulateMedia({ reducedMotion: 'reduce' });
      return async (place) => {
        const path = place.path?.(world) ?? place.route;
        const here = await page.title();
        // Loaded by its address on day one already, so it is gone to within the app; its title tells that it has come, and has to be another for that.
        if (place.early && here.endsWith(' · Parley') && !titleOf(place).test(here)) await goTo(page, place);
        else await open(page, path);
        await expect.soft(page, path).toHaveTitle(titleOf(place));
        return lookWideAndNarrow(page, path);
      };
    });
    expect(findings).toEqual([]);
  });

/** Two browsers of their own side by side, since most of looking is waiting for one renderer; each takes the next place as soon as it is free. */
async function inLanes(
  places: readonly Place[],
  lane: () => Promise<(place: Place) => Promise<string[]>>,
): Promise<string[]> {
  const left = [...places];
  const findings: string[] = [];
  const run = async () => {
    const visit = await lane();
    for (let place = left.shift(); place; place = left.shift()) findings.push(...(await visit(place)));
  };
  await Promise.all([run(), run()]);
  return findings;
}

test('the pages between: wizard steps, panels, menus, what is not there', async ({ openAs, api, sandbox }) => {
  test.setTimeout(240_000);
  const { name } = await worldOf(api, sandbox);
  const page = await openAs(OWNER, { viewport: WIDE, reducedMotion: 'reduce' });
  const findings: string[] = [];
  /** What lies over the page is looked at alone: the page below it is covered. */
  const seen = async (what: string, inside?: string) => findings.push(...(await look(page, what, inside)));

  await open(page, '/sms/create-campaign');
  await page.getByLabel('Name').fill('Looked at twice');
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await choose(page, 'Audience', new RegExp(`^${name}`));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {first_name}, it’s {nobody}');
  await seen('wizard: message');
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {first_name}');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Send to/ })).toBeVisible();
  await seen('wizard: review');

  await open(page, '/insights');
  await page
    .getByRole('row', { name: /only looked at/ })
    .first()
    .click();
  await expect(page.getByRole('dialog')).toContainText('only looked at');
  await seen('message inspector', '[role=dialog]');
  await open(page, '/');
  await page.getByRole('button', { name: /^Balance/ }).click();
  await seen('balance', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /menu of Dana Quill/ }).click();
  await seen('user menu', '[role=dialog]');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('option').first()).toBeVisible();
  await seen('command palette', '[role=dialog]');
  await open(page, '/no/such/page');
  await seen('not found');
  expect(findings).toEqual([]);
});

test('the sandbox’s own page', async ({ page, at }) => {
  test.setTimeout(240_000);
  const findings: string[] = [];
  for (const view of ['phones', 'phones/4917604069014', 'mail', 'authenticator', 'carrier', 'magic']) {
    await page.goto(`${at.sandbox}/#/${view}`);
    await page.reload();
    await expect(page.getByRole('status').first()).toContainText('Live');
    findings.push(...(await lookWideAndNarrow(page, `sandbox ${view}`)));
  }
  expect(findings).toEqual([]);
});

test('by keyboard alone: sign in, find, begin a campaign, leave it as a draft', async ({ page }) => {
  await page.goto('/');
  await tabTo(page, 'Email');
  await page.keyboard.type(OWNER);
  await tabTo(page, 'Password');
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Hello, Dana' })).toBeVisible();

  await page.keyboard.press('Control+k');
  await expect(page.getByRole('combobox', { name: 'Search pages and actions' })).toBeFocused();
  await page.keyboard.type('create sms');
  await expect(page.getByRole('option', { name: /Create SMS campaign/ })).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'New SMS campaign' })).toBeVisible();

  await tabTo(page, 'Name');
  await page.keyboard.type('By keyboard');
  await tabTo(page, 'Sender');
  await page.keyboard.type('Hamburg');
  await expect(page.getByRole('option', { name: /^Harbour Hamburg/ })).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('combobox', { name: 'Sender' })).toHaveValue(/^Harbour Hamburg/);
  await tabTo(page, 'Save as draft');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL('/sms/my-campaigns');
  await expect(page.getByRole('row', { name: /By keyboard/ })).toContainText('Incomplete');
});

const titleOf = ({ title }: Place) => new RegExp(`^(\\(\\d+\\+?\\) )?${title} · Parley$`);

async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await settled(page);
}

/** As a link of the app leads there: what is loaded already stays. */
async function goTo(page: Page, place: Place): Promise<void> {
  await page.evaluate(`history.pushState(null, '', '${place.route}')`);
  await expect(page).toHaveTitle(titleOf(place));
  await settled(page);
}

async function settled(page: Page): Promise<void> {
  await expect(page.locator('h1').first()).toBeAttached();
  await expect(page.locator('[aria-busy=true], [role=status][aria-label^=Loading]')).toHaveCount(0);
}

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

/** Presses Tab until the control of this name has the focus; wherever it stops on the way, one must be able to see it. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let press = 0; press < 40; press++) {
    await page.keyboard.press('Tab');
    const { label, visible } = await page.evaluate<{ label: string; visible: boolean }>(FOCUS);
    expect(visible, `the focus can be seen on ${label}`).toBe(true);
    if (label === name) return;
  }
  throw new Error(`Tab never came to ${name}`);
}

const FOCUS = `(() => {
  const element = document.activeElement;
  const style = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  // Text fields show it by their border, or by the outline of the box around them.
  const around = [element, element.parentElement].map((one) => getComputedStyle(one));
  const drawn = around.some((one) => (one.outlineStyle !== 'none' && parseFloat(one.outlineWidth) > 0) || one.boxShadow !== 'none')
    || (element.matches('input, textarea') && style.borderColor !== getComputedStyle(document.body).borderColor);
  const inView = box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth;
  const label = element.getAttribute('aria-label') ?? element.labels?.[0]?.textContent ?? element.textContent ?? '';
  return { label: label.trim(), visible: element === document.body || (drawn && inView && element.matches(':focus-visible')) };
})()`;
