/** An audience by conditions, from the editor to the messages of a campaign. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

test('a user builds a dynamic audience with a live count and sends a campaign to the people who match', async ({
  api,
  openAs,
  sandbox,
}) => {
  const owner = await api(OWNER);
  const digits = freshDigits(4);
  const tag = `vip${digits}`;
  const numbers = Array.from({ length: 3 }, (_, index) => `4917605${digits}${index}0`);
  for (const [index, number] of numbers.entries())
    await owner.post('people', { number: `+${number}`, first_name: `Guest ${index}`, tags: index < 2 ? [tag] : [] });

  const page = await openAs(OWNER, { path: '/contacts/create-audience?channel=sms' });
  await page.getByLabel('Name').fill(`Guests ${digits}`);
  await page.getByText('Set conditions').first().click();
  await page.getByRole('button', { name: 'Set conditions' }).click();
  await expect(page.getByRole('heading', { name: 'Create dynamic audience' })).toBeVisible();
  await expect(page.getByLabel('Name')).toHaveValue(`Guests ${digits}`);

  // An incomplete condition is refused where it is.
  await page.getByRole('button', { name: 'Create audience' }).click();
  await expect(page.getByText('Complete this condition').first()).toBeVisible();
  await page.getByRole('combobox', { name: 'Tags', exact: true }).fill(tag);
  await page.keyboard.press('Enter');
  await expect(page.getByText('2 people match right now.')).toBeVisible();

  await page.getByRole('button', { name: 'Add condition' }).click();
  const second = page.getByRole('combobox', { name: 'Condition on' }).nth(1);
  await second.fill('First name');
  await page.getByRole('option', { name: 'First name' }).click();
  await page.getByRole('textbox', { name: 'First name' }).fill('guest 1');
  await expect(page.getByText('1 person matches right now.')).toBeVisible();
  await page.getByText('Any', { exact: true }).click();
  await expect(page.getByText('2 people match right now.')).toBeVisible();
  await page.getByRole('button', { name: 'Create audience' }).click();

  await expect(page.getByRole('heading', { name: `Guests ${digits}` })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Contacts' }).getByRole('row')).toHaveCount(3);
  await expect(page.getByText(`Tags include any of ${tag}`)).toBeVisible();

  // One more person matches before the campaign starts.
  await owner.put(`people/${numbers[2]}`, { tags: [tag] });
  await page.goto('/sms/create-campaign');
  await page.getByLabel('Name').fill(`Dinner ${digits}`);
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await page.getByRole('combobox', { name: 'Audience' }).fill(`Guests ${digits}`);
  await page.getByRole('option', { name: new RegExp(`^Guests ${digits}`) }).click();
  await expect(page.getByLabel('Recipients')).toContainText('Will receive3');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('textbox', { name: 'Text' }).fill('Dinner is ready, {first_name:friend}');
  await page.getByRole('button', { name: 'Next', exact: true }).click();
  await page.getByRole('button', { name: /^Send to 3 people for/ }).click();
  await expect(page.getByRole('main').getByText('Completed')).toBeVisible({ timeout: 40_000 });
  for (const [index, number] of numbers.entries())
    expect((await sandbox.messages(number)).map(({ text }) => text)).toEqual([`Dinner is ready, Guest ${index}`]);
});
