/** Auto top-up in the middle of a campaign: one charge, although every message lowers the balance further. */
import { OPERATOR } from '../api.ts';
import { newCompany } from '../company.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, test } from '../test.ts';
import { enterCard } from './cards.ts';
import { lookAt } from './shots.ts';

const MICROS = 1_000_000;
const PEOPLE = 12;

test('a campaign crosses the threshold, and the saved card is charged once', async ({ at, sandbox, api, openAs }) => {
  const { email } = await newCompany(at, sandbox);
  const owner = await api(email);
  const operator = await api(OPERATOR);
  const { id, currency } = await owner.get<{ id: string; currency: string }>('accounts/self');
  const topUp = { kind: 'top_up', reason: 'Opening balance', reference: `opening ${id}` };
  await operator.post(`accounts/${id}/top_ups`, { ...topUp, amount_micros: 70 * MICROS });
  await operator.post('prices', { account_id: id, channel: 'SMS', country: 'GB', currency, price_micros: 3 * MICROS });
  const [free] = await owner.get<{ number: string }[]>('numbers?filter[country]=GB&filter[type]=mobile');
  const { id: from } = await owner.post<{ id: string }>('senders', { type: 'mobile', code: free!.number });

  const page = await openAs(email, { path: '/billing' });
  await page.getByRole('button', { name: 'Look around first' }).click();
  await page.getByRole('button', { name: 'Add card' }).click();
  await enterCard(page, '4242424242424242');
  await page.getByRole('button', { name: 'Save card' }).click();
  await expect(page.getByText('Card saved')).toBeVisible();

  await page.goto('/billing/auto-top-up');
  await page.getByRole('switch', { name: 'Top up automatically' }).check();
  await page.getByRole('textbox', { name: /^Balance falls below/ }).fill('50');
  await page.getByRole('textbox', { name: /^Amount/ }).fill('30');
  await page.getByRole('button', { name: 'Save auto top-up' }).click();
  await expect(page.getByText('Auto top-up saved')).toBeVisible();
  await page.getByText('Target balance', { exact: true }).click();
  await expect(page.getByRole('textbox', { name: /^Balance after a top-up/ })).toHaveValue('80');
  await lookAt(page, 'auto_top_up');

  const people = Array.from({ length: PEOPLE }, (_, n) => `+4474${String(n).padStart(2, '0')}${freshDigits(6)}`);
  const audience = await owner.importAudience(`Guests ${id.slice(-6)}`, `number\n${people.join('\n')}\n`);
  const { id: campaign } = await owner.post<{ id: string }>('campaigns', {
    ...{ name: 'Evening menu', channel: 'SMS', from, audience, text: 'Tonight: fresh pasta' },
    timing: { rate: { messages: 1, per: 'second' } },
  });
  const status = async () => (await owner.get<{ status: string }>(`campaigns/${campaign}`)).status;
  const charges = async () =>
    (await owner.get<{ type: string; status: string }[]>('payments')).filter(({ type }) => type === 'Auto Top Up');
  await expect.poll(charges).toHaveLength(1);
  expect(await status(), 'the charge comes while the campaign is sent').toBe('in_progress');
  await expect.poll(status, { timeout: 60_000 }).toBe('completed');

  // The first charge of a card is reviewed. Until then, no second one starts.
  await page.goto('/billing/payments');
  const row = page.getByRole('row', { name: /Auto Top Up/ });
  await expect(row).toHaveCount(1);
  await expect(row).toContainText('In Review');
  await row.click();
  const panel = page.getByRole('complementary');
  await expect(panel).toContainText(/Visa ending in 4242/i);
  await lookAt(page, 'auto_top_up_payment');
  const desk = await openAs(OPERATOR, { host: 'admin', path: `/accounts/${id}` });
  await expect(desk.getByRole('region', { name: 'Card payments' })).toContainText('Auto Top Up');
  const [payment] = await owner.get<{ id: string }[]>('payments?filter[types]=Auto Top Up');
  await operator.post(`accounts/${id}/payments/${payment!.id}/release`, {});
  await page.goto('/billing/payments');
  await expect(row).toContainText('Paid');

  // The next message crosses the threshold again, within ten minutes of the first charge.
  await owner.post('messages', { from, to: people.slice(0, 8), channel: 'SMS', text: 'See you tonight' });
  await page.goto('/billing/auto-top-up');
  await expect(page.getByText(/The next top-up can start on/)).toBeVisible();
  expect(await charges()).toHaveLength(1);

  await page.goto('/billing');
  const ledger = page.getByRole('table', { name: 'Ledger' });
  await expect(ledger.getByRole('link', { name: 'Open campaign' }).first()).toBeVisible();
  await lookAt(page, 'ledger');
  await ledger.getByRole('link', { name: 'Open campaign' }).first().click();
  await expect(page).toHaveURL(`/sms/my-campaigns/${campaign}`);
  await page.goBack();
  await ledger.getByRole('link', { name: '8 messages' }).first().click();
  await expect(page.getByRole('table', { name: 'Messages' }).getByRole('row')).toHaveCount(9);
  await page.goto('/billing');
  await ledger.getByRole('link', { name: 'Open payment' }).first().click();
  await expect(page.getByRole('complementary')).toContainText('Payment ID');
  await page.goto('/billing?kinds=charge');
  await ledger.getByRole('link', { name: /setup and first month/ }).click();
  await expect(page).toHaveURL(new RegExp(`/senders\\?open=${from}`));
});
