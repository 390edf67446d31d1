/** Senders: a sender ID and a short code are requested, rejected, and approved; a number is bought and released. */
import { findProblems, NARROW } from './accessible/look.ts';
import { OPERATOR, OWNER } from './api.ts';
import { expect, type Page, test } from './test.ts';

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();
const step = (page: Page, name: string) =>
  expect(page.getByRole('heading', { level: 2, name, exact: true })).toBeVisible();
/** The server may list the sender before the page gets the response to its own request. */
const attached = async (page: Page, name: string) => {
  await expect(page.getByRole('link', { name })).toBeVisible();
  await expect(page.getByRole('progressbar', { name: `Uploading ${name}` })).toHaveCount(0);
};

test('a sender ID is requested, rejected with a reason, resubmitted, approved, and used', async ({
  openAs,
  sandbox,
}) => {
  test.setTimeout(150_000);
  const code = `Hbr${Date.now().toString(36).slice(-6)}`;
  const page = await openAs(OWNER, { path: '/senders', reducedMotion: 'reduce' });
  await page.getByRole('link', { name: 'Create sender' }).click();
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('combobox', { name: 'Country' }).fill('United Kingdom');
  await page.getByRole('option', { name: 'United Kingdom (GB)' }).click();
  expect(await findProblems(page, 'create sender')).toEqual([]);
  await page.getByRole('link', { name: 'Request sender ID' }).click();

  await step(page, 'Sender ID');
  await page.getByRole('textbox', { name: 'Sender ID' }).fill('12345');
  await next(page);
  await expect(page.getByText('Enter a valid sender ID')).toBeVisible();
  await page.getByRole('textbox', { name: 'Sender ID' }).fill(code);
  await next(page);

  await step(page, 'Company');
  await expect(page.getByLabel('Business name')).toHaveValue('Harbour Coffee');
  await next(page);
  await expect(page.getByText('Business address is required').first()).toBeVisible();
  expect(await findProblems(page, 'company step with errors')).toEqual([]);
  await page.getByRole('textbox', { name: 'Address' }).fill('Am Kai 4, 20457 Hamburg');
  await page.getByLabel('Website').fill(`${sandbox.url}/`);
  await page.getByLabel('Phone').fill('+49 40 1234567');
  await next(page);

  await step(page, 'Purpose');
  await page.getByRole('combobox', { name: 'Purpose' }).click();
  await page.getByRole('option', { name: 'Delivery notifications' }).click();
  await page
    .getByLabel('Description')
    .fill('Customers who order beans get a message when their order ships and when it arrives.');
  await next(page);

  await step(page, 'Examples');
  await page.getByLabel('Example 1').fill('Harbour Coffee: your order has left our roastery today.');
  await page.getByLabel('Example 2').fill('Harbour Coffee: your order has left our roastery today!');
  await next(page);
  await step(page, 'Documents');
  await page.getByRole('combobox', { name: 'Document type' }).click();
  await page.getByRole('option', { name: /^Proof that you own the name/ }).click();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'trademark.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7 proof') });
  await attached(page, 'trademark.pdf');
  await next(page);

  // The check lists the fields that would be rejected, links to them, and allows submission once they are fixed.
  await step(page, 'Review');
  await expect(page.getByText('Example 2 is the same as example 1')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Submit for review' })).toHaveAttribute('aria-disabled', 'true');
  expect(await findProblems(page, 'check with a blocker')).toEqual([]);
  await page.setViewportSize(NARROW);
  expect(await findProblems(page, 'check on a phone')).toEqual([]);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: /^Fix: Example 2/ }).click();
  await step(page, 'Examples');
  await page.getByLabel('Example 2').fill('Harbour Coffee: your parcel was delivered. Enjoy your beans.');
  await next(page);
  await next(page);
  await page.getByRole('button', { name: 'Submit for review' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('A decision is expected within', { exact: false })).toBeVisible();
  await expect(panel.getByText('Pending')).toBeVisible();

  // The operator's view.
  const desk = await openAs(OPERATOR, { host: 'admin', path: '/requests', reducedMotion: 'reduce' });
  const request = desk.getByRole('row', { name: new RegExp(code) });
  const decision = desk.getByRole('complementary');
  // The menu shows the number of waiting requests.
  const waiting = desk.getByRole('link', { name: /^Requests/ });
  await expect(waiting).toHaveText(/[1-9]\d*\+? waiting/);
  const before = await waiting.innerText();
  await request.click();
  await expect(decision.getByText('Harbour Coffee: your parcel was delivered.', { exact: false })).toBeVisible();
  await expect(decision.getByRole('link', { name: 'trademark.pdf' })).toBeVisible();
  await decision.getByText('Reject', { exact: true }).click();
  await decision.getByRole('button', { name: 'Reject request' }).click();
  await expect(decision.getByText('Select a reason or write a message', { exact: false })).toBeVisible();
  await decision.getByRole('combobox', { name: 'Reasons' }).click();
  await desk.getByRole('option', { name: /^The name does not match/ }).click();
  // Closes the list of reasons, which covers the next field.
  await desk.keyboard.press('Tab');
  await decision.getByLabel('In your own words').click();
  expect(await findProblems(desk, 'decision on a sender')).toEqual([]);
  await decision.getByRole('button', { name: 'Reject request' }).click();
  await expect(desk.getByText(`${code} was rejected`)).toBeVisible();
  await expect(waiting).not.toHaveText(before);

  // The page updates without a reload, and an email arrives.
  await expect(panel.getByText('Why it was rejected')).toBeVisible();
  await expect(panel.getByText('The name does not match your company', { exact: false }).first()).toBeVisible();
  expect(await findProblems(page, 'rejected sender')).toEqual([]);
  const mail = await sandbox.mail(OWNER, new RegExp(`Rejected: sender ID ${code}`));
  expect(mail.text).toContain('The name does not match your company');
  await panel.getByRole('link', { name: 'Edit and resubmit' }).click();
  await step(page, 'Review');
  await page
    .getByRole('button', { name: /Sender ID/ })
    .first()
    .click();
  await step(page, 'Sender ID');
  const corrected = `Harbour${code.slice(-4)}`;
  await page.getByRole('textbox', { name: 'Sender ID' }).fill(corrected);
  for (const name of ['Company', 'Purpose', 'Examples', 'Documents', 'Review']) {
    await next(page);
    await step(page, name);
  }
  await page.getByRole('button', { name: 'Resubmit' }).click();
  await expect(panel.getByText('Pending')).toBeVisible();

  // After a decision, the next waiting request opens.
  await desk.goto('/requests');
  await desk.getByRole('row', { name: new RegExp(corrected) }).click();
  await expect(decision.getByText('Other requests from this company')).toBeVisible();
  await decision.getByRole('button', { name: 'Approve request' }).click();
  await expect(desk.getByText(`${corrected} was approved`)).toBeVisible();
  await expect(panel.getByText('Approved').first()).toBeVisible();

  const owner = await fetchToken(page);
  const response = await page.request.post('/v1/messages', {
    headers: { authorization: `Bearer ${owner}` },
    data: { data: { from: corrected, to: ['447400900777'], channel: 'SMS', text: 'Your beans are on their way.' } },
  });
  expect(response.ok()).toBe(true);
  await expect
    .poll(async () => (await sandbox.messages('447400900777')).map(({ from, text }) => `${from}: ${text}`))
    .toContain(`${corrected}: Your beans are on their way.`);
});

const fetchToken = (page: Page) => page.evaluate(() => localStorage.getItem('parley.token'));

test('a short code is requested, rejected as taken, resubmitted, approved, and used to block a contact', async ({
  openAs,
  sandbox,
  quiet,
}) => {
  test.setTimeout(150_000);
  const [takenCode, freeCode] = ['51752', '51753'];
  const page = await openAs(OWNER, { path: '/senders/create-sender', reducedMotion: 'reduce' });
  await page.getByRole('combobox', { name: 'Country' }).click();
  await page.getByRole('combobox', { name: 'Country' }).fill('Netherlands');
  await page.getByRole('option', { name: 'Netherlands (NL)' }).click();
  await page.getByRole('link', { name: 'Request short code' }).click();

  await step(page, 'Code');
  const preferredCodes = page.getByRole('combobox', { name: 'Preferred short codes' });
  const addPreferredCode = async (code: string) => {
    await preferredCodes.fill(code);
    await page.keyboard.press('Enter');
    await expect(page.getByText(code, { exact: true })).toBeVisible();
  };
  await page.getByText('Preferred codes', { exact: true }).click();
  await addPreferredCode(takenCode!);
  expect(await findProblems(page, 'preferred short codes')).toEqual([]);
  await next(page);

  await step(page, 'Company');
  await page.getByRole('textbox', { name: 'Address' }).fill('Am Kai 4, 20457 Hamburg');
  await page.getByLabel('Website').fill(`${sandbox.url}/`);
  await page.getByLabel('Phone').fill('+49 40 1234567');
  await next(page);
  await step(page, 'Purpose');
  await page.getByRole('combobox', { name: 'Purpose' }).click();
  await page.getByRole('option', { name: 'Delivery notifications' }).click();
  await page
    .getByLabel('Description')
    .fill('Customers who order beans get a message when their order ships and when it arrives.');
  await next(page);
  await step(page, 'Opt-in');
  await page.getByLabel('Form URL').fill('https://harbour.example/checkout');
  await page
    .getByLabel('Description')
    .fill('In the shop, customers check the box “I agree to get messages about my order” before they pay.');
  await next(page);
  await step(page, 'Examples');
  await page.getByLabel('Example 1').fill('Harbour Coffee: your order has left our roastery. Reply STOP to end.');
  await page.getByLabel('Example 2').fill('Harbour Coffee: your parcel was delivered. Enjoy your beans.');
  await next(page);
  await step(page, 'Keywords');
  await next(page);
  await step(page, 'Documents');
  await page.locator('input[type=file]').setInputFiles({
    name: 'authorization.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7 signed'),
  });
  await attached(page, 'authorization.pdf');
  await next(page);
  await step(page, 'Review');
  await page.getByRole('button', { name: 'Submit for review' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Pending')).toBeVisible();

  const desk = await openAs(OPERATOR, { host: 'admin', path: '/requests', reducedMotion: 'reduce' });
  const request = desk.getByRole('row', { name: /Short code NL/ });
  const decision = desk.getByRole('complementary');
  await request.click();
  await expect(decision.getByText(takenCode!, { exact: true })).toBeVisible();
  await decision.getByText('Reject', { exact: true }).click();
  await decision.getByRole('combobox', { name: 'Reasons' }).click();
  await desk.getByRole('option', { name: 'None of the short codes you selected is available.' }).click();
  // Closes the list of reasons, which covers the next field.
  await desk.keyboard.press('Tab');
  await decision.getByLabel('In your own words').click();
  await decision.getByRole('button', { name: 'Reject request' }).click();
  await expect(desk.getByText('Short code NL was rejected')).toBeVisible();

  await expect(panel.getByText('Why it was rejected')).toBeVisible();
  await expect(panel.getByText('None of the short codes you selected is available.').first()).toBeVisible();
  const mail = await sandbox.mail(OWNER, /Rejected: .*Short code NL/);
  expect(mail.text).toContain('None of the short codes you selected is available.');
  await panel.getByRole('link', { name: 'Edit and resubmit' }).click();
  await step(page, 'Review');
  await page.getByRole('button', { name: 'Code' }).first().click();
  await step(page, 'Code');
  await expect(page.getByText('None of the short codes you selected is available.')).toBeVisible();
  await preferredCodes.click();
  await page.keyboard.press('Backspace');
  await expect(page.getByText(takenCode!, { exact: true })).toHaveCount(0);
  await addPreferredCode(freeCode!);
  for (const name of ['Company', 'Purpose', 'Opt-in', 'Examples', 'Keywords', 'Documents', 'Review']) {
    await next(page);
    await step(page, name);
  }
  await page.getByRole('button', { name: 'Resubmit' }).click();
  await expect(panel.getByText('Pending')).toBeVisible();

  await desk.goto('/requests');
  await request.click();
  await expect(decision.getByText(freeCode!, { exact: true })).toBeVisible();
  await decision.getByRole('button', { name: 'Approve request' }).click();
  await expect(decision.getByText('Short code is required!')).toBeVisible();
  await decision.getByRole('textbox', { name: 'Short code' }).fill(freeCode!);
  expect(await findProblems(desk, 'short code to be assigned')).toEqual([]);
  await decision.getByRole('button', { name: 'Approve request' }).click();
  await expect(desk.getByText('Short code NL was approved')).toBeVisible();
  await expect(panel.getByText('Available').first()).toBeVisible();
  await expect(panel.getByRole('heading', { name: freeCode! })).toBeVisible();

  // The user blocks a contact, who then receives no more messages, and unblocks the contact.
  const blockedContacts = page.getByRole('region', { name: 'Blocked contacts' });
  const block = async () => {
    await blockedContacts.getByLabel('Block a contact').fill('+31 6 12345678');
    await page.keyboard.press('Enter');
  };
  await block();
  await expect(blockedContacts.getByText('Added manually')).toBeVisible();
  await expect(blockedContacts.getByLabel('Block a contact')).toHaveValue('');
  quiet.expect(/^409 POST \/v1\/senders\/[\w-]+\/blockers/);
  await block();
  await expect(blockedContacts.getByText('This contact is already blocked for the sender')).toBeVisible();
  expect(await findProblems(page, 'blocked contacts')).toEqual([]);
  await page.setViewportSize(NARROW);
  expect(await findProblems(page, 'blocked contacts on a phone', '[role=dialog]')).toEqual([]);
  await blockedContacts.getByRole('button', { name: /^Remove / }).click();
  await expect(blockedContacts.getByText('No blocked contacts.', { exact: false })).toBeVisible();
});

test('a number is bought after its price is shown, listed with its monthly price, and released', async ({ openAs }) => {
  const page = await openAs(OWNER, { path: '/senders/buy-number?type=mobile&country=NL', reducedMotion: 'reduce' });
  await page
    .getByRole('button', { name: /^Buy \+31/ })
    .first()
    .click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText('$5.20 will be charged to your balance now', { exact: false })).toBeVisible();
  const number = (await dialog.getByRole('heading').textContent())!.replace(/\D/g, '');
  await dialog.getByRole('button', { name: 'Buy for $5.20' }).click();
  const panel = page.getByRole('complementary');
  await expect(panel.getByText('Bought')).toBeVisible();
  await expect(panel.getByText('$4.20')).toBeVisible();
  expect(await findProblems(page, 'number that was bought')).toEqual([]);
  await panel.getByRole('button', { name: 'Release' }).click();
  await expect(page.getByText('The current month is not refunded', { exact: false })).toBeVisible();
  await page.getByRole('button', { name: `Release ${number}` }).click();
  await expect(page.getByText(`${number} was released`)).toBeVisible();
});
