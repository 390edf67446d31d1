/**
 * Sign-up, sign-in, and every way to recover access. The tests read codes from the sandbox, as users would from their
 * phones and mailboxes.
 */
import { findProblems, NARROW } from './accessible/look.ts';
import { type Api, OWNER, PASSWORD } from './api.ts';
import { freshDigits, type Sandbox } from './sandbox.ts';
import { expect, type Page, test } from './test.ts';

const unique = (): string => `${Date.now().toString(36)}${Math.floor(Math.random() * 1e4).toString(36)}`;

/** Creates a user in the demo company who has the demo password and is ready to sign in. */
async function newcomer(owner: Api, sandbox: Sandbox, app: string): Promise<string> {
  const email = `new-${unique()}@people.example`;
  const link = await invite(owner, sandbox, email);
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get('token');
  const response = await fetch(`${app}/v1/users/self/invitations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ data: { token, first_name: 'Nora', last_name: 'Newcomer', password: PASSWORD } }),
  });
  expect(response.status).toBe(200);
  return email;
}

async function invite(owner: Api, sandbox: Sandbox, email: string): Promise<string> {
  await owner.post('accounts/self/invitations', { email, permissions: { MESSAGES: 1, CONVERSATIONS: 1 } });
  const { links } = await sandbox.mail(email, /invite/i);
  return links.find((link) => link.includes('/invitations#token='))!;
}

async function fillPassword(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

const signOut = async (page: Page): Promise<void> => {
  await page.goto('/logout');
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
};
const dashboard = (page: Page) => page.getByRole('heading', { name: /^Hello,/ });

test('a new company signs up by keyboard, verifies its email and phone, and submits the approval form', async ({
  page,
  sandbox,
}) => {
  const email = `founder-${unique()}@harbour.example`;
  const phone = `49176${freshDigits(8)}`;
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await page.goto('/register?source=e2e');
  await expect(page).toHaveURL(/\/sign-up\?source=e2e/);
  await expect(page.getByLabel('First name')).toBeFocused();
  await press('Enter');
  await expect(page.getByText('First name is required!')).toBeVisible();
  await expect(page.getByText('Email is required!')).toBeVisible();
  await expect(page.getByLabel('First name')).toBeFocused();
  await page.keyboard.type('Frida');
  await press('Tab');
  await page.keyboard.type('Founder');
  await press('Tab');
  await page.keyboard.type(`Harbour ${unique()}`);
  await press('Tab');
  await page.keyboard.type('Germ');
  // Waits for the suggestion, as a person would.
  await expect(page.getByRole('option', { name: /^Germany/ })).toBeVisible();
  await expect(page.getByRole('option', { name: /^United Kingdom/ })).toHaveCount(0);
  await press('Enter');
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue(/^Germany/);
  await press('Tab', 'Tab');
  await expect(page.getByLabel('Email')).toBeFocused();
  await page.keyboard.type(email);
  await press('Tab');
  await page.keyboard.type('short');
  await press('Tab');
  await expect(page.getByText(/must have at least 8 characters, including a digit/)).toBeVisible();
  await press('Shift+Tab');
  await page.keyboard.type('-and-Long-1');
  await press('Tab');
  await expect(page.getByRole('checkbox')).toBeFocused();
  // Tabs past the links to the terms.
  await press('Space', 'Tab', 'Tab', 'Tab', 'Tab');
  await expect(page.getByRole('button', { name: 'Create account' })).toBeFocused();
  await press('Enter');

  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await expect(page.getByLabel('Code')).toBeFocused();
  await page.keyboard.type((await sandbox.mail(email, /code|confirm/i)).codes[0]!);
  await press('Enter');

  // Without a verified phone, no other page is available.
  await expect(page.getByRole('heading', { name: 'Verify your phone number' })).toBeVisible();
  await page.goto('/insights');
  await expect(page).toHaveURL('/phone-verification');
  await page.setViewportSize(NARROW);
  expect(await findProblems(page, 'phone step')).toEqual([]);
  await page.getByLabel('Phone number', { exact: true }).pressSequentially(`+${phone}`);
  await expect(page.getByRole('combobox', { name: 'Country' })).toHaveValue(/^Germany/);
  await press('Enter');
  await expect(page).toHaveURL('/phone-verification?step=code');
  await page.reload();
  await expect(page.getByLabel('Code')).toBeVisible();
  expect(await findProblems(page, 'code step')).toEqual([]);
  await page.getByLabel('Code').fill(await sandbox.textedCode(phone));
  await press('Enter');
  await expect(page).toHaveURL('/');
  await expect(page.locator('h1')).toBeVisible();

  await page.goto('/verification');
  await page.getByLabel('Address').fill('Am Kai 4, 20457 Hamburg');
  await page.getByLabel('What you send').fill('Order updates for customers who opted in at the counter.');
  await page.reload();
  await expect(page.getByLabel('Address')).toHaveValue('Am Kai 4, 20457 Hamburg');
  await page.getByRole('combobox', { name: 'Company size' }).click();
  await page.getByRole('option', { name: '1-50' }).click();
  await page.getByRole('combobox', { name: 'Messages per month' }).click();
  await page.getByRole('option', { name: '1,000 to 10,000' }).click();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByText('Interests are required!')).toBeVisible();
  expect(await findProblems(page, 'verification form with an error')).toEqual([]);
  await page.getByRole('checkbox', { name: 'SMS', exact: true }).check();
  await page.getByRole('button', { name: 'Submit for review' }).click();
  await expect(page.getByRole('heading', { name: 'Your account is under review' })).toBeVisible();
});

test('a forgotten password is reset with a code, which invalidates the emailed link', async ({
  page,
  api,
  sandbox,
  at,
  quiet,
}) => {
  const email = await newcomer(await api(OWNER), sandbox, at.app);
  const requestReset = async () => {
    await page.goto('/sign-in');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    // The previous page has a field with the same name.
    await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible();
    await page.getByLabel('Email', { exact: true }).fill(email);
    await page.getByRole('button', { name: 'Send code' }).click();
    await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
    await expect(page.getByRole('button', { name: /^Send a new code in/ })).toBeDisabled();
    return sandbox.mail(email, /password/i);
  };
  const mail = await requestReset();
  await page.getByLabel('Code').fill(` ${mail.codes[0]!.replace(/(...)/, '$1 ')}`);
  await page.getByRole('button', { name: 'Confirm' }).click();
  await page.getByLabel('New password').fill('Another-password-2');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'Password changed' })).toBeVisible();
  await page.getByRole('link', { name: 'Sign in' }).click();

  quiet.expect(/^401 GET \/v1\/users\/self\/token/);
  await fillPassword(page, email);
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password');
  await fillPassword(page, email, 'Another-password-2');
  await expect(dashboard(page)).toBeVisible();

  quiet.expect(/^410 PUT \/v1\/password_resets/);
  await page.goto(mail.links.find((link) => link.includes('/reset-password/'))!);
  await page.getByLabel('New password').fill('A-third-password-3');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  await page.getByRole('link', { name: 'Request a new link' }).click();
  await expect(page).toHaveURL('/forgot-password');
});

test('an invitation can be accepted only once and only by the invited user', async ({
  page,
  openAs,
  api,
  sandbox,
  quiet,
}) => {
  const email = `guest-${unique()}@people.example`;
  const link = await invite(await api(OWNER), sandbox, email);
  const other = await openAs(OWNER, { path: link });
  await expect(other.getByText(`You are signed in as ${OWNER}`)).toBeVisible();

  await page.goto(link);
  await expect(page.getByText(email)).toBeVisible();
  await page.getByLabel('First name').fill('Gus');
  await page.getByLabel('Last name').fill('Guest');
  await page.getByLabel('Choose a password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Join' }).click();
  await expect(dashboard(page)).toBeVisible();
  await signOut(page);
  quiet.expect(/^409 GET \/v1\/users\/self\/invitations/);
  await page.goto(link);
  await expect(page.getByRole('heading', { name: 'This invitation is no longer valid' })).toBeVisible();
});

test('a user sets up an authenticator and signs in with it or with a recovery code', async ({
  openAs,
  api,
  sandbox,
  at,
}) => {
  const email = await newcomer(await api(OWNER), sandbox, at.app);
  const page = await openAs(email, { path: '/settings/security' });
  await page.getByRole('button', { name: 'Set up', exact: true }).click();
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByRole('img', { name: /QR code/ })).toBeVisible();
  expect(await findProblems(page, 'setting up an authenticator')).toEqual([]);
  const secret = await page.getByRole('button', { name: /^Copy secret/ }).innerText();
  const current = await sandbox.authenticator(email, secret.replace(/\s/g, ''));
  await page.getByLabel('Code', { exact: true }).fill(current.code);
  await page.getByRole('button', { name: 'Confirm' }).click();
  const list = page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem');
  await expect(list).toHaveCount(10);
  const codes = await list.allInnerTexts();
  expect(await findProblems(page, 'recovery codes')).toEqual([]);
  await page.getByLabel('I have saved these codes').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await expect(page.getByText('10 of 10 recovery codes are left.')).toBeVisible();

  await signOut(page);
  await fillPassword(page, email);
  await expect(page.getByRole('heading', { name: 'Confirm it’s you' })).toBeVisible();
  await expect(page.getByLabel('Code', { exact: true })).toBeFocused();
  expect(await findProblems(page, 'second factor')).toEqual([]);
  // The current code may already have been used. The next one is also valid.
  const { next_code } = await sandbox.authenticator(email, secret.replace(/\s/g, ''));
  await page.getByLabel('Code', { exact: true }).fill(next_code);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dashboard(page)).toBeVisible();

  await signOut(page);
  await fillPassword(page, email);
  await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
  await page.getByLabel('Recovery code').fill(codes[0]!);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expect(dashboard(page)).toBeVisible();
  await page.goto('/settings/security');
  await expect(page.getByText('9 of 10 recovery codes are left.')).toBeVisible();
});

test('a passkey can be added, used to sign in, and removed', async ({ openAs, api, sandbox, at }) => {
  const email = await newcomer(await api(OWNER), sandbox, at.app);
  const page = await openAs(email, { path: '/settings/security' });
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await page.getByLabel('Name', { exact: true }).fill('The laptop');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Add passkey' }).click();
  await expect(page.getByRole('list', { name: 'Passkeys' })).toContainText('The laptop');

  await signOut(page);
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await expect(dashboard(page)).toBeVisible();
  await page.goto('/settings/security');
  await page.getByRole('button', { name: 'Remove The laptop' }).click();
  await page.getByRole('button', { name: 'Remove passkey' }).click();
  await expect(page.getByText('You have no passkeys yet.')).toBeVisible();
});

test('a sign-in provider can be used to sign up and sign in, and can be connected to an existing user', async ({
  page,
  api,
  sandbox,
  at,
  quiet,
}) => {
  const stranger = `social-${unique()}@people.example`;
  await page.goto('/sign-in');
  await goToGoogle(page, 'Sonja Social', stranger);
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible();
  expect(page.url()).not.toContain('social_token');
  await expect(page.getByLabel('Email')).toHaveValue(stranger);
  await expect(page.getByLabel('First name')).toHaveValue('Sonja');
  await expect(page.getByLabel('Password', { exact: true })).toHaveCount(0);
  await page.getByLabel('Company').fill(`Social ${unique()}`);
  await page.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { name: 'Verify your phone number' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await goToGoogle(page, 'Sonja Social', stranger);
  await expect(page.getByRole('heading', { name: 'Verify your phone number' })).toBeVisible();
  await page.getByRole('button', { name: 'Sign out' }).click();

  const email = await newcomer(await api(OWNER), sandbox, at.app);
  await goToGoogle(page, 'Nora Newcomer', email);
  await expect(page.getByRole('heading', { name: 'Connect your sign-in provider' })).toBeVisible();
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in and connect' }).click();
  await expect(dashboard(page)).toBeVisible();
  await page.goto('/settings/security');
  const connected = page.getByRole('list', { name: 'Connected sign-in providers' });
  await expect(connected).toContainText(email);
  await page.getByRole('button', { name: 'Disconnect Google' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(connected).toContainText('Not connected');
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await chooseAtGoogle(page, 'Nora Newcomer', email);
  await expect(connected).toContainText(email);
  expect(page.url()).toMatch(/\/settings\/security$/);

  // A user who signed up with a provider must set a password before changing sign-in methods. The confirmation by the
  // provider waits for it.
  await signOut(page);
  await goToGoogle(page, 'Nora Newcomer', email);
  await expect(dashboard(page)).toBeVisible();
  await page.goto('/settings/security');
  quiet.expect(/^400 PUT \/v1\/users\/self\/social_networks\/google/);
  await page.getByRole('button', { name: 'Disconnect Google' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
  await expect(page.getByText('Confirm it’s you')).toBeVisible();
  expect(await findProblems(page, 'asked for the password again')).toEqual([]);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('form', { name: 'Disconnect' }).getByRole('button', { name: 'Disconnect' }).click();
  await expect(connected).toContainText('Not connected');
  quiet.expect(/^400 PUT \/v1\/users\/self\/social_networks$/);
  await page.getByRole('button', { name: 'Connect Google' }).click();
  await chooseAtGoogle(page, 'Nora Newcomer', email);
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('form', { name: 'Connect' }).getByRole('button', { name: 'Connect' }).click();
  await expect(connected).toContainText(email);

  await signOut(page);
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert')).toHaveText('Sign-in with the provider was canceled.');
});

async function goToGoogle(page: Page, name: string, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Continue with Google' }).click();
  await chooseAtGoogle(page, name, email);
}

async function chooseAtGoogle(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('Email', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Continue', exact: true }).click();
}
