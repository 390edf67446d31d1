/**
 * A new customer and the operator who approves them: sign-up, approval after a request for information, the first
 * campaign, operator access to the account, and blocking. The tests read codes and emails from the sandbox, as users
 * would from their phones and mailboxes.
 */
import { type Api, OPERATOR, PASSWORD } from './api.ts';
import { chooseOption, signUp } from './company.ts';
import type { Quiet } from './quiet.ts';
import { freshDigits, type Sandbox } from './sandbox.ts';
import { type Addresses, expect, type Page, test } from './test.ts';

const unique = (): string => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e4).toString(36)}`;
const TRIAL_ONLY =
  'During the free trial, you can only send messages to the personal phone number ' +
  'you used to register your free trial account.';

test('a new company is approved, sends a campaign, receives operator support, and is blocked and unblocked', async ({
  page,
  browser,
  api,
  at,
  sandbox,
  quiet,
}) => {
  test.setTimeout(240_000);
  const name = unique();
  const company = `Kaffee ${name}`;
  const email = `frieda@${name}.example`;
  const phone = `49176${freshDigits(8)}`;

  await test.step('the owner signs up and verifies their email and phone', async () => {
    await signUp(page, sandbox, { first_name: 'Frieda', last_name: 'Neu', company, email });
    await expect(page.getByRole('heading', { name: 'Verify your phone number' })).toBeVisible();
    await page.getByLabel('Phone number', { exact: true }).pressSequentially(`+${phone}`);
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL('/phone-verification?step=code');
    await page.getByLabel('Code').fill(await sandbox.textedCode(phone));
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog', { name: 'Welcome to Parley, Frieda' })).toBeVisible();
    await page.getByRole('button', { name: 'Look around first' }).click();
  });

  await test.step('the owner submits the approval form', async () => {
    await page.getByRole('link', { name: 'Verify your company' }).first().click();
    await page.getByLabel('Address').fill('Am Kai 4');
    await chooseOption(page, 'Industry', /^Retail/);
    await chooseOption(page, 'Company size', '1-50');
    await chooseOption(page, 'Messages per month', '1,000 to 10,000');
    await page.getByLabel('What you send').fill('Occasional messages to people.');
    await page.getByRole('checkbox', { name: 'SMS', exact: true }).check();
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible();
  });

  const operator = await browser.newContext({ baseURL: at.admin, viewport: { width: 1280, height: 800 } });
  quiet.watch(operator);
  const desk = await operator.newPage();
  const review = desk.getByRole('complementary', { name: company });
  const waiting = desk.getByRole('row', { name: new RegExp(company) });

  await test.step('an operator signs in with an authenticator code and requests more information', async () => {
    await desk.goto('/requests?kinds=company');
    await signInWithCode(desk, at, quiet);
    await waiting.click();
    await expect(review.getByText('Occasional messages to people.')).toBeVisible();
    await review.getByText('Request info', { exact: true }).click();
    await review.getByRole('button', { name: 'Request information' }).click();
    await expect(review.getByText('Select a reason or write a message to the customer')).toBeVisible();
    await review.getByRole('combobox', { name: 'Reasons' }).click();
    await desk.getByRole('option', { name: /^The description does not say which messages/ }).click();
    await review.getByLabel('In your own words').fill('And what town is your shop in?');
    await review.getByRole('button', { name: 'Request information' }).click();
    await expect(desk.getByText(`${company}: more information requested`)).toBeVisible();
  });

  await test.step('the open page and an email state what is missing, and the owner resubmits the form', async () => {
    const status = page.getByRole('status').filter({ hasText: 'We need more information:' });
    await expect(status).toContainText('how recipients opted in. And what town is your shop in?');
    const { text } = await sandbox.mail(email, /We need more information about your company/);
    expect(text).toContain('And what town is your shop in?');
    await expect(page.getByLabel('Address'), 'the form keeps the submitted address').toHaveValue('Am Kai 4');
    await page.getByLabel('Address').fill('Am Kai 4, 20457 Hamburg');
    await page.getByLabel('What you send').fill('Pickup notices for customers who asked for them at the counter.');
    await page.getByRole('button', { name: 'Submit for review' }).click();
    await expect(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible();
  });

  await test.step('the operator approves the resubmitted request, and the open page updates', async () => {
    await desk.keyboard.press('Escape');
    await waiting.click();
    await expect(review.getByText('Am Kai 4, 20457 Hamburg')).toBeVisible();
    await expect(review.getByText('And what town is your shop in?', { exact: false }).first()).toBeVisible();
    await review.getByRole('button', { name: 'Approve request' }).click();
    await expect(desk.getByText(`${company} was approved`)).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Your account is verified' })).toBeVisible();
    await sandbox.mail(email, /Your account is approved/);
    await page.getByRole('link', { name: 'Go to the dashboard' }).click();
    const welcome = page.getByRole('dialog', { name: 'Welcome to Parley, Frieda' });
    await expect(welcome).toContainText('Your company is verified.');
    await expect(welcome.getByRole('button', { name: 'Create API key' })).toBeEnabled();
    await welcome.getByRole('button', { name: 'Look around first' }).click();
    await expect(page.getByRole('button', { name: /^Balance/ }), 'the balance shows the trial credit').toContainText(
      '1.00',
    );
  });

  const account = desk.getByRole('navigation', { name: 'Account sections' });
  const sender = `Kai${name.slice(-6)}`;
  await test.step('the operator assigns a sender to the company', async () => {
    await desk.goto(`/accounts?search=${encodeURIComponent(company)}`);
    await desk.getByRole('row', { name: new RegExp(company) }).click();
    await account.getByRole('link', { name: 'Senders' }).click();
    await desk.getByRole('button', { name: 'Create sender' }).first().click();
    const panel = desk.getByRole('complementary', { name: 'Create sender' });
    await chooseOption(desk, 'Type', 'Sender ID');
    await panel.getByRole('textbox', { name: 'Sender' }).fill(sender);
    await panel.getByRole('textbox', { name: 'Name' }).fill('The counter');
    await panel.getByRole('button', { name: 'Create sender' }).click();
    await expect(desk.getByRole('table').getByRole('row', { name: new RegExp(sender) })).toBeVisible();
  });

  await test.step('the first campaign arrives on the phone', async () => {
    const customer = await api(email);
    const guest = `4917604${freshDigits(6)}`;
    await customer.importAudience('Guests', `Number,First name\n+${guest},Gesa`);
    await writeCampaign(page, 'The counter', 'Guests', 'Hello {first_name}, your beans are roasted.');
    await page.getByRole('button', { name: /^Send to 1 person for/ }).click();
    await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
    const texts = (await sandbox.messages(guest)).map(({ from, text }) => `${from}: ${text}`);
    expect(texts).toEqual([`${sender}: Hello Gesa, your beans are roasted.`]);
  });

  await test.step('the operator enters the account with a banner, no API keys, and an audit log entry', async () => {
    await account.getByRole('link', { name: 'Overview' }).click();
    await desk.getByRole('button', { name: 'Enter account' }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('Ticket 4711: the first campaign');
    const opening = operator.waitForEvent('page');
    await dialog.getByRole('button', { name: 'Enter account' }).click();
    const accountPage = await opening;
    const banner = accountPage.getByRole('region', { name: 'You are acting as another user' });
    await expect(banner).toContainText(`(operator) in ${company}`);
    await expect(banner).toContainText('as Frieda Neu · Ticket 4711: the first campaign');
    expect(new URL(accountPage.url()).search, 'the key is removed from the URL').toBe('');
    expect(new URL(accountPage.url()).origin, 'the page opens on the customer host').toBe(at.app);
    expect(await rightsIn(accountPage)).toMatchObject({ KEYS: 0, MEDIA: 3, CAMPAIGNS: 15, ACCOUNTS: 15 });
    await accountPage.goto(`${at.app}/sms/my-campaigns`);
    await expect(banner).toBeVisible();
    await expect(accountPage.getByRole('row', { name: /First beans/ })).toBeVisible();

    await page.goto('/settings/audit-log');
    const log = page.getByRole('table', { name: 'Audit log' });
    await log.getByRole('row', { name: /entered the account for support/ }).click();
    await expect(page.getByRole('complementary')).toContainText('Ticket 4711: the first campaign');
    await page.keyboard.press('Escape');
    const closing = accountPage.waitForEvent('close');
    await banner.getByRole('button', { name: 'Leave' }).click();
    await closing;
    await page.reload();
    await expect(log.getByRole('row', { name: /left the account/ })).toBeVisible();
  });

  await test.step('blocking the company signs it out immediately, and unblocking lets it sign in again', async () => {
    quiet.allow(/^40[13] GET \/v1\//);
    await confirmWithReason('Block', 'Block account', 'Unpaid since summer');
    const start = performance.now();
    const { host } = new URL(at.app);
    const notice = 'Your user is temporarily blocked, please contact the support address at';
    const text = `${notice} ${host} for more information.`;
    await expect(page.getByText(text, { exact: true })).toBeVisible();
    console.log(`      from the block to the way out: ${Math.round(performance.now() - start)} ms`);
    await expect(desk.getByText(`${company} is blocked`, { exact: true })).toBeVisible();
    await signIn(page, email);
    await expect(page.getByRole('alert').filter({ hasText: 'temporarily blocked' })).toBeVisible();
    await sandbox.mail(email, /Your account is blocked/);

    await confirmWithReason('Unblock', 'Unblock account', 'Paid today');
    await expect(desk.getByText(`${company} is unblocked`)).toBeVisible();
    await signIn(page, email);
    await expect(page.getByRole('button', { name: /menu for Frieda Neu/ })).toBeVisible();
  });
  await operator.close();

  async function confirmWithReason(button: string, action: string, reason: string): Promise<void> {
    await desk.getByRole('button', { name: button, exact: true }).click();
    const dialog = desk.getByRole('dialog');
    await dialog.getByLabel('Reason').fill(reason);
    const response = desk.waitForResponse((received) => received.url().endsWith('/block'));
    await dialog.getByRole('button', { name: action }).click();
    await response;
  }
});

test('a US trial account can send only to its owner’s verified number', async ({ openAs, api, at, sandbox }) => {
  test.setTimeout(120_000);
  const ownNumber = `1202555${freshDigits(4)}`;
  const other = '12025550199';
  const email = `uma@${unique()}.example`;
  const account_id = await approved(at, sandbox, await api(OPERATOR), email, ownNumber);
  const sender = `1202${freshDigits(7)}`;
  const operator = await api(OPERATOR);
  await operator.post(`accounts/${account_id}/senders`, { type: 'local', code: sender, name: 'Front desk' });
  const customer = await api(email);
  await customer.importAudience('Everybody', `Number\n+${ownNumber}\n+${other}`);
  await customer.importAudience('Me', `Number\n+${ownNumber}`);

  const page = await openAs(email);
  await page.getByRole('button', { name: 'Look around first' }).click();
  await writeCampaign(page, 'Front desk', 'Everybody', 'The first one');
  await expect(page.getByRole('region', { name: 'Blockers' })).toContainText(TRIAL_ONLY);
  await page.getByRole('region', { name: 'Blockers' }).getByText('Select another audience').click();
  await chooseOption(page, 'Audience', /^Me/);
  await next(page);
  await next(page);
  await page.getByRole('button', { name: /^Send to 1 person for/ }).click();
  await expect(page.getByRole('main').getByText('Completed')).toBeVisible();
  expect((await sandbox.messages(ownNumber)).map(({ text }) => text)).toContain('The first one');

  const refusal = await customer
    .post('messages', { from: sender, to: [other], channel: 'SMS', text: 'Not this one' })
    .catch(String);
  expect(refusal).toContain(TRIAL_ONLY);
  expect((await sandbox.messages(other)).map(({ text }) => text)).not.toContain('Not this one');
});

async function writeCampaign(page: Page, sender: string, audience: string, text: string): Promise<void> {
  await page.goto('/sms/create-campaign');
  await page.getByLabel('Name').fill('First beans');
  await chooseOption(page, 'Sender', new RegExp(sender));
  await chooseOption(page, 'Audience', new RegExp(`^${audience}`));
  await next(page);
  await page.getByRole('textbox', { name: 'Text' }).fill(text);
  await next(page);
}

const next = (page: Page) => page.getByRole('button', { name: 'Next', exact: true }).click();

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

/** A code works only once. An earlier test may have used the current code, but the next one is already valid. */
async function signInWithCode(page: Page, at: Addresses, quiet: Quiet): Promise<void> {
  quiet.allow(/^4\d\d PUT \/v1\/login_verifications\//);
  await signIn(page, OPERATOR);
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  for (let attempt = 0; attempt < 2; attempt++) {
    const response = await fetch(`${at.sandbox}/api/authenticators/${OPERATOR}`);
    const codes = (await response.json()) as { code: string; next_code: string; seconds_left: number };
    for (const code of [codes.code, codes.next_code]) {
      await page.getByLabel('Code', { exact: true }).fill(code);
      const verification = page.waitForResponse(/\/v1\/login_verifications\//);
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      if ((await verification).ok()) return;
    }
    await page.waitForTimeout(codes.seconds_left * 1_000 + 200);
  }
  throw new Error('No authenticator code was accepted');
}

const rightsIn = (page: Page) =>
  page.evaluate<Record<string, number>>(`fetch('/v1/users/self', {
    headers: { authorization: 'Bearer ' + sessionStorage.getItem('parley.entered') },
  }).then((answer) => answer.json()).then(({ data }) => data.permissions)`);

/** Signs up through the API. The test above covers the screens. */
async function approved(at: Addresses, sandbox: Sandbox, operator: Api, email: string, phone: string): Promise<string> {
  let token = '';
  const request = async <T>(method: string, path: string, data: unknown): Promise<T> => {
    const response = await fetch(`${at.app}/v1/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...(token ? { authorization: `Bearer ${token}` } : {}) },
      body: JSON.stringify({ data }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.status === 204 ? (null as T) : ((await response.json()) as { data: T }).data;
  };
  const company = { company_name: `Bagels ${unique()}`, country_code: 'US' };
  const person = { first_name: 'Uma', last_name: 'Newman', email, password: PASSWORD };
  const { verification_id } = await request<{ verification_id: string }>('POST', 'users', {
    ...company,
    ...person,
    terms: true,
  });
  const [code] = (await sandbox.mail(email, /code|confirm/i)).codes;
  const session = await request<{ access_token: string }>('PUT', `email_verifications/${verification_id}`, { code });
  token = session.access_token;
  const { id } = await request<{ id: string }>('POST', 'phone_verifications', { phone_number: `+${phone}` });
  await request('PUT', `phone_verifications/${id}`, { code: await sandbox.textedCode(phone) });
  const review = await request<{ id: string; account_id: string }>('POST', 'accounts/self/verifications', {
    ...company,
    company_address: '4 Harbor Street, Washington',
    company_website: '',
    company_size: '1-50',
    industry_id: 1,
    use_case: 'Pickup notices for customers who asked for them at the counter.',
    interests: ['sms'],
    monthly_volume: 'under_1000',
  });
  await operator.put(`requests/${review.id}`, { decision: 'approve' });
  return review.account_id;
}
