/**
 * A new company requests access to WhatsApp and Viber in two wizards, one of them using only the keyboard. An operator
 * requests changes to one request, the company resubmits it, both are approved, and the channels become available.
 */
import { findProblems, NARROW } from './accessible/look.ts';
import { OPERATOR } from './api.ts';
import { newCompany } from './company.ts';
import { png } from './png.ts';
import { expect, type Page, test } from './test.ts';

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const step = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
const card = (page: Page, channel: string) =>
  page
    .getByRole('list', { name: 'Channels' })
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name: channel }) });
const picture = (name: string, width: number, height: number) => ({
  name,
  mimeType: 'image/png',
  buffer: png(width, height),
});

/** Presses Tab until the control with this name has focus. */
async function tabTo(
  page: Page,
  role: 'textbox' | 'combobox' | 'button' | 'radio',
  name: string | RegExp,
): Promise<void> {
  const control = page.getByRole(role, { name, ...(typeof name === 'string' ? { exact: true } : {}) });
  for (let count = 0; count < 60; count++) {
    if (await control.evaluate((element) => element.matches(':focus')).catch(() => false)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab never reached ${name}`);
}
async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, 'textbox', new RegExp(`^${label}( \\(optional\\))?$`));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type(text);
}

async function chooseWithEnter(page: Page, file: ReturnType<typeof picture>): Promise<void> {
  const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.keyboard.press('Enter')]);
  await chooser.setFiles(file);
}

test('a new company requests WhatsApp and Viber access, corrects one request, and gets both channels', async ({
  at,
  openAs,
  api,
  sandbox,
  quiet,
}) => {
  test.setTimeout(300_000);
  const { email, company_name } = await newCompany(at, sandbox);
  const page = await openAs(email, { path: '/add-channel', reducedMotion: 'reduce' });
  const desk = await openAs(OPERATOR, { host: 'admin', path: '/requests', reducedMotion: 'reduce' });
  const decision = desk.getByRole('complementary');
  const waiting = (kind: string) => desk.getByRole('row', { name: new RegExp(company_name) }).filter({ hasText: kind });

  await test.step('the WhatsApp form shows errors and keeps the input', async () => {
    await page.getByRole('button', { name: 'Look around first' }).click();
    await expect(page.getByRole('dialog')).toHaveCount(0);
    expect(await findProblems(page, 'add channel')).toEqual([]);
    await card(page, 'WhatsApp').getByRole('link', { name: 'Get access' }).click();
    await step(page, 'Business details');
    await expect(page.getByLabel('Business name')).toHaveValue(company_name);
    await next(page);
    await expect(page.getByText('Business website is required').first()).toBeVisible();
    expect(await findProblems(page, 'business details with errors')).toEqual([]);
    await page.getByLabel('Website').fill(`${sandbox.url}/`);
    await page.getByLabel('Description').fill('Coffee roasters; customers get order updates.');
    await next(page);
    await step(page, 'Account details');
    // The page resumes the request that was started above.
    await page.goto('/add-channel');
    await card(page, 'WhatsApp').getByRole('link', { name: 'Continue' }).click();
    await step(page, 'Business details');
    await expect(page.getByLabel('Description')).toHaveValue('Coffee roasters; customers get order updates.');
    await next(page);
  });

  const number = `49176${(Date.now() + 1).toString().slice(-8)}`;
  await test.step('a verification code proves ownership of a number', async () => {
    await step(page, 'Account details');
    await page.getByLabel('Number', { exact: true }).pressSequentially(`+${number}`);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByLabel('Code').fill('000000');
    quiet.expect(/^400 PUT .*\/phone_verifications\//);
    await page.getByRole('button', { name: 'Confirm number' }).click();
    await expect(page.getByText('The verification code is not valid')).toBeVisible();
    expect(await findProblems(page, 'number with a wrong code')).toEqual([]);
    await page.getByLabel('Code').fill(await sandbox.textedCode(number));
    await page.getByRole('button', { name: 'Confirm number' }).click();
    await expect(page.getByText(/^You verified that .* is yours\.$/)).toBeVisible();
    await page.getByLabel('Display name').fill('ab');
    await next(page);
    await expect(page.getByText('Display name must have at least 3 characters').first()).toBeVisible();
    await page.getByLabel('Display name').fill(company_name);
    await next(page);
  });

  await test.step('a logo of the wrong size is rejected, and a larger picture is cropped to size', async () => {
    await step(page, 'Profile content');
    await page.getByRole('combobox', { name: 'Category' }).click();
    await page.getByRole('option', { name: 'Restaurant' }).click();
    await page.getByLabel('About').fill('Fresh beans every day');
    await page.locator('input[aria-label="Logo 640 x 640"]').setInputFiles(picture('small.png', 100, 100));
    await expect(page.getByText('Image dimensions should be 640 x 640 pixels')).toBeVisible();
    expect(await findProblems(page, 'profile content with a wrong logo')).toEqual([]);
    await page.locator('input[aria-label="Create from an image"]').setInputFiles(picture('large.png', 900, 700));
    await expect(page.getByRole('link', { name: 'logo_640x640.png' })).toBeVisible();
    await next(page);
    await step(page, 'Review');
    await page.setViewportSize(NARROW);
    expect(await findProblems(page, 'check of WhatsApp on a phone')).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expect(card(page, 'WhatsApp').getByText('Pending')).toBeVisible();
    await expect(card(page, 'WhatsApp').getByText(/usually takes 5-7 business days/)).toBeVisible();
  });

  await test.step('the Viber form is completed using only the keyboard', async () => {
    await page.goto('/add-channel/viber');
    await step(page, 'Business details');
    await type(page, 'Business name in English', company_name);
    await type(page, 'Website', `${sandbox.url}/`);
    await type(page, 'Description', 'Coffee roasters; customers get order updates.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await step(page, 'Account details');
    await tabTo(page, 'combobox', 'Traffic');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await type(page, 'Example 1', 'Summer sale: 20% off all beans, this week only.');
    await page.keyboard.press('ControlOrMeta+Enter');
    await step(page, 'Documents');
    // The listener is registered before the key press, because otherwise the file chooser could open first.
    page.on('filechooser', () => {});
    await tabTo(page, 'button', 'Create all sizes from one image');
    await chooseWithEnter(page, picture('logo.png', 720, 560));
    await expect(page.getByRole('button', { name: /^Remove logo_/ })).toHaveCount(6);
    await tabTo(page, 'button', /^Choose: Warranty letter/);
    await chooseWithEnter(page, {
      name: 'letter.pdf',
      mimeType: 'application/pdf',
      buffer: Buffer.from('%PDF-1.7 signed'),
    });
    await expect(page.getByText('All required files are attached.')).toBeVisible();
    expect(await findProblems(page, 'documents of Viber')).toEqual([]);
    await page.keyboard.press('ControlOrMeta+Enter');
    await step(page, 'Review');
    await tabTo(page, 'button', /^Submit for review/);
    await page.keyboard.press('Enter');
    await expect(card(page, 'Viber').getByText('Pending')).toBeVisible();
  });

  await test.step('an operator requests changes to the Viber request and approves the WhatsApp request', async () => {
    await waiting('Viber').click();
    await expect(decision.getByText('Summer sale: 20% off all beans', { exact: false })).toBeVisible();
    await expect(decision.getByRole('link', { name: 'letter.pdf' })).toBeVisible();
    await decision.getByText('Reject', { exact: true }).click();
    await decision.getByRole('combobox', { name: 'Reasons' }).click();
    await desk.getByRole('option', { name: /^The example messages do not match the selected traffic/ }).click();
    // Closes the list of reasons, which covers the next field.
    await desk.keyboard.press('Tab');
    await decision.getByLabel('In your own words').click();
    await decision.getByRole('button', { name: 'Reject request' }).click();
    await expect(desk.getByText(/was rejected/)).toBeVisible();
    // After a decision, the next waiting request opens. Other tests may have left waiting requests behind.
    if (await decision.isVisible()) await desk.keyboard.press('Escape');
    await waiting('WhatsApp').click();
    await expect(decision.getByRole('combobox', { name: 'Connection' })).toHaveValue('Sandbox WhatsApp');
    expect(await findProblems(desk, 'decision on WhatsApp')).toEqual([]);
    await decision.getByRole('button', { name: 'Approve request' }).click();
    await expect(desk.getByText(`${number} was approved`)).toBeVisible();
  });

  await test.step('the open page shows both decisions and links to the corrections', async () => {
    await expect(card(page, 'WhatsApp').getByRole('list').getByText('Available')).toBeVisible();
    await expect(
      card(page, 'Viber').getByText('The example messages do not match the selected traffic', { exact: false }),
    ).toBeVisible();
    await expect(card(page, 'Viber').getByText('Rejected')).toBeVisible();
    expect(await findProblems(page, 'add channel with decisions')).toEqual([]);
    expect((await sandbox.mail(email, /^Approved: WhatsApp sender/)).text).toContain('is approved');
    expect((await sandbox.mail(email, /^Rejected: Viber sender/)).text).toContain('do not match the selected traffic');
    await card(page, 'Viber').getByRole('link', { name: 'Edit and resubmit' }).click();
    await step(page, 'Review');
    await page.getByRole('button', { name: /Account details/ }).click();
    await step(page, 'Account details');
    await expect(
      page.getByText('The example messages do not match the selected traffic', { exact: false }),
    ).toBeVisible();
    await page.getByLabel('Example 1').fill(`${company_name}: your order has left our roastery today.`);
    for (const name of ['Documents', 'Review']) {
      await next(page);
      await step(page, name);
    }
    await page.getByRole('button', { name: 'Resubmit' }).click();
    await expect(card(page, 'Viber').getByText('Pending')).toBeVisible();
  });

  await test.step('an operator approves the Viber request with its service ID', async () => {
    if (await decision.isVisible()) await desk.keyboard.press('Escape');
    await waiting('Viber').click();
    await decision.getByRole('button', { name: 'Approve request' }).click();
    await expect(decision.getByText('Service ID is required!')).toBeVisible();
    const service = await fetch(`${sandbox.url}/api/viber/services`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: company_name }),
    });
    const { service_id } = (await service.json()) as { service_id: number };
    await decision.getByLabel('Service id').fill(String(service_id));
    await decision.getByRole('button', { name: 'Approve request' }).click();
    await expect(desk.getByText(`${company_name} was approved`)).toBeVisible();
    await expect(card(page, 'Viber').getByRole('list').getByText('Available')).toBeVisible();
    // The account now has the channel, without a page reload.
    await expect(card(page, 'Viber').getByRole('heading').getByText('Available')).toBeVisible();
  });

  await test.step('both senders are listed with their carrier state and belong to the account', async () => {
    const newApi = await api(email);
    expect(await newApi.get<{ channels: string[] }>('accounts/self')).toMatchObject({
      channels: ['SMS', 'WHATSAPP', 'VIBER'],
    });
    await page.goto('/senders');
    await page.getByRole('row', { name: /WhatsApp/ }).click();
    const panel = page.getByRole('complementary');
    await expect(panel.getByText('Quality')).toBeVisible();
    await expect(panel.getByText('High', { exact: true })).toBeVisible();
    expect(await findProblems(page, 'sender of WhatsApp')).toEqual([]);
    await page.goto('/senders?tab=numbers');
    await expect(page.getByRole('heading', { name: 'Numbers from other providers' })).toBeVisible();
    expect(await findProblems(page, 'numbers one has elsewhere')).toEqual([]);
  });
});
