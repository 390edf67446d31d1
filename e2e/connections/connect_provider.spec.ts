/** An operator connects an SMS provider from nothing: credentials, a test message, its receipt, and a route. */
import { OPERATOR } from '../api.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';

interface Provider {
  name: string;
  base_path: string;
  settings: Record<string, string>;
}

async function provider(url: string, name: string): Promise<{ base_url: string; settings: Record<string, string> }> {
  const { providers } = (await (await fetch(`${url}/api/providers`)).json()) as { providers: Provider[] };
  const { base_path, settings } = providers.find((one) => one.name === name)!;
  return { base_url: `${url}${base_path}`, settings };
}

/** Sends a test message and waits for its delivery receipt. */
async function sendTest(page: Page, to: string, text: string): Promise<void> {
  const section = page.getByRole('region', { name: 'Test', exact: true });
  await section.getByRole('textbox', { name: 'From' }).fill('447400990001');
  await section.getByRole('textbox', { name: 'To' }).fill(`+${to}`);
  await section.getByRole('textbox', { name: 'Text' }).fill(text);
  await section.getByRole('button', { name: 'Send test message' }).click();
  await expect(section.getByText('Complete', { exact: true })).toBeVisible({ timeout: 30_000 });
  await expect(section.getByText('Delivered', { exact: true })).toBeVisible();
}

test('an operator connects Twilio from nothing and sends', async ({ api, openAs, sandbox }) => {
  test.setTimeout(120_000);
  const operator = await api(OPERATOR);
  const { base_url, settings } = await provider(sandbox.url, 'twilio');
  const name = `Twilio ${Date.now().toString(36)}`;
  const page = await openAs(OPERATOR, { host: 'admin', path: '/connections' });
  await page.getByRole('link', { name: 'Connect a provider' }).click();
  await page.getByRole('searchbox', { name: 'Search providers' }).fill('twi');
  await page.getByRole('link', { name: /^Twilio/ }).click();
  await expect(page.getByRole('heading', { name: 'Connect Twilio' })).toBeVisible();
  await page.getByRole('button', { name: 'Add connection' }).click();
  await expect(page.getByText('Account SID is required!').first()).toBeVisible();
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'Account SID' }).fill(settings.account_sid!);
  await page.getByRole('textbox', { name: 'Auth token' }).fill(settings.auth_token!);
  await page.getByText('More settings').click();
  await page.getByRole('textbox', { name: 'API URL' }).fill(base_url);
  await page.getByRole('button', { name: 'Add connection' }).click();
  await expect(page.getByRole('heading', { name: `Test ${name}` })).toBeVisible();
  const id = new URL(page.url()).searchParams.get('connection')!;
  try {
    await expect(page.getByText('Twilio sends delivery receipts and replies to this server.')).toBeVisible({
      timeout: 20_000,
    });
    const section = page.getByRole('region', { name: 'Test', exact: true });
    const to = `4474${freshDigits(8)}`;
    const text = `Hello from ${name}`;
    await sendTest(page, to, text);
    expect((await sandbox.messages(to)).map((message) => message.text)).toEqual([text]);
    const request = section.getByRole('region', { name: 'Request' });
    await expect(request).toContainText('Basic ••••');
    await expect(request).not.toContainText(settings.auth_token!);
    await expect(section.getByRole('region', { name: 'Response' })).toContainText('HTTP 201');
    await page.getByRole('button', { name: 'Add route' }).click();
    const panel = page.getByRole('complementary', { name: 'Add route' });
    await panel.getByRole('textbox', { name: 'Prefix' }).fill(to);
    await panel.getByRole('textbox', { name: 'Cost' }).fill('0.0075');
    await panel.getByRole('button', { name: 'Add route' }).click();
    await expect(page.getByText(`messages can use ${name}.`)).toBeVisible();
    await page.getByRole('link', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible();
  } finally {
    await operator.put(`connections/${id}`, { enabled: false });
  }
});

test('an operator connects an Android phone', async ({ api, openAs, sandbox }) => {
  test.setTimeout(120_000);
  const operator = await api(OPERATOR);
  const { base_url, settings } = await provider(sandbox.url, 'android');
  const name = `Phone ${Date.now().toString(36)}`;
  const page = await openAs(OPERATOR, { host: 'admin', path: '/connections/add?provider=android' });
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(name);
  await page.getByRole('textbox', { name: 'API URL' }).fill(base_url);
  for (const [label, value] of [
    ['Username', settings.username],
    ['Password', settings.password],
    ['Signing key', settings.signing_key],
  ] as const)
    await page.getByRole('textbox', { name: label, exact: true }).fill(value!);
  await page.getByRole('button', { name: 'Add connection' }).click();
  await expect(page.getByRole('heading', { name: `Test ${name}` })).toBeVisible();
  const id = new URL(page.url()).searchParams.get('connection')!;
  try {
    await sendTest(page, `4474${freshDigits(8)}`, `Hello from ${name}`);
  } finally {
    await operator.put(`connections/${id}`, { enabled: false });
  }
});
