/** From a chart to one message: the figures, the log behind them, and the reasons in the message inspector. */
import { OWNER } from '../api.ts';
import { expect, test } from '../test.ts';

test('a figure opens its messages, and a message explains why it was accepted', async ({ openAs, api }) => {
  const owner = await api(OWNER);
  const text = `Insights ${Date.now().toString(36)}`;
  await owner.post('messages', { channel: 'SMS', from: 'Harbour Hamburg', to: ['447400561777'], text });
  const page = await openAs(OWNER, { path: '/insights' });

  await test.step('the overview splits the figures by country', async () => {
    await expect(page.getByRole('heading', { level: 1, name: 'Insights' })).toBeVisible();
    await page.getByRole('combobox', { name: 'Split by' }).selectOption('country');
    await expect(page).toHaveURL(/by=country/);
    const row = page.getByRole('table', { name: 'By country' }).getByRole('row', { name: /United Kingdom/ });
    const sent = row.getByRole('link').first();
    const count = Number((await sent.innerText()).replaceAll(',', ''));
    expect(count).toBeGreaterThan(0);
    await sent.click();
    await expect(page).toHaveURL(/country=GB/);
    const rows = page.getByRole('navigation', { name: 'Pages' }).getByRole('status').first();
    await expect(rows).toContainText(new RegExp(` of ${count}$`));
  });
  await test.step('the log opens the message with the rules it passed', async () => {
    await page.getByRole('row', { name: new RegExp(text) }).click();
    const panel = page.getByRole('complementary');
    await expect(panel).toContainText(text);
    const rules = panel.getByRole('list', { name: 'Why the message was accepted' });
    await expect(rules.getByRole('listitem')).toHaveCount(11);
    await expect(rules).toContainText('status VERIFIED');
    await page.keyboard.press('Escape');
  });
  await test.step('new messages appear automatically, except while the log is paused', async () => {
    const send = (name: string) =>
      owner.post('messages', {
        channel: 'SMS',
        from: 'Harbour Hamburg',
        to: ['447400561777'],
        text: `${name} ${text}`,
      });
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`${name} ${text}`) });
    await send('First');
    await expect(row('First')).toBeVisible();
    await page.getByRole('button', { name: 'Pause' }).click();
    const other = await openAs(OWNER, { path: '/insights?tab=log' });
    await send('Second');
    await expect(other.getByRole('row', { name: new RegExp(`Second ${text}`) })).toBeVisible();
    await expect(row('Second')).toBeHidden();
    await page.getByRole('button', { name: 'Resume' }).click();
    await expect(row('Second')).toBeVisible();
  });
  await test.step('a rejected call is listed with its code', async () => {
    const { status } = await fetch(new URL('/v1/messages', page.url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token(page)}` },
      body: JSON.stringify({ data: { channel: 'SMS', from: `Nobody ${text}`, to: ['447400561777'], text } }),
    });
    expect(status).toBeGreaterThanOrEqual(400);
    await page.getByRole('link', { name: 'Rejected calls' }).click();
    await expect(page.getByRole('row', { name: new RegExp(`Nobody ${text}`) })).toContainText('1505');
  });
  await test.step('charts are readable on a phone, also as tables', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('link', { name: 'Delivery' }).click();
    await expect(page.getByRole('table', { name: 'Delivery rate by hour' })).toBeVisible();
    await expect(page.getByRole('table', { name: 'Time to delivery by route' })).toContainText('Median');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390);
  });
});

const token = (page: { evaluate(code: string): Promise<unknown> }) =>
  page.evaluate(`localStorage.getItem('parley.token')`);
