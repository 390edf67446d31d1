/** Links in messages, opened on virtual phones, and the lookup of a list. */
import { OWNER } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';

async function expectNoOverflow(page: Page) {
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.locator('html').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(wide).toBe(0);
  await page.setViewportSize({ width: 1280, height: 800 });
}

test('clicks on a link in a message are counted, and recipients opt out by link', async ({
  at,
  api,
  browser,
  openAs,
  sandbox,
}) => {
  const owner = await api(OWNER);
  const number = `4474005${freshDigits(5)}`;
  const target = `https://example.com/spring-${number}`;
  const page = await openAs(OWNER, { path: '/link-management' });
  await page.getByRole('link', { name: 'Create link' }).first().click();
  await page.getByRole('textbox', { name: 'Destination' }).fill('javascript:alert(1)');
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByText('The URL must begin with http:// or https://').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Destination' }).fill(`${target}/shared`);
  await page.getByText('UTM parameters').click();
  await page.getByRole('textbox', { name: 'Source' }).fill('poster');
  await page.getByRole('textbox', { name: 'Name of a new preset' }).fill(`Poster ${number}`);
  await page.getByRole('button', { name: 'Save preset' }).click();
  await expect(page.getByRole('combobox', { name: 'Preset' })).toHaveValue(`Poster ${number}`);
  await expect(page.getByRole('textbox', { name: 'Destination' })).toHaveValue(`${target}/shared?utm_source=poster`);
  await page.getByRole('textbox', { name: 'Name (optional)' }).fill(`Shared ${number}`);
  await page.getByRole('button', { name: 'Create link' }).click();
  await expect(page.getByRole('heading', { name: `Shared ${number}` })).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code of the short URL' })).toBeVisible();
  await expectNoOverflow(page);

  await owner.post('messages', {
    channel: 'SMS',
    from: 'Harbour Hamburg',
    to: [number],
    text: `Spring menu {url=${target}}`,
  });
  const received = async () => (await sandbox.messages(number)).map(({ text }) => text);
  await expect.poll(received, { timeout: 40_000 }).toHaveLength(1);
  const [, short] = /^Spring menu (\S+)$/.exec((await received())[0]!) ?? [];
  expect(new URL(short!).pathname).toMatch(/^\/[0-9A-Za-z]{9}$/);

  const phone = await browser.newContext({ userAgent: PHONE });
  const open = (agent: string) =>
    fetch(at.app + new URL(short!).pathname, { redirect: 'manual', headers: { 'user-agent': agent } });
  // People need a moment to read a message.
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  expect((await open(PHONE)).headers.get('location')).toBe(target);
  await open('WhatsApp/2.24');
  await page.goto('/link-management');
  await page.getByRole('searchbox', { name: 'Search by name or URL' }).fill(target.slice(-20));
  const row = page.getByRole('row').filter({ hasText: 'One for each of 1 recipient' });
  await row.click();
  await expect(page.getByRole('group', { name: 'Clicks' }).or(page.getByLabel('Clicks').first())).toBeVisible();
  await expect(page.getByText('United Kingdom')).toBeVisible();
  await expectNoOverflow(page);

  const senders = await owner.get<{ code: string; name: string; two_way: boolean }[]>('senders?filter[channel]=sms');
  const oneWay = senders.find(({ two_way }) => !two_way)!;
  await owner.post('messages', { channel: 'SMS', from: oneWay.code, to: [number], text: 'News. {sms_opt_out}' });
  await expect.poll(received, { timeout: 40_000 }).toContainEqual(expect.stringContaining('Opt out: '));
  const news = (await received()).find((text) => text.includes('Opt out: '))!;
  const optOut = await phone.newPage();
  await optOut.goto(at.app + new URL(/Opt out: (\S+)/.exec(news)![1]!).pathname);
  await optOut.getByRole('button', { name: 'Stop messages' }).click();
  await expect(optOut.getByRole('heading', { name: 'You have opted out' })).toBeVisible();
  await phone.close();
  await page.goto('/contacts/my-stop-list');
  await expect(
    page
      .getByRole('row')
      .filter({ hasText: number.slice(-5, -3) })
      .first(),
  ).toContainText('link');
});

test('a bulk lookup counts its results and creates an audience', async ({ openAs }) => {
  const start = `44740${freshDigits(5)}`;
  const rows = ['05', '00', '01', '02', '03'].map((end) => `+${start}${end}`);
  const page = await openAs(OWNER, { path: '/tools' });
  await page.getByRole('textbox', { name: 'Phone number' }).fill(`+${start}06`);
  await page.getByRole('button', { name: 'Look up number' }).click();
  const result = page.getByRole('region', { name: 'Result' });
  await expect(result.getByText('Reachable')).toBeVisible();
  await expectNoOverflow(page);
  await page.getByRole('navigation', { name: 'Carrier lookup' }).getByRole('link', { name: 'Bulk' }).click();
  const file = { name: `list-${start}.csv`, mimeType: 'text/csv', buffer: Buffer.from(`Number\n${rows.join('\n')}\n`) };
  await page.locator('input[type=file]').setInputFiles(file);
  await expect(page.getByText(/5 numbers, at most/)).toBeVisible();
  await page.getByRole('button', { name: 'Start bulk lookup' }).click();
  const card = page.getByRole('region', { name: file.name });
  await expect(card.getByRole('button', { name: 'Create audience from good numbers' })).toBeEnabled();
  await expectNoOverflow(page);
  await card.getByRole('button', { name: 'Create audience from good numbers' }).click();
  await expect(page.getByRole('heading', { name: /looked up/ })).toBeVisible();
});
