/**
 * Before and after a campaign: a test message to the team, a rehearsal that starts the campaign and agrees with its
 * cost, and results that become an audience.
 */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();

async function choose(page: Page, label: string, option: RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label, exact: true }).click();
  await page.getByRole('option', { name: option }).click();
}

for (const width of [1280, 390])
  test(`a campaign is tested, rehearsed, sent, and turned into an audience at ${width} px`, async ({
    openAs,
    api,
    sandbox,
  }) => {
    const owner = await api(OWNER);
    const name = `Menu ${width} ${Date.now().toString(36).slice(-6)}`;
    const first = Number(freshDigits(7));
    const contacts = ['Amelia', 'Noah', 'Isla'].map((first_name, n) => ({
      ...{ first_name, number: `49152${String((first + n) % 10_000_000).padStart(8, '0')}` },
    }));
    await owner.post('audiences', { name, channel: 'SMS', contacts });
    const { phone_number } = await owner.get<{ phone_number: string }>('users/self');
    const page = await openAs(OWNER, { path: '/sms/create-campaign', viewport: { width, height: 800 } });
    await page.getByLabel('Name').fill(name);
    await choose(page, 'Sender', /^Harbour Hamburg/);
    await choose(page, 'Audience', new RegExp(`^${name}`));
    await next(page);
    await page.getByRole('textbox', { name: 'Text' }).fill(`Hello {first_name:there}, ${name} is here.`);
    await page.getByRole('button', { name: 'Next recipient' }).click();
    await page.getByRole('button', { name: 'Send a test message' }).click();
    const dialog = page.getByRole('dialog', { name: 'Send a test message' });
    await expect(dialog.getByRole('checkbox', { name: /\(you\)/ })).toBeChecked();
    await dialog.getByRole('button', { name: 'Send test message' }).click();
    await expect(page.getByText('Test message sent to 1 phone')).toBeVisible();
    const texts = async (number: string) => (await sandbox.messages(number)).map(({ text }) => text);
    await expect
      .poll(async () => (await texts(phone_number.replace('+', ''))).filter((text) => text.includes(name)))
      .toEqual([`Hello Noah, ${name} is here.`]);
    await next(page);

    await page.getByRole('button', { name: 'Rehearse campaign' }).click();
    const rehearsal = page.getByRole('dialog', { name: 'Rehearsal' });
    await expect(rehearsal).toContainText('3 people would get the message for $0.26.');
    await expect(rehearsal.getByRole('row', { name: /^Germany/ }).first()).toContainText('Price');
    await rehearsal.getByRole('button', { name: /^Send to 3 people for \$0\.26/ }).click();
    await expect(page.getByRole('heading', { name })).toBeVisible();
    await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
    for (const { number, first_name } of contacts)
      expect(await texts(number)).toEqual([`Hello ${first_name}, ${name} is here.`]);
    await expect(page.getByText('The cost agrees with the forecast.')).toBeVisible();

    await page.getByRole('combobox', { name: 'Split results' }).selectOption('By country');
    const results = page.getByRole('region', { name: 'Results by country' });
    await results.getByText('Table', { exact: true }).click();
    await expect(results.getByRole('row', { name: /^Germany/ })).toContainText('3');
    await page.getByRole('button', { name: 'Create audience' }).click();
    await expect(page.getByRole('heading', { name: `${name} (recipients)` })).toBeVisible();
    for (const { first_name } of contacts) await expect(page.getByText(first_name).first()).toBeVisible();
  });
