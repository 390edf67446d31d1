/** Team: invitations, permissions, removal, and sub-accounts, with their entries in the audit log. */
import { findProblems } from './accessible/look.ts';
import { OWNER, PASSWORD } from './api.ts';
import { expect, type Page, signIn, test } from './test.ts';

const unique = Date.now().toString(36);
const EMAIL = `tess-${unique}@people.example`;
const menu = (page: Page) => page.getByRole('navigation', { name: 'Main' });

test('an agent is invited, sees the pages they can open, loses a permission, and is removed', async ({
  openAs,
  browser,
  at,
  quiet,
  sandbox,
}) => {
  test.setTimeout(180_000);
  const owner = await openAs(OWNER, { path: '/settings/users' });
  await owner.getByRole('link', { name: 'Add user' }).first().click();
  await expect(owner.getByRole('heading', { level: 1, name: 'Add user' })).toBeVisible();
  await owner.getByLabel('Email').fill(EMAIL);
  await owner.getByLabel('Position').fill('Night shift');
  await owner.getByRole('radio', { name: /Marketer/ }).check({ force: true });
  const preview = owner.getByRole('complementary', { name: 'Access preview' });
  await expect(preview.getByRole('listitem').filter({ hasText: 'SMS' })).not.toContainText('You need');
  await owner.getByRole('radio', { name: /Agent/ }).check({ force: true });
  await expect(preview.getByRole('listitem').filter({ hasText: 'SMS' })).toContainText(
    'You need View Campaign permission.',
  );
  // Adds a permission that the role does not include.
  await owner.getByRole('checkbox', { name: 'View Campaigns' }).check();
  await owner.getByRole('button', { name: 'Send invitation' }).click();
  await expect(owner.getByRole('row', { name: new RegExp(EMAIL) })).toContainText('Pending');

  const { links } = await sandbox.mail(EMAIL, /invite/i);
  const link = new URL(links.find((link) => link.includes('/invitations#token='))!);
  const context = await browser.newContext({
    baseURL: at.app,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
  });
  quiet.watch(context);
  const agent = await context.newPage();
  await agent.goto(link.pathname + link.hash);
  await agent.getByLabel('First name').fill('Tess');
  await agent.getByLabel('Last name').fill('Night');
  await agent.getByLabel('Choose a password').fill(PASSWORD);
  await agent.getByRole('button', { name: /Join|Accept/ }).click();
  await expect(agent.getByRole('heading', { name: 'Hello, Tess' })).toBeVisible();
  await expect(owner.getByRole('row', { name: new RegExp(EMAIL) }), 'the list updates to Accepted').toContainText(
    'Accepted',
  );

  // The user has exactly the selected permissions.
  await agent.goto('/sms/my-campaigns');
  await expect(agent.getByRole('table', { name: 'SMS campaigns' }).or(agent.getByRole('table')).first()).toBeVisible();
  await agent.goto('/settings');
  const tabs = agent.getByRole('navigation', { name: 'Settings' });
  await expect(tabs.getByRole('link', { name: 'My user' })).toBeVisible();
  await expect(tabs.getByRole('link', { name: 'Users' })).toHaveCount(0);
  await agent.goto('/settings/users');
  await expect(agent.getByText('You need Add User permission.', { exact: false })).toBeVisible();

  // The owner previews this user's access and removes the permission. The user's open page updates without a reload.
  await agent.goto('/sms/my-campaigns');
  await expect(agent.getByRole('heading', { level: 1 })).toHaveText('SMS campaigns');
  await owner.goto(`/settings/users?search=${encodeURIComponent(EMAIL)}`);
  await owner.getByRole('row', { name: /Tess Night/ }).click();
  await owner.getByRole('complementary').getByRole('link', { name: 'Edit' }).click();
  await owner.getByRole('button', { name: 'Preview access' }).click();
  const access = owner.getByRole('dialog', { name: 'Access for Tess Night' });
  await expect(access.getByRole('list', { name: 'Pages' }).getByText('/settings/audit-log')).toBeVisible();
  expect(await findProblems(owner, 'see as this user')).toEqual([]);
  await owner.keyboard.press('Escape');
  await expect(access).toHaveCount(0);
  await owner.getByRole('checkbox', { name: 'View Campaigns' }).uncheck();
  await owner.getByRole('button', { name: 'Save user' }).click();
  const start = performance.now();
  await expect(agent.getByText('You need View Campaign permission.', { exact: false })).toBeVisible();
  console.log(`      from the save to the closed page: ${Math.round(performance.now() - start)} ms`);
  await expect(menu(agent).getByRole('link', { name: 'SMS', exact: true })).toHaveAttribute('aria-disabled', 'true');

  // A blocked user is signed out immediately and cannot sign in again.
  quiet.allow(/^40[13] GET \/v1\//);
  await owner.getByRole('button', { name: 'Block', exact: true }).click();
  await owner.getByLabel('Reason').fill('End of the season');
  await owner.getByRole('button', { name: 'Block user' }).click();
  await expect(owner.getByText('Tess Night is blocked and signed out')).toBeVisible();
  await expect(agent.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible();
  await signIn(agent, EMAIL);
  await expect(agent.getByRole('alert').filter({ hasText: /blocked/ })).toBeVisible();
  await context.close();

  await owner.goto('/settings/audit-log');
  const log = owner.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /blocked a user/ }).first()).toContainText('Tess Night');
  await expect(log.getByRole('row', { name: /sent an invitation/ }).first()).toContainText(EMAIL);
  await owner.getByRole('button', { name: 'Export', exact: true }).click();
  await owner.getByRole('menuitem', { name: 'CSV file' }).click();
  const file = owner.waitForEvent('download');
  await owner.getByRole('button', { name: 'Download' }).click();
  expect((await file).suggestedFilename()).toMatch(/^audit-log-.*\.csv$/);
});

test('a sub-account is created, entered, and left, and the audit log records each action', async ({ openAs }) => {
  const name = `Pier ${unique}`;
  const page = await openAs(OWNER, { path: '/subaccounts' });
  await page.getByRole('button', { name: 'Create sub-account' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Company name').fill(name);
  await dialog.getByLabel('First name').fill('Mia');
  await dialog.getByLabel('Last name').fill('Sommer');
  await dialog.getByLabel('Email').fill(`mia-${unique}@people.example`);
  await dialog.getByRole('button', { name: 'Create sub-account' }).click();
  await page.getByRole('row', { name: new RegExp(name) }).click();
  await page.getByRole('complementary').getByRole('button', { name: 'Switch to sub-account' }).click();

  const banner = page.getByRole('region', { name: 'You are acting as another user' });
  await expect(banner).toContainText(`Dana Quill (main account) in ${name}`);
  await expect(page).toHaveURL('/');
  await page.getByRole('button', { name: /menu for/ }).click();
  await expect(page.getByRole('link', { name: 'Company', exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: 'Sub-accounts' }), 'a sub-account has no sub-accounts').toHaveCount(0);
  await page.keyboard.press('Escape');
  await page.goto('/subaccounts');
  await expect(page.getByText('Page not found')).toBeVisible();

  await page.goto('/');
  await banner.getByRole('button', { name: 'Leave' }).click();
  await expect(banner).toHaveCount(0);
  await page.goto('/settings/audit-log');
  const log = page.getByRole('table', { name: 'Audit log' });
  await expect(log.getByRole('row', { name: /entered a sub-account Mia Sommer/ }).first()).toBeVisible();
  // The test left the page right after the click, so the update may arrive a moment later.
  await expect(async () => {
    await page.reload();
    await expect(log.getByRole('row', { name: new RegExp(`left a sub-account.*${name}`) })).toBeVisible({
      timeout: 5_000,
    });
  }).toPass({ timeout: 40_000 });
  await expect(log.getByRole('row', { name: new RegExp(`created a sub-account.*${name}`) })).toBeVisible();
});
