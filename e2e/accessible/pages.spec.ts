/** Accessibility of the owner's pages with data, the wizard's steps, and the sandbox. */
import { OWNER } from '../api.ts';
import { expect, type Page, test } from '../test.ts';
import { findProblems, findProblemsAtBothWidths, WIDE } from './look.ts';
import { PLACES } from './places.ts';
import { getWorld, open, testPages } from './visits.ts';

testPages(
  OWNER,
  PLACES.filter(({ who }) => who === OWNER),
);

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

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}
