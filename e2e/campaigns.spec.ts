/** Campaigns: creating, sending, pausing, retrying, and scheduling. */
import { OWNER } from './api.ts';
import { exportShown } from './exports/export_shown.ts';
import { expect, type Page, test } from './test.ts';

const crowd = (count: number, from: number): string =>
  [
    'Number,First name',
    ...Array.from({ length: count }, (_, index) => `+1202${5560000 + from + index},Person ${index}`),
  ].join('\n');

/** Makes names unique, so that a test can be repeated on the same Parley. */
const unique = (): string => Date.now().toString(36);

/** Sending this many messages at this speed takes longer than any test. */
const PEOPLE = 600;
const SLOW = { throttle_per_second: 5 };
interface Stored {
  status: string;
  counts: { delivered: number; canceled: number };
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}
const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const figure = (page: Page, name: string) =>
  page
    .getByRole('region', { name: 'Progress' })
    .locator('div', { has: page.getByText(name, { exact: true }) })
    .locator('dd');

test('the wizard lists missing fields, keeps its input across a reload, and summarizes the campaign', async ({
  openAs,
  sandbox,
}) => {
  const page = await openAs(OWNER, { path: '/sms' });
  await expect(page).toHaveURL('/sms/my-campaigns');
  await page.getByRole('link', { name: 'Create campaign' }).first().click();
  await expect(page.getByRole('heading', { name: 'New SMS campaign' })).toBeVisible();

  await next(page);
  const summary = page.getByRole('region', { name: 'Errors in this form' });
  await expect(summary.getByRole('link')).toHaveText(['Sender', 'Audience']);
  await expect(page.getByText('Sender is required!', { exact: true })).toBeVisible();
  await expect(page.getByRole('combobox', { name: 'Sender' })).toBeFocused();

  await page.getByLabel('Name').fill('Autumn menu');
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await choose(page, 'Audience', /^Regulars/);
  await expect(page.getByLabel('Recipients')).toContainText('Will receive24');
  await next(page);

  const text = page.getByRole('textbox', { name: 'Text' });
  await text.fill('Hello {first_name:there}, the autumn menu is here. It\u2019s {nick}');
  await expect(page.getByText('Unknown variable: {nick}')).toBeVisible();
  await expect(page.getByText('forces Unicode')).toBeVisible();
  await expect(page.getByLabel('Message preview')).toContainText('Hello Amelia, the autumn menu is here.');
  await next(page);
  await expect(summary.getByRole('link')).toHaveText(['Text']);
  await expect(page.getByText('Unknown variable {nick}', { exact: true })).toBeVisible();
  await expect(text).toBeFocused();

  await page.reload();
  await expect(text).toHaveValue('Hello {first_name:there}, the autumn menu is here. It\u2019s {nick}');
  await page.getByRole('button', { name: 'Use plain characters' }).click();
  await expect(text).toHaveValue("Hello {first_name:there}, the autumn menu is here. It's {nick}");
  await text.fill("Hello {first_name:there}, the autumn menu is here. It's {custom1} season.");
  await expect(page.getByText(/^\d+\/1000 - 1 segment - GSM-7$/)).toBeVisible();
  await page.getByRole('button', { name: 'Next recipient' }).click();
  await expect(page.getByText('2/24')).toBeVisible();
  await expect(page.getByLabel('Message preview')).toContainText('Hello Noah');
  await next(page);

  const row = page.getByRole('row', { name: /^Germany/ });
  await expect(row).toContainText('$0.085');
  await expect(page.getByRole('row', { name: /^Reserved at start/ })).toContainText('$1.38');
  await page.getByRole('button', { name: 'Send to 24 people for $1.38' }).click();

  await expect(page.getByRole('heading', { name: 'Autumn menu' })).toBeVisible();
  await expect(figure(page, 'Delivered')).toContainText('24');
  await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
  const texts = async () => (await sandbox.messages('4917604069010')).map((message) => message.text);
  expect((await texts()).filter((text) => text.includes('autumn menu'))).toEqual([
    "Hello Amelia, the autumn menu is here. It's flat white season.",
  ]);

  const progress = page.getByRole('region', { name: 'Progress' });
  await expect(progress.getByText('24 sent', { exact: true })).toBeVisible();
  const responses = page.getByRole('region', { name: 'Responses' });
  await expect(responses.getByRole('region', { name: 'Results over time' })).toBeVisible();
  await sandbox.write('4917604069010', '4917139200000', 'Save me a table');
  await expect(async () => {
    await page.reload();
    await expect(
      responses.locator('div', { has: page.getByText('Replied', { exact: true }) }).locator('dd'),
    ).toHaveText('1');
  }).toPass({ timeout: 20_000 });
  await responses.getByRole('link', { name: 'Replied' }).click();
  await expect(page).toHaveURL(/response=replied/);
  await expect(page.getByRole('table', { name: 'Recipients' }).getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row', { name: /04069010/ })).toContainText('Amelia');
  await page.goto(page.url().replace(/\?.*/, ''));

  await page.getByPlaceholder('Number or name').fill('+49 176 0406 9010');
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('row', { name: /04069010/ }).click();
  const inspector = page.getByRole('complementary');
  await expect(inspector).toContainText('Hello Amelia, the autumn menu is here.');
  await page.keyboard.press('Escape');

  await responses.getByRole('button', { name: 'Create a follow-up' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Autumn menu (follow-up)');
  await expect(page.getByRole('combobox', { name: 'Audience' })).toHaveValue(/^Autumn menu \(follow-up\)/);
  await expect(page.getByLabel('Recipients')).toContainText('Will receive23');
  await page.goto('/sms/create-campaign');
  await expect(page.getByLabel('Name'), 'a sent campaign leaves no draft').toHaveValue('');
});

test('a campaign can be paused and resumed, and sends no more messages once it is canceled', async ({
  openAs,
  api,
  sandbox,
}) => {
  test.setTimeout(180_000);
  const owner = await api(OWNER);
  const name = `Slow lane ${unique()}`;
  const audience = await owner.importAudience(name, crowd(PEOPLE, 1_000));
  const countDelivered = async () => (await sandbox.submissions(name)).length;
  // The carrier is slow from before the start until after the pause, so that the campaign cannot complete in between.
  await sandbox.carrier(SLOW);
  try {
    const { id } = await owner.post<{ id: string }>('campaigns', {
      name,
      from: 'Harbour Hamburg',
      audience,
      text: `${name} {first_name}`,
    });
    const stored = () => owner.get<Stored>(`campaigns/${id}`);
    const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
    await expect(page.getByText('You can close this tab')).toBeVisible();
    await expect(page.getByText(/per second/)).toBeVisible();
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    const resume = page.getByRole('button', { name: /^Resume \(\d+\)$/ });
    await expect(resume).toBeVisible();
    // From here on, only the pause stops the campaign. Only messages that are already being submitted may still be
    // sent.
    await sandbox.usualCarrier();
    await expect(async () => {
      const before = await countDelivered();
      await page.waitForTimeout(1_000);
      const after = await countDelivered();
      expect(after - before, 'no more messages arrive').toBe(0);
      expect(after).toBeGreaterThan(0);
      expect(after).toBeLessThan(PEOPLE);
      expect(await resume.innerText()).toBe(`Resume (${PEOPLE - after})`);
    }).toPass({ timeout: 45_000 });

    await sandbox.carrier(SLOW);
    await resume.click();
    await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog).toContainText(`Cancel the campaign ${name}?`);
    await dialog.getByRole('button', { name: 'Cancel campaign' }).click();
    await expect.poll(async () => (await stored()).status).toBe('canceled');
    await sandbox.usualCarrier();
    await expect(page.getByRole('button', { name: /Resume|Pause/ })).toHaveCount(0);
    await expect(page.getByRole('main').getByText('Canceled').first()).toBeVisible();
    await expect(figure(page, 'Canceled')).toBeVisible();
    // Every recipient was sent or canceled, so nothing is left to send.
    let canceled = 0;
    await expect(async () => {
      const { counts } = await stored();
      const delivered = await countDelivered();
      expect([counts.delivered, counts.canceled]).toEqual([delivered, PEOPLE - delivered]);
      canceled = counts.canceled;
    }).toPass({ timeout: 45_000 });
    expect(canceled).toBeGreaterThan(0);

    await page.getByText(`Canceled ${canceled}`, { exact: true }).click();
    const csv = await exportShown(page, 'CSV file', 'campaign-recipients');
    expect(csv.trim().split('\r\n')).toHaveLength(canceled + 1);
    expect(csv).toMatch(/\r\n\+1202556\d{4},Person \d+,US,canceled,/);
  } finally {
    await sandbox.usualCarrier();
  }
});

test('messages that failed for a temporary reason can be retried', async ({ openAs, api, sandbox }) => {
  const owner = await api(OWNER);
  const name = `One pending ${unique()}`;
  // Submissions to the second recipient always fail. Parley gives up after half a minute.
  const audience = await owner.importAudience(name, 'Number,First name\n+12025561500,Ann\n+12025900912,Bob');
  const { id } = await owner.post<{ id: string }>('campaigns', {
    name,
    from: 'Harbour Hamburg',
    audience,
    text: `${name}, {first_name}`,
    validity_seconds: 30,
  });
  const page = await openAs(OWNER, { path: `/sms/my-campaigns/${id}` });
  await expect(figure(page, 'Delivered')).toContainText('1');
  const retry = page.getByRole('button', { name: 'Retry undelivered (1)' });
  await expect(retry).toBeVisible({ timeout: 45_000 });
  await page.getByRole('link', { name: 'Undelivered', exact: true }).click();
  await expect(page).toHaveURL(/bucket=failed/);
  await expect(page.getByRole('row', { name: /590 0912|5900912/ })).toBeVisible();

  await retry.click();
  await page.getByRole('dialog').getByRole('button', { name: 'Retry messages', exact: true }).click();
  await expect(page.getByText('1 message queued for retry')).toBeVisible();
  await expect(page.getByRole('main').getByText('In progress')).toBeVisible();
  const { total } = await owner.get<{ total: number }>(`campaigns/${id}`);
  expect(total).toBe(2);
  expect(await sandbox.submissions(`${name}, Ann`), 'no recipient gets the message twice').toHaveLength(1);
  await owner.put(`campaigns/${id}`, { status: 'canceled' });
});

test('campaigns can be scheduled in the account’s time zone, unscheduled, duplicated, renamed, and deleted', async ({
  openAs,
  api,
}) => {
  const page = await openAs(OWNER, { path: '/sms/create-campaign' });
  await page.getByLabel('Name').fill('Winter hours');
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await choose(page, 'Audience', /^Regulars/);
  await next(page);
  await page.getByRole('textbox', { name: 'Text' }).fill('We open at nine now.');
  await next(page);
  await page.getByText('Later', { exact: true }).click();
  await expect(page.getByText('Account time zone: Europe/Berlin')).toBeVisible();
  await page.getByLabel('Date and time').fill('2020-01-01T10:00');
  await expect(page.getByText('This time is in the past')).toBeVisible();
  const year = new Date().getUTCFullYear() + 1;
  await page.getByLabel('Date and time').fill(`${year}-01-15T09:00`);
  await page.getByRole('button', { name: `Schedule for 24 people, 15-01-${year} 09:00` }).click();

  await expect(page.getByRole('main').getByText('Scheduled', { exact: true })).toBeVisible();
  await expect(page.getByText(`Scheduled for 15-01-${year} 09:00`)).toBeVisible();
  const [campaign] = await (await api(OWNER)).get<{ id: string; schedule: string }[]>(
    'campaigns?filter[search]=Winter',
  );
  expect(campaign!.schedule, '9:00 in Berlin, stored in UTC').toBe(`${year}-01-15 08:00:00`);

  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Move back to draft' }).click();
  await expect(page.getByRole('main').getByText('Incomplete')).toBeVisible();
  await page.getByRole('link', { name: 'Continue' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Winter hours');
  await page.getByLabel('Name').fill('AUTUMN MENU');
  await next(page);
  await expect(page.getByText('A campaign with this name already exists. Choose another name.')).toBeVisible();
  await page.getByLabel('Name').fill('Winter opening hours');
  await page.getByRole('button', { name: 'Save as draft' }).click();

  await expect(page).toHaveURL('/sms/my-campaigns');
  await page.getByRole('button', { name: 'Actions for Winter opening hours' }).click();
  await page.getByRole('menuitem', { name: 'Duplicate as draft' }).click();
  await expect(page.getByLabel('Name')).toHaveValue('Winter opening hours (copy)');
  await page.getByRole('button', { name: 'Close', exact: true }).click();

  await page.getByRole('button', { name: 'Actions for Winter opening hours', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete campaign' }).click();
  await expect(page.getByRole('row', { name: /Winter opening hours/ })).toHaveCount(0);

  await page.getByRole('button', { name: 'Actions for Autumn menu', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Rename' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Autumn menu, sent');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('row', { name: /Autumn menu, sent/ })).toBeVisible();
});

test('the wizard works on a phone in the dark theme', async ({ openAs }) => {
  const page = await openAs(OWNER, {
    path: '/sms/my-campaigns',
    viewport: { width: 390, height: 844 },
    colorScheme: 'dark',
  });
  await page.getByRole('row').filter({ hasText: 'Autumn menu, sent' }).click();
  await expect(figure(page, 'Delivered')).toContainText('24');
  await page.goto('/sms/create-campaign');
  await choose(page, 'Sender', /^Harbour Hamburg/);
  await choose(page, 'Audience', /^Regulars/);
  await next(page);
  await page.getByRole('textbox', { name: 'Text' }).fill('Hello {first_name}');
  await next(page);
  await expect(page.getByRole('button', { name: 'Send to 24 people for $1.38' })).toBeInViewport();
  const isTooWide = await page.evaluate<boolean>('document.documentElement.scrollWidth > window.innerWidth');
  expect(isTooWide, 'the page does not scroll sideways').toBe(false);
});
