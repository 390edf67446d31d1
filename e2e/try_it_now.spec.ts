/**
 * The Try it now pages for every channel: a test message to the user's own phone, the reply on the page, the API
 * request, and rejected messages.
 */
import { findProblems, findProblemsAtBothWidths } from './accessible/look.ts';
import { type Api, OWNER } from './api.ts';
import { chatPhone, newNumber } from './chat_phones.ts';
import { expect, type Page, test } from './test.ts';

const newSuffix = () => Date.now().toString(36).slice(-6);
const onThePhone = (page: Page) => page.getByRole('region', { name: 'Message preview' });
const program = (page: Page) => page.getByRole('region', { name: 'API request' });
const readRemainingTests = async (page: Page) =>
  Number(/^(\d+) of 20 free tests left today$/.exec(await page.getByText(/ left today$/).innerText())![1]);

interface State {
  numbers: { number: string }[];
}
const ownNumber = async (api: Api): Promise<string> => (await api.get<State>('try_it_now/sms')).numbers[0]!.number;

/** Opens the phone from the page, as a person would, and replies there. */
async function replyOnPhone(page: Page, expected: string, reply: string): Promise<void> {
  const [phone] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: 'Open virtual phone' }).click(),
  ]);
  await expect(phone.getByRole('log', { name: 'Messages' }).getByText(expected)).toBeVisible();
  await phone.getByLabel('Reply text').fill(reply);
  await phone.keyboard.press('Enter');
  await expect(phone.getByRole('log', { name: 'Messages' }).getByText(reply)).toBeVisible();
  await phone.close();
}

for (const [channel, path] of [
  ['SMS', 'sms'],
  ['VIBER', 'viber'],
] as const)
  test(`a test message on ${channel} goes only to the user's own phone, and the reply appears on the page`, async ({
    openAs,
    api,
    quiet,
    sandbox,
  }) => {
    const number = await ownNumber(await api(OWNER));
    const text = `Is this how it looks? ${newSuffix()}`;
    const page = await openAs(OWNER, { path: `/try-it-now/${path}`, reducedMotion: 'reduce' });
    // The number is formatted with spaces.
    const digits = async () => (await page.getByLabel('To', { exact: true }).inputValue()).replace(/\D/g, '');
    await expect.poll(digits).toBe(number);
    const before = await readRemainingTests(page);
    await page.getByLabel('Message', { exact: true }).fill(text);
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(onThePhone(page).getByText(/Delivered|Read/)).toBeVisible();
    await expect(onThePhone(page).getByText(text)).toBeVisible();
    await expect.poll(() => readRemainingTests(page)).toBe(before - 1);
    await expect(program(page)).toContainText(`"text": "${text}"`);
    await expect(program(page)).toContainText(number);
    await program(page)
      .getByText(/^JavaScript/)
      .click();
    await expect(program(page)).toContainText('await fetch(');

    const reply = `It looks good ${newSuffix()}`;
    await replyOnPhone(page, text, reply);
    await expect(onThePhone(page).getByText(reply)).toBeVisible();
    expect(await findProblemsAtBothWidths(page, `try ${channel}`)).toEqual([]);

    const stranger = newNumber();
    quiet.expect(/^400 POST \/v1\/messages/);
    await page.getByLabel('To', { exact: true }).fill(stranger);
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(
      page.getByText(`Test messages can be sent only to your own verified phones: ${stranger}`, { exact: false }),
    ).toBeVisible();
    expect(await findProblems(page, `try ${channel}, refused`)).toEqual([]);
    expect(await chatPhone(sandbox, stranger).messages()).toEqual([]);
  });

test('a WhatsApp test starts with a template and allows free text after the user replies', async ({ openAs, api }) => {
  test.setTimeout(180_000);
  const owner = await api(OWNER);
  const name = `trial_${newSuffix()}`;
  const { id } = await owner.post<{ id: string }>('templates', {
    channel: 'WHATSAPP',
    name,
    text: 'Dear {first_name:friend}, this is what our messages look like.',
    buttons: [{ type: 'quick_reply', text: 'Good' }],
    samples: ['Ann'],
    wa_category: 'UTILITY',
    wa_sender_code: '4917139200900',
    language: 'en',
  });
  await expect
    .poll(async () => (await owner.get<{ status: string }>(`templates/${id}`)).status, { timeout: 40_000 })
    .toBe('COMPLETED');
  const page = await openAs(OWNER, { path: '/try-it-now', reducedMotion: 'reduce' });
  expect(await findProblemsAtBothWidths(page, 'channels to try')).toEqual([]);
  await page.getByRole('link', { name: 'Try it: WhatsApp' }).click();
  await expect(page.getByText(/^Approved template “/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Send test' })).toBeEnabled();
  await page.getByRole('button', { name: 'Use a template' }).click();
  const dialog = page.getByRole('dialog', { name: 'Use a template' });
  await dialog.getByRole('button', { name }).click();
  const who = `Olga ${newSuffix()}`;
  await dialog.getByLabel('first_name, variable 1').fill(who);
  await dialog.getByRole('button', { name: 'Send' }).click();
  const text = `Dear ${who}, this is what our messages look like.`;
  await expect(onThePhone(page).getByText(text)).toBeVisible();
  await expect(onThePhone(page).getByRole('list', { name: 'Buttons' })).toContainText('Good');
  await expect(onThePhone(page).getByText(/Delivered|Read/)).toBeVisible();
  await expect(program(page)).toContainText(`"template": "${id}"`);

  const reply = `Here I am ${newSuffix()}`;
  await replyOnPhone(page, text, reply);
  await expect(onThePhone(page).getByText(reply)).toBeVisible();
  await page.getByLabel('Message', { exact: true }).fill('And now anything goes');
  await page.getByRole('button', { name: 'Send test' }).click();
  await expect(onThePhone(page).getByText(/Delivered|Read/)).toHaveCount(2);

  await test.step('a fallback channel is not used when the first channel delivers', async () => {
    await page.getByRole('button', { name: 'Add fallback channel' }).click();
    expect(await findProblemsAtBothWidths(page, 'try WhatsApp, then Viber')).toEqual([]);
    await page.getByRole('button', { name: 'Send test' }).click();
    await expect(page.getByRole('radiogroup', { name: 'Phone by channel' })).toContainText('Not needed');
    await expect(page.getByRole('list', { name: 'Timeline' })).toContainText('2. Viber not needed');
    await expect(program(page)).toContainText('"fallbacks"');
  });
});
