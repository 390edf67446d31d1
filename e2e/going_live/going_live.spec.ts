/**
 * Follows docs/going-live.md: from an empty PostgreSQL to a customer's first delivered message through an SMPP carrier
 * that is not Parley's sandbox. Every step is one command or done by hand in the browser. The sandbox of the other
 * tests only simulates the mail server and the authenticator app.
 */
import { PASSWORD } from '../api.ts';
import { chooseOption, signUp } from '../company.ts';
import { freshDigits } from '../sandbox.ts';
import { expect, type Page, test } from '../test.ts';
import { CARRIER_PASSWORD, type Carrier, SYSTEM_ID, startCarrier } from './carrier.ts';
import { type Production, prepareProduction } from './production.ts';

const OPERATOR = 'ada@operators.example';
const PRICES = [
  'channel,country,network,purpose,currency,price',
  'SMS,DE,,,EUR,0.0750',
  'SMS,DE,26202,,EUR,0.0725',
  'SMS,FR,,,EUR,0.0550',
].join('\n');

let production: Production;
let carrier: Carrier;
test.beforeAll(async () => {
  test.setTimeout(120_000);
  const { sandbox } = JSON.parse(process.env.PARLEY_E2E!) as { sandbox: string };
  // The mail server's port follows the ports for HTTP, SMPP, and SMPP over TLS.
  production = await prepareProduction(Number(new URL(sandbox).port) + 3);
  carrier = await startCarrier();
});
test.afterAll(async () => {
  await production?.stop();
  await carrier?.stop();
});

test('a stranger takes an empty database to the first delivered message of a customer', async ({
  browser,
  quiet,
  sandbox,
}) => {
  test.setTimeout(420_000);
  const open = async (baseURL: string): Promise<Page> => {
    const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 800 }, locale: 'en-GB' });
    quiet.watch(context);
    return context.newPage();
  };
  const company = `Molen ${Date.now().toString(36)}`;
  const email = `nora@${Date.now().toString(36)}.example`;
  const phone = `49172${freshDigits(7)}`;
  const desk = await open(production.admin);
  const setup = desk.getByRole('region', { name: 'Finish setup' });

  await test.step('a command creates the operator, and a second run changes nothing', async () => {
    const created = await production.run('operator', 'create', OPERATOR);
    expect(created.text).toContain('It works once');
    const again = await production.run('operator', 'create', OPERATOR);
    expect(again).toMatchObject({ code: 1, text: expect.stringContaining('Nothing was changed') });
    await production.serve();
    await desk.goto(/https?:\S+\/invitations\S+/.exec(created.text)![0]);
  });

  await test.step('the operator sets a password and 2FA before any other page opens', async () => {
    await desk.getByLabel('First name').fill('Ada');
    await desk.getByLabel('Last name').fill('Lund');
    await desk.getByLabel('Choose a password').fill(PASSWORD);
    await desk.getByRole('button', { name: 'Join', exact: true }).click();
    await expect(desk.getByText('Your account requires two-factor authentication.')).toBeVisible();
    quiet.allow(/^403 GET \/v1\//);
    await desk.goto('/prices');
    await expect(desk, 'all other pages are closed').toHaveURL(/\/settings\/security/);
    await desk.getByRole('button', { name: 'Set up', exact: true }).click();
    await desk.getByLabel('Your password').fill(PASSWORD);
    await desk.getByRole('button', { name: 'Continue' }).click();
    const secret = await desk.getByRole('button', { name: /^Copy secret/ }).innerText();
    await desk
      .getByLabel('Code', { exact: true })
      .fill((await sandbox.authenticator(OPERATOR, secret.replace(/\s/g, ''))).code);
    await desk.getByRole('button', { name: 'Confirm' }).click();
    await desk.getByLabel('I have saved these codes').check();
    await desk.getByRole('button', { name: 'Done' }).click();
    await desk.goto('/');
    await expect(setup).toContainText('No connection to a carrier is enabled.');
  });

  await test.step('the operator makes euros the default currency', async () => {
    await desk.goto('/setup');
    await desk
      .getByRole('row', { name: /^EUR/ })
      .getByRole('button', { name: /actions/i })
      .click();
    await desk.getByRole('menuitem', { name: 'Make default' }).click();
    await expect(desk.getByRole('row', { name: /^EUR/ })).toContainText('Default');
  });

  await test.step('the operator loads the numbering plan', async () => {
    await desk.goto('/networks');
    await desk.getByRole('button', { name: 'Update networks' }).first().click();
    await desk.getByRole('button', { name: 'Preview changes' }).click();
    await desk.getByRole('button', { name: 'Replace networks' }).click();
    await expect(desk.getByText('The networks were updated')).toBeVisible();
  });

  await test.step('the operator imports the price list', async () => {
    await desk.goto('/prices');
    await desk.getByRole('button', { name: 'Import price list' }).first().click();
    await desk.locator('input[type=file]').setInputFiles({
      name: 'prices.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(PRICES),
    });
    await desk.getByRole('button', { name: 'Preview changes' }).click();
    await desk.getByRole('button', { name: 'Apply 3 changes' }).click();
    await expect(desk.getByRole('row', { name: /Germany.*Vodafone \(26202\)/ })).toContainText('0.0725');
  });

  await test.step('the operator connects the carrier and routes all numbers to it', async () => {
    await desk.goto('/connections/add?provider=smpp');
    await desk.getByLabel('Name', { exact: true }).fill('Northwind');
    await desk.getByLabel('Host').fill('127.0.0.1');
    await desk.getByLabel('Port', { exact: true }).fill(String(carrier.port));
    const tls = desk.getByRole('switch', { name: 'Use TLS' });
    if (await tls.isChecked()) await tls.uncheck({ force: true });
    await desk.getByLabel('System ID').fill(SYSTEM_ID);
    await desk.getByRole('textbox', { name: /^Password/ }).fill(CARRIER_PASSWORD);
    await desk.getByRole('button', { name: 'Add connection' }).click();
    await expect(desk.getByRole('heading', { name: 'Test Northwind' })).toBeVisible();
    await desk.goto('/connections');
    await expect(desk.getByRole('row', { name: /Northwind/ })).toContainText('1 of 1');
    await desk.goto('/routes');
    await desk.getByRole('button', { name: 'Add route' }).first().click();
    await chooseOption(desk, 'Connection', 'Northwind');
    await desk.getByRole('complementary').getByRole('button', { name: 'Add route' }).click();
    await expect(desk.getByText('The route was added')).toBeVisible();
  });

  await test.step('the operator adds the verification code sender', async () => {
    await desk.goto('/setup');
    await desk.getByRole('button', { name: 'Add sender' }).click();
    await chooseOption(desk, 'Type', 'Sender ID');
    const panel = desk.getByRole('complementary', { name: 'Create sender' });
    await panel.getByRole('textbox', { name: 'Sender' }).fill('Parley');
    await panel.getByRole('textbox', { name: 'Name' }).fill('Codes');
    await panel.getByRole('button', { name: 'Create sender' }).click();
    await expect(desk.getByRole('radio', { name: 'Codes (Parley)' })).toBeChecked();
    const steps = desk.getByRole('region', { name: 'Checklist' }).getByRole('listitem');
    await expect(steps.filter({ hasText: 'Missing' })).toHaveCount(0);
    await expect(steps.filter({ hasText: 'Check' }), 'only the URL without https is left').toHaveCount(1);
  });

  const page = await open(production.app);
  await test.step('a customer signs up with codes by email and through the carrier', async () => {
    await signUp(page, sandbox, { first_name: 'Nora', last_name: 'Molenaar', company, email });
    await page.getByLabel('Phone number', { exact: true }).pressSequentially(`+${phone}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/phone-verification?step=code');
    const { from, text } = await carrier.waitForText(phone, /is your Parley code/);
    expect(from).toBe('Parley');
    await page.getByLabel('Code').fill(/\d{6}/.exec(text)![0]);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Look around first' }).click();
    await page.getByRole('link', { name: 'Verify your company' }).first().click();
    await page.getByLabel('Address').fill('Am Kai 4, 20457 Hamburg');
    await chooseOption(page, 'Industry', /^Retail/);
    await chooseOption(page, 'Company size', '1-50');
    await chooseOption(page, 'Messages per month', '1,000 to 10,000');
    await page.getByLabel('What you send').fill('Pickup notices for customers who asked for them at the counter.');
    await page.getByRole('checkbox', { name: 'SMS', exact: true }).check();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible();
  });

  await test.step('the operator approves the company, gives it a sender, and adds its payment', async () => {
    await desk.goto('/requests?kinds=company');
    await desk.getByRole('row', { name: new RegExp(company) }).click();
    await desk.getByRole('button', { name: 'Approve request' }).click();
    await expect(desk.getByText(`${company} was approved`)).toBeVisible();
    await desk.goto(`/accounts?search=${encodeURIComponent(company)}`);
    await desk.getByRole('row', { name: new RegExp(company) }).click();
    await desk.getByRole('button', { name: 'Add funds' }).click();
    const funds = desk.getByRole('complementary', { name: 'Add funds' });
    await funds.getByLabel('Amount (EUR)').fill('50');
    await funds.getByLabel('Reason').fill('Bank transfer');
    await funds.getByLabel('Reference').fill('INV-1');
    await funds.getByRole('button', { name: 'Add funds' }).click();
    await expect(desk.getByText(`€50.00 added to ${company}`)).toBeVisible();
    await desk.getByRole('navigation', { name: 'Account sections' }).getByRole('link', { name: 'Senders' }).click();
    await desk.getByRole('button', { name: 'Create sender' }).first().click();
    await chooseOption(desk, 'Type', 'Sender ID');
    const panel = desk.getByRole('complementary', { name: 'Create sender' });
    await panel.getByRole('textbox', { name: 'Sender' }).fill('Molen');
    await panel.getByRole('textbox', { name: 'Name' }).fill('The mill');
    await panel.getByRole('button', { name: 'Create sender' }).click();
    await expect(desk.getByRole('table').getByRole('row', { name: /Molen/ })).toBeVisible();
  });

  await test.step('the customer’s first message is delivered', async () => {
    await expect(page.getByRole('heading', { name: 'Your account is verified' })).toBeVisible();
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Try it now' }).click();
    await expect(page).toHaveURL(/\/try-it-now/);
    await page.goto('/try-it-now/sms');
    await page.getByLabel('Message', { exact: true }).fill('The flour is ready.');
    await page.getByRole('button', { name: 'Send test' }).click();
    const preview = page.getByRole('region', { name: 'Message preview' });
    await expect(preview.getByText(/Delivered/)).toBeVisible();
    expect(await carrier.waitForText(phone, /flour/)).toMatchObject({ from: 'Molen', text: 'The flour is ready.' });
  });
  for (const context of browser.contexts()) await context.close();
});
