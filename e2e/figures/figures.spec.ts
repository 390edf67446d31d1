/** Figures link to the rows that they count: each figure on a page equals the total of the list behind its link. */
import { OPERATOR, OWNER } from '../api.ts';
import { expect, type Locator, type Page, test } from '../test.ts';

const unique = () => Date.now().toString(36);
const asNumber = (text: string): number => Number(text.replace(/[^\d]/g, ''));

const COUNTS: ReadonlySet<string> = new Set(['Messages sent', 'Delivered', 'Read', 'Undelivered', 'Messages received']);

/** The total in the footer of the list on the page. */
async function listTotal(page: Page): Promise<number> {
  const footer = page.getByRole('navigation', { name: 'Pages' }).last();
  await expect(footer).toContainText(/\d/);
  await expect(footer).not.toContainText('Loading');
  const text = await footer.innerText();
  return asNumber(/ of ([\d,]+)/.exec(text)?.[1] ?? /^\s*0 /.exec(text)?.[0] ?? 'none');
}

/** The chips of a group of figures that link to a list, as name, value, and target. */
async function linkedChips(group: Locator): Promise<{ name: string; value: number; href: string }[]> {
  await expect(group.locator('dd').first()).toHaveText(/\d/);
  const chips = [];
  for (const link of await group.locator('dt a').all()) {
    const chip = link.locator('xpath=ancestor::div[1]');
    const value = chip.locator('dd').first();
    await expect(value).toHaveText(/\d/);
    const own = await value.evaluate((element) => element.firstChild?.textContent ?? '');
    chips.push({ name: await link.innerText(), value: asNumber(own), href: (await link.getAttribute('href')) ?? '' });
  }
  return chips;
}

async function expectTotals(page: Page, chips: readonly { name: string; value: number; href: string }[]) {
  for (const { name, value, href } of chips) {
    await page.goto(new URL(href, page.url()).href);
    await expect(page.getByRole('navigation', { name: 'Pages' }).last()).toBeVisible();
    await expect.poll(() => listTotal(page), { message: `${name} at ${href}` }).toBe(value);
  }
}

test('every figure equals the number of rows behind its link', async ({ openAs, api }) => {
  test.setTimeout(180_000);
  const owner = await api(OWNER);
  const name = `Figures ${unique()}`;
  // The second recipient cannot be reached, and the third has opted out.
  await owner.post('stop_list', { number: '+447400561709' }).catch(() => {});
  const audience = await owner.importAudience(
    name,
    'Number,First name\n+447400561701,Ann\n+447400900901,Bob\n+447400561709,Cat',
  );
  const { id } = await owner.post<{ id: string }>('campaigns', {
    name,
    from: 'Harbour Hamburg',
    audience,
    text: `${name}, {first_name}`,
  });
  await expect
    .poll(async () => (await owner.get<{ status: string }>(`campaigns/${id}`)).status, { timeout: 60_000 })
    .toBe('completed');

  const page = await openAs(OWNER);
  await test.step('on the dashboard', async () => {
    const figures = page.locator('dl[aria-label="Last 7 days"]');
    const chips = await linkedChips(figures);
    expect(chips.map((chip) => chip.name)).toEqual([
      'Messages sent',
      'Delivered',
      'Undelivered',
      'Messages received',
      'Spend',
    ]);
    await expectTotals(page, chips.slice(0, 4));
  });
  await test.step('on the campaign page', async () => {
    const path = `/sms/my-campaigns/${id}`;
    await page.goto(new URL(path, page.url()).href);
    const chips = await linkedChips(page.locator('dl[aria-label="Recipients by outcome"]'));
    expect(chips.map((chip) => chip.name)).toEqual(expect.arrayContaining(['Delivered', 'Undelivered', 'Skipped']));
    await expectTotals(page, chips);
  });
  await test.step('on the tabs of Insights', async () => {
    for (const tab of ['', '&tab=delivery', '&tab=costs']) {
      await page.goto(new URL(`/insights?days=7${tab}`, page.url()).href);
      const chips = await linkedChips(page.locator('main dl').first());
      expect(chips.length, `figures of ${tab}`).toBeGreaterThan(1);
      // Amounts, shares, and segments are sums over their messages.
      await expectTotals(
        page,
        chips.filter(({ name }) => COUNTS.has(name) && tab !== '&tab=delivery'),
      );
    }
  });
  await test.step('in the comparison of campaigns', async () => {
    await page.goto(new URL('/insights?tab=campaigns', page.url()).href);
    const row = page.getByRole('table', { name: 'Campaigns' }).getByRole('row', { name });
    await expect(row).toBeVisible();
    const links = row.locator('a[href*="campaign"]');
    const found = [];
    for (const link of await links.all())
      found.push({ name, value: asNumber(await link.innerText()), href: (await link.getAttribute('href')) ?? '' });
    expect(found.length).toBeGreaterThan(2);
    await expectTotals(page, found);
  });
  await test.step('in the list of audiences', async () => {
    await page.goto(new URL('/contacts/my-audiences', page.url()).href);
    await page.getByRole('link', { name: `3 contacts in ${name}` }).click();
    await expect.poll(() => listTotal(page)).toBe(3);
  });
  await test.step('in the message log, where a row and its panel have the same word', async () => {
    await page.goto(new URL('/insights?statuses=undelivered', page.url()).href);
    const row = page.getByRole('table', { name: 'Messages' }).getByRole('row').nth(1);
    await expect(row).toBeVisible();
    const word = (await row.locator('[data-tone]').first().innerText()).trim();
    expect(['Failed', 'Rejected', 'Expired', 'Blocked', 'Unsubscribed']).toContain(word);
    await row.click();
    await expect(page.locator('aside, [role="complementary"], [role="dialog"]').last()).toContainText(word);
  });
});

test('the figures of an account equal its lists for operators', async ({ openAs }) => {
  const page = await openAs(OPERATOR, { host: 'admin', path: '/accounts' });
  const links = page.getByRole('table', { name: 'Accounts' }).getByRole('link', { name: /(users|senders) of / });
  await expect(links.first()).toBeVisible();
  const found = [];
  for (const link of (await links.all()).slice(0, 4))
    found.push({ value: asNumber(await link.innerText()), href: (await link.getAttribute('href')) ?? '' });
  for (const { value, href } of found) {
    await page.goto(new URL(href, page.url()).href);
    await expect.poll(() => listTotal(page), { message: href }).toBe(value);
  }
});
