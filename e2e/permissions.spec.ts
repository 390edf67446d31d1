/** Permissions, and how sessions begin and end. */
import { AGENT, OPERATOR, OWNER } from './api.ts';
import { expect, signIn, test } from './test.ts';

test('an agent sees which pages they cannot open and why', async ({ openAs }) => {
  const page = await openAs(AGENT);
  const menu = page.getByRole('navigation', { name: 'Main' });
  await expect(page.getByRole('heading', { name: 'Hello, Sam' })).toBeVisible();

  const disabledLink = menu.getByRole('link', { name: 'SMS', exact: true });
  await expect(disabledLink).toHaveAttribute('aria-disabled', 'true');
  await disabledLink.hover();
  await expect(page.getByRole('tooltip')).toHaveText('You need View Campaign permission.');
  await disabledLink.press('Enter');
  await disabledLink.click({ force: true });
  await expect(page).toHaveURL('/');
  await expect(page.getByRole('button', { name: /^Balance/ }), 'the agent must not see the balance').toHaveCount(0);

  await page.goto('/sms/my-campaigns');
  await expect(page.getByText('You need View Campaign permission.', { exact: false })).toBeVisible();
  await expect(page.getByRole('table')).toHaveCount(0);
});

test('an agent can answer conversations but not delete them', async ({ openAs, sandbox }) => {
  const phone = '4917604069012';
  await sandbox.write(phone, '4917139200000', 'Is the small room free on Friday?');
  const page = await openAs(AGENT, { path: '/inbox' });
  // The inbox opens the first bucket with conversations.
  await expect(page).toHaveURL(/\/inbox\/(assigned-to-me|unassigned)$/);
  await page.goto('/inbox/unassigned');
  await page.getByRole('button', { name: /Is the small room free/ }).click();
  await expect(page.getByRole('region', { name: 'Messages' })).toContainText('Is the small room free on Friday?');

  const remove = page.getByRole('button', { name: 'Delete conversation' });
  await expect(remove).toHaveAttribute('aria-disabled', 'true');
  // The header can move while the contact pane loads, and then the pointer is beside the button.
  await expect(async () => {
    await page.mouse.move(0, 0);
    await remove.hover();
    await expect(page.getByRole('tooltip')).toHaveText('You need Delete Conversation permission.', { timeout: 1_000 });
  }).toPass();

  await page.getByLabel(/^Reply to/).fill('Yes, it is. Should I reserve it for you?');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect
    .poll(async () => (await sandbox.messages(phone)).map(({ text }) => text))
    .toContain('Yes, it is. Should I reserve it for you?');
});

test('operators have an admin view that customers cannot open', async ({ openAs, quiet }) => {
  const operator = await openAs(OPERATOR, { host: 'admin' });
  const menu = operator.getByRole('navigation', { name: 'Main' });
  await menu.getByRole('link', { name: 'Connections' }).click();
  await expect(menu.getByRole('link', { name: 'Connections' })).toHaveAttribute('aria-current', 'page');
  await expect(operator.getByRole('cell', { name: 'Sandbox', exact: true })).toBeVisible();
  await expect(
    menu.getByRole('link', { name: 'SMS', exact: true }),
    'the operator menu has no customer pages',
  ).toHaveCount(0);

  const customer = await openAs(OWNER, { host: 'admin' });
  await expect(customer.getByRole('heading', { name: 'Hello, Dana' })).toBeVisible();
  await expect(customer.getByRole('link', { name: 'Connections' })).toHaveCount(0);
  await customer.goto('/connections');
  await expect(customer.getByText('Page not found')).toBeVisible();

  quiet.expect(/^403 GET \/v1\/connections/);
  const status = await customer.evaluate<number>(
    `fetch('/v1/connections', {
       headers: { authorization: 'Bearer ' + localStorage.getItem('parley.token') },
     }).then((response) => response.status)`,
  );
  expect(status, 'the API also refuses the request').toBe(403);
});

test('a wrong password shows an error that does not reveal whether the email exists', async ({ page, quiet }) => {
  quiet.expect(/^401 GET \/v1\/users\/self\/token/);
  await page.goto('/');
  await expect(page).toHaveURL('/sign-in');
  await expect(page).toHaveTitle(/^Sign in/);
  await page.getByLabel('Email').fill(OWNER);
  await page.getByLabel('Password', { exact: true }).fill('Not-the-one-1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect(page.getByRole('alert')).toHaveText('Wrong email or password');
  await expect(page.getByLabel('Password', { exact: true })).toBeFocused();

  await signIn(page, OWNER);
  await expect(page.getByRole('heading', { name: 'Hello, Dana' })).toBeVisible();
});

test('signing out in one tab signs out the other tabs', async ({ openAs }) => {
  const first = await openAs(OWNER);
  const second = await first.context().newPage();
  await second.goto('/insights');
  await expect(second.getByRole('heading', { level: 1 })).toBeVisible();

  await first.getByRole('button', { name: /menu for Dana Quill/ }).click();
  await first.getByRole('button', { name: 'Sign out' }).click();
  await expect(first.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await expect(second.getByRole('button', { name: 'Sign in' })).toBeVisible();
  expect(await second.evaluate(`localStorage.getItem('parley.token')`)).toBeNull();
});

test('an ended session redirects to sign-in and then back to the same page', async ({ openAs, at, quiet }) => {
  const page = await openAs(OWNER, { path: '/insights?direction=MO' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const token = await page.evaluate<string>(`localStorage.getItem('parley.token')`);
  const response = await fetch(`${at.app}/v1/users/self/token`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.ok).toBe(true);

  // The page may notice before the reload that the session has ended. Its requests then fail with 401.
  quiet.allow(/^401 GET \/v1\//);
  await page.reload();
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible();
  await signIn(page, OWNER);
  await expect(page).toHaveURL('/insights?direction=MO');
});

test('sign-in returns to the requested page, trailing slashes are removed, and unknown URLs are not found', async ({
  page,
}) => {
  await page.goto('/inbox/unassigned');
  await expect(page).toHaveURL(/\/sign-in\?returnUrl=/);
  await signIn(page, OWNER);
  await expect(page).toHaveURL('/inbox/unassigned');

  await page.goto('/insights/');
  await expect(page).toHaveURL('/insights');
  await page.goto('/no/such/page');
  await expect(page.getByText('Page not found')).toBeVisible();
  await expect(page).toHaveTitle(/^(\(\d+\) )?Page not found/);
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to the dashboard' }).click();
  await expect(page.getByRole('heading', { name: 'Hello, Dana' })).toBeVisible();
});
