/** An automation: created in the wizard, started by a person who joins, paused, and ended. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const SMALL = { width: 390, height: 800 };
const WIDE = { width: 1280, height: 800 };

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

/** Looks at the page on a phone: nothing is wider than the screen. */
async function expectNarrow(page: Page): Promise<void> {
  await page.setViewportSize(SMALL);
  await expect
    .poll(() => page.evaluate<number>('document.documentElement.scrollWidth - document.documentElement.clientWidth'))
    .toBe(0);
  await page.setViewportSize(WIDE);
}

test('a person who joins gets the message of a welcome automation once', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `Welcome ${Date.now().toString(36).slice(-6)}`;
  const phone = `49152${freshDigits(7).padStart(8, '3')}`;
  const late = `49152${freshDigits(7).padStart(8, '4')}`;
  const { id: audience } = await owner.post<{ id: string }>('audiences', { name, channel: 'SMS' });
  const texts = async (number: string) => (await sandbox.messages(number)).map(({ text }) => text);
  const join = (number: string) => owner.post(`audiences/${audience}/contacts`, { number: `+${number}` });

  const page = await openAs(OWNER, { path: '/sms/my-campaigns?automations=true' });
  await page.setViewportSize(WIDE);
  await expectNarrow(page);
  await page.getByRole('link', { name: 'Create campaign' }).first().click();
  await page.getByLabel('Name').fill(name);
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await choose(page, 'Audience', new RegExp(`^${name}`));
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill(`Hello from ${name}`);
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByText('Automatically', { exact: true }).click();
  await expect(page.getByText('People already in the audience do not get the message.')).toBeVisible();
  await expectNarrow(page);
  await page.getByRole('button', { name: 'Activate automation' }).click();

  const main = page.getByRole('main');
  await expect(main.getByText('Active', { exact: true })).toBeVisible();
  await expect(main.getByText('No run has started yet.')).toBeVisible();
  await join(phone);
  await expect.poll(() => texts(phone)).toEqual([`Hello from ${name}`]);
  const runs = page.getByRole('region', { name: 'Runs' }).getByRole('row');
  await expect(runs).toHaveCount(2);
  await expect(runs.nth(1)).toContainText('In progress');
  await expectNarrow(page);

  await page.getByRole('button', { name: 'Pause', exact: true }).click();
  await expect(main.getByText('Paused', { exact: true }).first()).toBeVisible();
  await join(late);
  await page.getByRole('button', { name: 'End automation' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End automation' }).click();
  await expect(main.getByText('Canceled', { exact: true }).first()).toBeVisible();
  expect([await texts(phone), await texts(late)]).toEqual([[`Hello from ${name}`], []]);
  // Other files need a company without a running campaign.
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const created = await owner.get<{ id: string; name: string; series_id: string | null }[]>('campaigns');
  for (const run of created.filter(({ series_id }) => series_id === id))
    await owner.put(`campaigns/${run.id}`, { status: 'canceled' });
  await page.goto('/sms/my-campaigns?automations=true');
  await expect(page.getByRole('row').filter({ hasText: name })).toHaveCount(1);
});
