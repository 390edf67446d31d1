import { type Browser, chromium, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { CHROMIUM } from '../../../test_chromium.ts';
import { type Box, openBox, until } from '../test/box.ts';

const phone = '447700123456';
let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch(CHROMIUM);
}, 30_000);
afterAll(() => browser?.close());

async function openPage(box: Box, hash: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  page.setDefaultTimeout(30_000);
  const complaints: string[] = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('dialog', (dialog) => complaints.push(`dialog: ${dialog.message()}`));
  await page.goto(`http://127.0.0.1:${box.sandbox.ports.http}/${hash}`);
  await page.getByText('Live', { exact: true }).waitFor();
  return { page, complaints };
}

test('a phone shows new messages live as plain text and can reply to the sender', async () => {
  const box = await openBox();
  const business = await box.business();
  await business.send(phone, 'Before the page was open');
  const { page, complaints } = await openPage(box, `#/phones/${phone}`);
  await page.getByText('Before the page was open').last().waitFor();
  await business.send(phone, '<img src=x onerror=alert(1)> see https://app.example/a?b=1.');
  const thread = page.getByRole('log', { name: 'Messages' });
  await thread.getByText('<img src=x onerror=alert(1)> see').waitFor();
  expect(await thread.getByRole('link').getAttribute('href')).toBe('https://app.example/a?b=1');
  await page.getByRole('textbox', { name: 'Reply text' }).fill('On my way');
  await page.keyboard.press('Enter');
  await thread.getByText('Delivered to the business').waitFor();
  expect(business.replies[0]).toMatchObject({ source_addr: phone, destination_addr: 'Parley' });
  expect(complaints).toEqual([]);
});

test('a number entered in the search box opens a phone whose state can be changed', async () => {
  const box = await openBox();
  const { page, complaints } = await openPage(box, '');
  await page.getByRole('searchbox').fill('+44 7700 900-905');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: '+44 7700 900 905' }).first().waitFor();
  expect(page.url()).toMatch(/#\/phones\/447700900905$/);
  await page.getByText('Magic number: No receipt.').waitFor();
  await page.getByRole('radio', { name: /^Out of reach/ }).check();
  await until(async () => (await box.get('phones/447700900905/messages')).phone.state === 'out_of_reach');
  await page.getByRole('textbox', { name: 'Reply text', disabled: true }).waitFor();
  expect(complaints).toEqual([]);
});

test('the carrier page changes settings, updates counters live, and disconnects binds', async () => {
  const box = await openBox();
  const business = await box.business();
  await box.carrier(await box.get('carrier/usual'));
  const { page, complaints } = await openPage(box, '#/carrier');
  await page.getByText('The carrier uses the default settings.').waitFor();
  await page.getByLabel('Lost').first().fill('25');
  await page.keyboard.press('Tab');
  await page.getByText('Changed settings: receipts lost 25%.').waitFor();
  await page.getByLabel('Expiry').fill('1.5');
  await page.keyboard.press('Tab');
  await until(async () => (await box.get('carrier')).expire_after_ms === 1500);
  await page.getByRole('button', { name: 'Reset to defaults' }).click();
  await until(async () => (await box.get('carrier')).receipts_lost_percent === 0);
  await business.send(phone, 'Count me');
  await page.locator('dt', { hasText: 'Accepted' }).locator('..').getByText('1', { exact: true }).waitFor();
  await page.getByRole('cell', { name: 'acme' }).waitFor();
  let isDisconnected = false;
  business.client.onState = () => {
    isDisconnected = true;
  };
  await page.getByRole('button', { name: 'Disconnect all' }).click();
  await until(() => isDisconnected);
  expect(complaints).toEqual([]);
});
