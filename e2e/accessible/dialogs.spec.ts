/** Checks the accessibility of panels, dialogs, menus, and filters in both themes. */
import { type Api, OPERATOR, OWNER } from '../api.ts';
import { expect, type Page, test } from '../test.ts';
import { findProblemsInTurn, WIDE } from './look.ts';
import type { World } from './places.ts';
import { getWorld, openAfresh } from './visits.ts';

interface Overlay {
  name: string;
  path: string | ((world: World) => string);
  open: (page: Page) => Promise<void>;
}

const press = (name: string | RegExp) => (page: Page) =>
  page.getByRole('main').getByRole('button', { name }).first().click();
const openRow = (page: Page) => page.locator('tbody tr').first().click();
const choose =
  (item: string, row = '') =>
  async (page: Page) => {
    await page
      .locator('tbody tr')
      .filter({ hasText: row })
      .getByRole('button', { name: /^Actions/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: item }).click();
  };
const steps =
  (...open: Overlay['open'][]) =>
  async (page: Page) => {
    for (const step of open) await step(page);
  };
const overlay = (name: string, path: Overlay['path'], open: Overlay['open']): Overlay => ({ name, path, open });

const OWNERS: readonly Overlay[] = [
  overlay('saved views', '/insights?tab=log', press('Views')),
  overlay(
    'new view',
    '/insights?tab=log',
    steps(press('Views'), (page) => page.getByRole('menuitem', { name: 'Save as new view' }).click()),
  ),
  overlay('columns', '/insights?tab=log', press('Choose columns')),
  overlay('filter by status', '/insights?tab=log', press(/^Status/)),
  overlay('filter by date', '/insights?tab=log', press(/^(Date|Sent|Time|Created)/)),
  overlay('export menu', '/insights?tab=log', press('Export')),
  overlay('SFTP server', '/exports', press('Add SFTP server')),
  overlay('S3 bucket', '/exports', press('Add S3 bucket')),
  overlay('notifications', '/', (page) => page.getByRole('button', { name: /^Notifications/ }).click()),
  overlay('sender panel', '/senders', openRow),
  overlay('template panel', '/library', openRow),
  overlay('deletion of an audience', '/contacts/my-audiences', choose('Delete')),
  overlay('contact panel', ({ audience }) => `/contacts/my-audiences/${audience}`, openRow),
  overlay('stop list panel', '/contacts/my-stop-list', openRow),
  overlay('user panel', '/settings/users', openRow),
  overlay('allowed countries', '/settings/country-blacklist', press('Change allowed countries')),
  overlay('audit log panel', '/settings/audit-log', openRow),
  overlay('renaming of a campaign', '/sms/my-campaigns', choose('Rename', 'Completed')),
  overlay('test message of a campaign', '/sms/create-campaign?step=message', press('Send a test message')),
  overlay('compared campaigns', '/insights?tab=campaigns', async (page) => {
    for (const row of [0, 1]) await page.locator('tbody tr').nth(row).getByRole('checkbox').check();
    await page.getByRole('button', { name: 'Compare' }).click();
  }),
  overlay(
    'rehearsal of a campaign',
    ({ campaign }) => `/sms/create-campaign?copy=${campaign}&step=review`,
    press('Rehearse campaign'),
  ),
  overlay('purchase of a number', '/senders/buy-number', press(/^Buy /)),
  overlay('closing of the company', '/settings/account', press(/^Close /)),
  overlay(
    'another sender',
    ({ conversation }) => `/inbox/unassigned?conversation=${conversation}`,
    press('Write from another sender'),
  ),
  overlay(
    'reply from a template',
    ({ conversation }) => `/inbox/unassigned?conversation=${conversation}`,
    press('Template'),
  ),
  overlay('new response', '/responses', press('Create response')),
  overlay('emoji', '/library/create', press(/emoji/i)),
  overlay('fraud protection', '/apis/verifications', press('Fraud protection')),
  overlay('fraud protection of messages', '/settings/sms-limits', press('Fraud protection')),
  overlay('new sub-account', '/subaccounts', press('Create sub-account')),
  overlay('limits of a sub-account', '/subaccounts', choose('Limits')),
  // The last one, because the app asks before it leaves this page.
  overlay('unsaved changes', '/contacts/stop-list/add-contact', async (page) => {
    await page.getByRole('textbox', { name: 'Number', exact: true }).fill('+4917604069099');
    await page.getByRole('link', { name: 'Cancel' }).click();
  }),
];

const OPERATORS: readonly Overlay[] = [
  overlay('adding of a price', '/prices', press('Add price')),
  overlay('blocking of an account', ({ account }) => `/accounts/${account}`, press('Block')),
  overlay('adding of funds', ({ account }) => `/accounts/${account}`, press('Add funds')),
  overlay('request panel', '/requests', openRow),
  overlay('connection panel', '/connections', openRow),
  overlay('route panel', '/routes', openRow),
  overlay('new numbers', '/inventory', press('Add numbers')),
  overlay('import of prices', '/prices', press(/^Import/)),
  overlay('volume prices', '/prices?tab=volume', press('Add volume prices')),
  overlay('upload of a statement', '/prices?tab=carriers', press('Upload statement')),
  overlay('update of networks', '/networks', press(/^Update/)),
];

let created: Promise<unknown> | null = null;

/** Creates, once, a sub-account that inherits a limit. The demo company has none. */
const makeSubAccount = (owner: Api): Promise<unknown> => {
  const unique = Date.now().toString(36);
  const make = async () => {
    // Only these tests use this prefix.
    const limit = { type: 'messages', limit: 700, interval: 'day', prefixes: ['+678'], sub_accounts: 'each' };
    await owner.post('limits', limit);
    return owner.post('accounts/self/subaccounts', {
      ...{ company_name: `Harbor ${unique}`, country_code: 'DE', timezone: 'Europe/Berlin' },
      ...{ first_name: 'Mia', last_name: 'Sommer', email: `mia-${unique}@people.example` },
    });
  };
  created ??= make();
  return created;
};

/** Overlays per test, few enough for a slow machine to stay within the time limit. */
const GROUP = 10;

for (const [who, all, host] of [
  [OWNER, OWNERS, 'app'],
  [OPERATOR, OPERATORS, 'admin'],
] as const)
  for (let from = 0; from < all.length; from += GROUP)
    test(`panels, dialogs, and menus are accessible to ${who} (from overlay ${from + 1})`, async ({
      openAs,
      api,
      sandbox,
    }) => {
      test.setTimeout(240_000);
      const world = await getWorld(api, sandbox);
      await makeSubAccount(await api(OWNER));
      const page = await openAs(who, { host, viewport: WIDE, reducedMotion: 'reduce' });
      const findings: string[] = [];
      for (const [index, { name, path, open }] of all.slice(from, from + GROUP).entries())
        await test.step(name, async () => {
          await openAfresh(page, typeof path === 'string' ? path : path(world));
          await open(page);
          const opened = page.locator('[role=dialog], [role=menu], [role=listbox], [data-panel]');
          await expect(opened.filter({ visible: true }).first()).toBeVisible();
          await expect(page.locator('[aria-busy=true], [role=status][aria-label^=Loading]')).toHaveCount(0);
          findings.push(...(await findProblemsInTurn(page, name, index)));
        });
      expect(findings).toEqual([]);
    });
