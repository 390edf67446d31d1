import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM } from '../../../test_chromium.ts';
import { until } from '../test/box.ts';
import { openReceiver } from '../test/receiver.ts';
import { openViber, type ViberSender } from '../test/viber.ts';
import { samplePicture } from '../world/picture.ts';

const phone = '447700123456';
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(CHROMIUM);
}, 30_000);
afterAll(() => browser?.close());

async function openPage({ box }: ViberSender, hash: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  await page.goto(`http://127.0.0.1:${box.sandbox.ports.http}/${hash}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return { page, complaints };
}

test('the page manages services and templates and shows why requests are refused', async () => {
  const business = await openViber();
  const { page, complaints } = await openPage(business, '#/viber');
  const firstService = page.getByRole('region', { name: 'Service 30001' });
  await firstService.getByText('sandbox-viber-token').waitFor();
  expect(await firstService.getByLabel('Callback URL').inputValue()).toBe(business.receiver.url);
  await business.send();
  await firstService.getByText('Last callback: HTTP 200').waitFor();

  const form = page.getByRole('form', { name: 'New service' });
  await form.getByLabel('Name').fill('<b>Acme</b>');
  await form.getByRole('button', { name: 'Add service' }).click();
  const newService = page.getByRole('region', { name: 'Service 30002' });
  await newService.getByRole('heading', { name: '<b>Acme</b>' }).waitFor();
  await newService.getByRole('switch', { name: /^Blocked by Viber/ }).check();
  await until(async () => (await business.send({ service_id: 30002 })).status === 43);
  await newService.getByLabel('Callback URL').fill(business.receiver.url);
  await page.keyboard.press('Tab');
  await until(
    async () => (await business.box.get('viber/services')).services[1].callback_url === business.receiver.url,
  );

  const templates = page.getByRole('form', { name: 'New template' });
  await templates.getByLabel('Text').fill('Your code is {{pin}}');
  await templates.getByRole('button', { name: 'Add template' }).click();
  await page.getByText('Your code is {{pin}}', { exact: true }).waitFor();
  const [template] = (await business.box.get('viber/templates')).templates;
  await page.getByRole('button', { name: `Remove template ${template.template_id}` }).click();
  await until(async () => (await business.box.get('viber/templates')).templates.length === 0);

  await business.send({ ttl: 5 });
  const refusals = page.getByRole('region', { name: 'Table of refusals' });
  await refusals.getByText('ttl must be 30 to 1209600 seconds').waitFor();
  await page.getByText(/^Changed settings: /).waitFor();
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await page.getByText('Viber uses the default settings.').waitFor();
  await page.getByLabel('Messages without a reply').fill('5');
  await page.keyboard.press('Tab');
  await until(async () => (await business.box.get('viber/settings')).messages_unanswered === 5);
  expect(complaints).toEqual([]);
});

test("a phone shows a picture, opens a button's URL, replies, and blocks the service", async () => {
  const business = await openViber();
  const { box } = business;
  const shop = await openReceiver('/shop');
  const cdn = await openReceiver('/sale.png');
  cdn.responseBody = { type: 'image/png', bytes: samplePicture() };
  const { page, complaints } = await openPage(business, `#/phones/${phone}`);
  await business.send({
    type: 208,
    label: 'promotion',
    message: {
      '#txt': 'Summer sale',
      '#img': cdn.url,
      '#caption': 'Shop now',
      '#action': shop.url,
    },
  });
  const log = page.getByRole('log', { name: 'Messages' });
  await log.getByText('Summer sale').waitFor();
  const picture = log.getByRole('img', { name: 'Photo' });
  await until(() => picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth === 320));
  const [popup] = await Promise.all([page.waitForEvent('popup'), log.getByRole('link', { name: 'Shop now' }).click()]);
  const visits = () => shop.received.filter(({ path }) => path === '/shop').length;
  await until(() => visits() > 0);
  await popup.close();
  await until(async () => (await box.thread(phone))[0].pressed.length === 1);
  expect(visits()).toBe(1);

  await page.getByRole('textbox', { name: 'Reply text' }).fill('I want it');
  await page.keyboard.press('Enter');
  await until(() => business.messages.length === 1);
  expect(business.messages[0].message).toEqual({ type: 'text', text: 'I want it', tracking_data: 't-1' });

  const blocks = page.getByRole('group', { name: 'Blocked Viber services' });
  await blocks.getByRole('switch', { name: /^Parley/ }).check();
  await until(() => business.receiver.received.some(({ json }) => json.event === 'unsubscribed'));
  expect(await business.send()).toMatchObject({ status: 8 });
  await blocks.getByRole('switch', { name: /^Parley/ }).uncheck();
  await until(() => business.receiver.received.some(({ json }) => json.event === 'subscribed'));
  expect(complaints).toEqual([]);
});

test('the magic numbers for Viber are listed next to those for SMS', async () => {
  const business = await openViber();
  const { page, complaints } = await openPage(business, '#/magic');
  await page.getByRole('region', { name: 'Endings for SMS' }).getByText('900901').waitFor();
  const row = page.getByRole('region', { name: 'Endings for Viber' }).getByRole('row', { name: /900720/ });
  await row.getByText('Blocks the sender').waitFor();
  await row.getByRole('link').click();
  await page.getByText('Magic number: Blocks the sender.').waitFor();
  expect(complaints).toEqual([]);
});
