/**
 * White label: a reseller sets a brand. The users of its sub-account see it in emails, pages, and the browser tab, and
 * everyone else still sees the installation's.
 */
import { findProblems } from '../accessible/look.ts';
import { PASSWORD } from '../api.ts';
import { newCompany } from '../company.ts';
import { expect, type Page, test } from '../test.ts';

const LOGO =
  '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="30" viewBox="0 0 120 30">' +
  '<rect width="120" height="30" rx="6" fill="#b4531f"/></svg>';
const UNSAFE_LOGO = LOGO.replace('<rect', '<script>document.title="hacked"</script><rect');

/** Collects every name that the title and the logo have from the moment on which the page is opened. */
const WATCH = `
  window.names = [];
  new MutationObserver(() => {
    const logo = document.querySelector('nav[aria-label="Main"] img, nav[aria-label="Main"] a span span');
    window.names.push(document.title, logo?.getAttribute('alt') ?? logo?.textContent ?? '');
  }).observe(document, { subtree: true, childList: true, characterData: true });`;
const readNames = async (page: Page): Promise<string[]> =>
  ((await page.evaluate('window.names.join("\\n")')) as string).split('\n');

test('only the sub-accounts of a reseller see its brand', async ({ at, sandbox, openAs, browser, quiet }) => {
  test.setTimeout(180_000);
  const reseller = await newCompany(at, sandbox);
  const suffix = Date.now().toString(36);
  const email = `rita@${suffix}.example`;
  await reseller.api.put('accounts/self/preference', { welcome_closed: true });
  const page = await openAs(reseller.email, { path: '/settings/brand' });

  await test.step('the page explains that a brand needs a sub-account', async () => {
    await expect(page.getByText('No sub-accounts yet')).toBeVisible();
    expect(await findProblems(page, 'brand without sub-accounts')).toEqual([]);
  });

  await test.step('the reseller sets a name, a color, and a logo', async () => {
    await reseller.api.post('accounts/self/subaccounts', {
      ...{ company_name: `Branch ${suffix}`, country_code: 'DE', timezone: 'Europe/Berlin' },
      ...{ email: `first@${suffix}.example`, first_name: 'Rita', last_name: 'Berg' },
    });
    await page.reload();
    const name = page.getByRole('textbox', { name: 'Name', exact: true });
    await name.fill('Parley Support');
    await page.getByRole('button', { name: 'Save brand' }).click();
    quiet.expect(/^400 PUT \/v1\/brand/);
    await expect(page.getByText('This name is too similar to the name of this service').first()).toBeVisible();
    await name.fill('Acme Texts');
    await page.getByRole('textbox', { name: /^Color/ }).fill('#ffd400');
    const logo = page.getByRole('group', { name: 'Logo', exact: true });
    const upload = (svg: string) =>
      logo
        .locator('input[type=file]')
        .setInputFiles({ name: 'logo.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) });
    quiet.expect(/^400 POST \/v1\/brand_images/);
    await upload(UNSAFE_LOGO);
    await expect(logo).toContainText('The SVG image contains scripts or external links');
    await upload(LOGO);
    await expect(page.getByRole('img', { name: 'Logo', exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Save brand' }).click();
    await expect(page.getByText('The brand was saved')).toBeVisible();
    await expect(page.getByRole('region', { name: 'Preview, dark theme' })).toBeVisible();
    expect(await findProblems(page, 'brand')).toEqual([]);
    await expect(page).toHaveTitle(/ · Parley$/);
  });

  await test.step('a new owner is invited in the name of the brand', async () => {
    await reseller.api.post('accounts/self/subaccounts', {
      ...{ company_name: `Second ${suffix}`, country_code: 'DE', timezone: 'Europe/Berlin' },
      ...{ email, first_name: 'Rita', last_name: 'Berg' },
    });
    const mail = await sandbox.mail(email, /on Acme Texts/);
    expect(mail.text).not.toContain('Parley');
    const context = await browser.newContext({ baseURL: at.app, locale: 'en-GB', colorScheme: 'dark' });
    quiet.watch(context);
    const own = await context.newPage();
    await own.goto(mail.links.find((link) => link.includes('/invitations#token='))!);
    await own.getByLabel('Choose a password').fill(PASSWORD);
    await own.getByRole('button', { name: /Join|Accept/ }).click();
    await expect(own).toHaveTitle(/ · Acme Texts$/);

    await own.addInitScript(WATCH);
    await own.goto('/');
    await expect(own).toHaveTitle('Verify your phone · Acme Texts');
    const names = await readNames(own);
    expect(names).toContain('Acme Texts');
    expect(names.filter((text) => text.includes('· Parley') || text.includes('hacked'))).toEqual([]);
    const icon = await own.locator('link[rel=icon]').getAttribute('href');
    expect(decodeURIComponent(icon!)).toContain('>A</text>');
    expect(await findProblems(own, 'a page in the colors of a brand')).toEqual([]);
    await context.close();
  });

  await test.step('strangers and the sign-in page show the installation', async () => {
    const context = await browser.newContext({ baseURL: at.app });
    quiet.watch(context);
    const stranger = await context.newPage();
    await stranger.goto('/sign-in');
    await expect(stranger).toHaveTitle('Sign in · Parley');
    await context.close();
  });
});
