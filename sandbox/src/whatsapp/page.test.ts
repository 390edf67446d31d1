import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM } from '../../../test_chromium.ts';
import { openBox, until } from '../test/box.ts';
import { openWhatsapp, type WhatsappBusiness, waba } from '../test/whatsapp.ts';
import { samplePicture } from '../world/picture.ts';

const phone = '447700123456';
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(CHROMIUM);
}, 30_000);
afterAll(() => browser?.close());

async function openPage({ origin }: WhatsappBusiness, hash: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(15_000);
  const complaints: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`${origin}/${hash}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return { page, complaints };
}

test('a phone shows WhatsApp messages, presses buttons, replies, sends files, and marks messages as read', async () => {
  const box = await openBox();
  const business = await openWhatsapp(box);
  await business.openWindow(phone, 'Is anyone there?');
  await box.call('PUT', `phones/${phone}`, { reads: 'by_hand' });
  const { page, complaints } = await openPage(business, `#/phones/${phone}`);
  const thread = page.getByRole('log', { name: 'Messages' });
  await thread.getByText('Is anyone there?').waitFor();
  const action = { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes <b>please</b>' } }] };
  const messageId = await business.send(phone, {
    type: 'interactive',
    interactive: {
      type: 'button',
      body: { text: 'Shall we? *At nine* in room a_b_c: https://x.example/_a_' },
      footer: { text: 'Acme' },
      action,
    },
  });
  await thread.getByText('Delivered', { exact: true }).waitFor();
  // WhatsApp formatting does not apply within words or URLs.
  expect(await thread.locator('.chat-text b, .chat-text i').allTextContents()).toEqual(['At nine']);
  await thread.getByRole('button', { name: 'Yes <b>please</b>' }).click();
  await until(() => business.hooks.messages.some((message) => message.context?.id === messageId));
  await until(() => thread.getByRole('button', { name: 'Yes <b>please</b>' }).isDisabled());
  await page.getByRole('button', { name: 'Read messages' }).click();
  await thread.getByText('Read', { exact: true }).waitFor();
  await until(() => business.hooks.statusesFor(messageId).includes('read'));

  await page.getByPlaceholder('WhatsApp message').fill('On my way');
  await page.keyboard.press('Enter');
  await until(() => business.hooks.messages.some((message) => message.text?.body === 'On my way'));
  const file = { name: 'door.png', mimeType: 'image/png', buffer: samplePicture() };
  await page.locator('input[type=file]').setInputFiles(file);
  await until(() => business.hooks.messages.some((message) => message.type === 'image'));
  const image = thread.locator('img');
  await image.waitFor();
  await until(() => image.evaluate((picture) => (picture as unknown as { naturalWidth: number }).naturalWidth > 0));
  await page.getByRole('switch', { name: /^WhatsApp/ }).uncheck();
  await until(async () => (await box.get(`phones/${phone}/messages`)).phone.whatsapp === false);
  const [{ id }] = (await business.message(phone, { text: { body: 'Still there?' } })).body.messages;
  await thread.getByText('Failed: 131026 Message undeliverable').waitFor();
  await until(() => business.hooks.statusesFor(id).includes('failed'));
  expect(complaints).toEqual([]);
});

test('the page reviews templates and lists changed settings', async () => {
  const box = await openBox();
  const business = await openWhatsapp(box);
  const { id } = await business.callOk('POST', `${waba}/message_templates`, {
    name: 'stay_pending',
    language: 'en',
    category: 'MARKETING',
    components: [{ type: 'BODY', text: 'News from the <i>shop</i>' }],
  });
  const { page, complaints } = await openPage(business, '#/whatsapp');
  const row = page.locator(`[data-template="${id}"]`);
  await row.getByText('News from the <i>shop</i>').waitFor();
  await row.getByLabel('Reason to reject stay_pending (en)').selectOption('SCAM');
  await row.getByRole('button', { name: 'Reject' }).click();
  await row.getByText('rejected', { exact: true }).waitFor();
  expect(await business.callOk('GET', id)).toMatchObject({ status: 'REJECTED', rejected_reason: 'SCAM' });
  await row.getByRole('button', { name: 'Approve' }).click();
  await row.getByText('approved', { exact: true }).waitFor();
  await page.getByLabel('Quality of 447700900100').selectOption('YELLOW');
  await until(async () => (await box.get('whatsapp/numbers')).numbers[0].quality_rating === 'YELLOW');
  await page.getByLabel('Lost responses').fill('30');
  await page.keyboard.press('Tab');
  await page.getByText(/Changed settings: .*responses lost 30%/).waitFor();
  expect((await box.get('whatsapp')).answers_cut_percent).toBe(30);
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await page.getByText('WhatsApp uses the default settings.').waitFor();
  await page.getByText(`Sent to ${business.hooks.url}.`).waitFor();
  expect(complaints).toEqual([]);
});
