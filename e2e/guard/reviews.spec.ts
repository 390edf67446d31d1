/** Operators hold messages by their content, release one, and reject another. */
import { OPERATOR, OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';

interface Sent {
  id: string;
  price_micros: number;
}

test('an operator tests and adds a rule, releases a held message, which arrives once, and rejects another', async ({
  api,
  openAs,
  sandbox,
  quiet,
}) => {
  const owner = await api(OWNER);
  // Only this test uses this word and these numbers.
  const digits = freshDigits(5);
  const word = `roulette${digits}`;
  const numbers = [0, 1, 2].map((n) => `44740${digits}${n}0`);
  const send = async (n: number) => {
    const body = { channel: 'SMS', from: 'Harbour Hamburg', to: [numbers[n]], text: `Play ${word} tonight` };
    return (await owner.post<Sent[]>('messages', body))[0]!;
  };
  await send(0);

  const page = await openAs(OPERATOR, { host: 'admin', path: '/content-rules' });
  await page.getByRole('button', { name: 'Add rule' }).first().click();
  const panel = page.getByRole('complementary', { name: 'Add content rule' });
  await panel.getByLabel('Name').fill(`Gambling ${digits}`);
  await panel.getByRole('combobox', { name: 'Look for' }).click();
  await page.getByRole('option', { name: 'Forbidden words' }).click();
  quiet.expect(/^400 POST \/v1\/content_back_tests/);
  await panel.getByRole('button', { name: 'Run back-test' }).click();
  await expect(page.getByText('Add 1 to 500 entries').first()).toBeVisible();
  await panel.getByLabel('Words').first().fill(word.toUpperCase());
  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Run back-test' }).click();
  const backTest = panel.getByRole('region', { name: 'Back-test' });
  await expect(backTest).toContainText('This rule would have matched 1 message of 1 account');
  await expect(backTest.locator('mark')).toHaveText(word);
  await panel.getByRole('button', { name: 'Add rule' }).click();
  await expect(page.getByText('The rule was added')).toBeVisible();
  const rule = page.getByRole('row').filter({ hasText: `Gambling ${digits}` });
  await expect(rule).toContainText('Hold');

  const released = await send(1);
  const rejected = await send(2);
  const customer = await openAs(OWNER, { path: `/insights?message=${released.id}` });
  await expect(customer.getByRole('complementary').getByText('In review').first()).toBeVisible();
  await expect(customer.getByRole('complementary').getByText(/^Held for review: the message contains/)).toBeVisible();

  await expect(page.getByRole('link', { name: /^Reviews/ })).toContainText(/[1-9]/);
  await page.getByRole('link', { name: 'Reviews' }).click();
  const row = (n: number) => page.getByRole('row').filter({ hasText: word }).nth(n);
  await row(0).getByText(`Play ${word} tonight`).click();
  const review = page.getByRole('complementary', { name: `Gambling ${digits}` });
  await expect(review.locator('mark')).toHaveText(word);
  await review.getByRole('button', { name: 'Release', exact: true }).click();
  const reason = page.getByRole('dialog', { name: 'Release 1 message?' });
  await reason.getByRole('button', { name: 'Release' }).click();
  await expect(reason.getByText('Enter at least 3 characters')).toBeVisible();
  await reason.getByLabel('Reason').fill('Known customer');
  await reason.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText('1 message released')).toBeVisible();

  await expect(page.getByRole('row').filter({ hasText: word })).toHaveCount(1);
  await row(0).getByText(`Play ${word} tonight`).click();
  await review.getByRole('button', { name: 'Reject', exact: true }).click();
  const why = page.getByRole('dialog', { name: 'Reject 1 message?' });
  await why.getByLabel('Reason').fill('Gambling is not allowed');
  await why.getByRole('button', { name: 'Reject' }).click();
  await expect(page.getByText('1 message rejected')).toBeVisible();
  await expect(page.getByRole('row').filter({ hasText: word })).toHaveCount(0);

  await expect
    .poll(async () => (await owner.get<{ status: string }>(`messages/${released.id}`)).status)
    .toBe('delivered');
  expect((await sandbox.submissions(word)).filter(({ to }) => to === numbers[1])).toHaveLength(1);
  expect((await sandbox.submissions(word)).filter(({ to }) => to === numbers[2])).toHaveLength(0);
  expect(await owner.get(`messages/${rejected.id}`)).toMatchObject({
    ...{ status: 'rejected', charge: 'released' },
    status_details: 'Rejected in review: Gambling is not allowed',
  });
  await customer.goto(`/insights?message=${rejected.id}`);
  await expect(customer.getByText('Rejected in review: Gambling is not allowed').first()).toBeVisible();

  await page.getByRole('link', { name: 'Content rules' }).click();
  await rule.getByRole('button', { name: /^Actions/ }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete rule' }).click();
  await expect(page.getByText('The rule was deleted')).toBeVisible();
});
