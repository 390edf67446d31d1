/** Compares the specification's table (section 6) with the routes, the menu, and the tabs. */
import {
  allPermissions,
  BITS,
  type Need,
  type Needs,
  needReason,
  type Permissions,
  split,
} from '@parley/contract/permission.ts';
import { describe, expect, test } from 'vitest';
import { isAbsent, type RouteRule, routeReason } from './kernel/session/routes.tsx';
import type { Session } from './kernel/session/state.ts';
import { USER_LINKS } from './layouts/top_bar/UserLinks.tsx';
import { NAV, type NavItem, TRY_IT_NOW } from './nav.ts';
import { makeRouter } from './routes.tsx';
import { TABS } from './settings/tabs.ts';
import { ACCOUNT, USER } from './test/draw.tsx';

/** The permission a route needs, and whether an unverified account may open it. `-`: no rule. */
/** A list of needs means that any one of them is enough. */
const TABLE: Readonly<Record<string, readonly [needs: Needs | '-', unverified: boolean]>> = {
  '/': ['-', true],
  '/expired': ['-', true],
  '/onboarding': ['-', true],
  '/logout': ['-', true],
  '/verification': ['-', true],
  '/phone-verification': ['-', true],
  '/sms/my-campaigns': ['CAMPAIGNS:view', true],
  '/sms/my-campaigns/$id': ['CAMPAIGNS:view', true],
  '/sms/create-campaign': ['CAMPAIGNS:add', false],
  '/whatsapp/my-campaigns': ['CAMPAIGNS:view', true],
  '/whatsapp/my-campaigns/$id': ['CAMPAIGNS:view', true],
  '/whatsapp/create-campaign': ['CAMPAIGNS:add', false],
  '/viber/my-campaigns': ['CAMPAIGNS:view', true],
  '/viber/my-campaigns/$id': ['CAMPAIGNS:view', true],
  '/viber/create-campaign': ['CAMPAIGNS:add', false],
  '/contacts/my-audiences': ['AUDIENCES:view', true],
  '/contacts/my-audiences/$id': ['AUDIENCES:view', true],
  '/contacts/create-audience': ['AUDIENCES:add', false],
  '/contacts/rename-audience/$id': ['AUDIENCES:edit', false],
  '/contacts/create-dynamic-audience': ['AUDIENCES:add', false],
  '/contacts/edit-conditions/$id': ['AUDIENCES:edit', false],
  '/contacts/add-contact/$id': ['AUDIENCES:edit', false],
  '/contacts/imports': ['AUDIENCES:view', true],
  '/contacts/imports/$id': ['AUDIENCES:view', true],
  '/contacts/fields': ['AUDIENCES:view', true],
  '/contacts/people/$id': ['AUDIENCES:view', true],
  '/contacts/opt-in-forms': ['AUDIENCES:view', true],
  '/contacts/opt-in-forms/$id': ['AUDIENCES:view', true],
  '/contacts/create-opt-in-form': ['AUDIENCES:edit', false],
  '/contacts/my-stop-list': ['SENDERS:view', true],
  '/contacts/stop-list/import': ['SENDERS:edit', false],
  '/contacts/stop-list/add-contact': ['SENDERS:edit', false],
  '/insights': ['MESSAGES:view', true],
  '/responses': ['MESSAGES:view', true],
  '/exports': ['-', true],
  '/inbox': ['-', true],
  '/inbox/assigned-to-me': ['MESSAGES:view', true],
  '/inbox/unassigned': ['CONVERSATIONS:view', true],
  '/inbox/assigned-to-others': ['CONVERSATIONS:add', true],
  '/settings': ['-', true],
  '/settings/user': ['-', true],
  '/settings/security': ['-', true],
  '/change-phone': ['-', true],
  '/settings/account': ['ACCOUNTS:view', true],
  '/settings/alerts': ['ALERTS:view', true],
  '/settings/users': ['USERS:add', true],
  '/settings/users/create': ['USERS:add', false],
  '/settings/users/$id': ['USERS:edit', false],
  '/settings/brand': ['ACCOUNTS:view', true],
  '/settings/integrations': ['MESSAGES:view', true],
  '/settings/audit-log': ['ACCOUNTS:edit', true],
  '/apis': ['-', true],
  '/apis/keys': ['KEYS:view', true],
  '/apis/keys/create': ['KEYS:add', false],
  '/apis/keys/edit/$id': ['KEYS:edit', false],
  '/apis/requests': ['KEYS:view', true],
  '/apis/approvals': ['MESSAGES:view', true],
  '/apis/test-messages': ['MESSAGES:view', true],
  '/apis/test-campaigns': ['CAMPAIGNS:view', true],
  '/apis/webhooks': ['WEBHOOKS:view', true],
  '/apis/smpp': ['KEYS:view', true],
  '/apis/smpp/create': ['KEYS:add', false],
  '/apis/smpp/edit/$id': ['KEYS:edit', false],
  '/apis/verifications': ['MESSAGES:view', true],
  '/subaccounts': ['ACCOUNTS:view', true],
  '/add-funds': ['PAYMENTS:add', false],
  '/add-funds/thank-you': ['PAYMENTS:add', false],
  '/add-funds/failed': ['PAYMENTS:add', false],
  '/billing': [['PAYMENTS:view', 'INVOICES:view'], true],
  '/billing/payments': [['PAYMENTS:view', 'INVOICES:view'], true],
  '/billing/invoices': [['PAYMENTS:view', 'INVOICES:view'], true],
  '/billing/statements': ['PAYMENTS:view', true],
  '/billing/auto-top-up': ['PAYMENTS:view', true],
  '/billing/rates': [['PAYMENTS:view', 'INVOICES:view'], true],
  '/try-it-now': ['MESSAGES:add', false],
  '/try-it-now/sms': ['MESSAGES:add', false],
  '/try-it-now/whatsapp': ['MESSAGES:add', false],
  '/try-it-now/viber': ['MESSAGES:add', false],
  '/add-channel': ['CHANNELS:add', true],
  '/add-channel/whatsapp': ['SENDERS:add', false],
  '/add-channel/viber': ['SENDERS:add', false],
  '/senders': ['SENDERS:view', true],
  '/senders/create-sender': [['SENDERS:add', 'NUMBERS:add'], false],
  '/senders/edit-sender': ['SENDERS:add', false],
  '/senders/buy-number': [['SENDERS:add', 'NUMBERS:add'], false],
  '/senders/request-short-code': ['SENDERS:add', false],
  '/senders/request-sender-id': ['SENDERS:add', false],
  '/senders/request-toll-free': ['SENDERS:edit', false],
  '/senders/tcr-registration': ['SENDERS:edit', false],
  '/link-management': ['SHORT_URLS:view', true],
  '/link-management/create': ['SHORT_URLS:add', false],
  '/link-management/domains': ['SHORT_URLS:view', true],
  '/link-management/$id': ['SHORT_URLS:view', true],
  '/tools/carrier-single': ['-', true],
  '/tools/carrier-bulk': ['-', true],
  '/tools/carrier-history': ['-', true],
  '/settings/country-blacklist': ['ACCOUNTS:view', true],
  '/settings/inbox': ['MESSAGES:view', true],
  '/settings/keywords': ['SENDERS:view', true],
  '/settings/sms-limits': ['SMS_LIMITS:view', true],
  '/settings/sms-limits/create': ['SMS_LIMITS:edit', false],
  '/settings/sms-limits/$id': ['SMS_LIMITS:edit', false],
};
/** Routes from the specification that do not exist yet. They are tested as soon as they exist. */
const LATER: typeof TABLE = {
  '/library': ['TEMPLATES:view', true],
  '/library/create': ['TEMPLATES:add', false],
  '/library/edit/$id': ['TEMPLATES:edit', false],
  '/library/viber-edit/$id': ['TEMPLATES:edit', false],
  '/library/whatsapp-edit/$id': ['TEMPLATES:edit', false],
};
const MENU: Readonly<Record<string, readonly [need: Need | '-', unverified: boolean]>> = {
  'Try it now': ['MESSAGES:add', false],
  SMS: ['CAMPAIGNS:view', true],
  WhatsApp: ['CAMPAIGNS:view', true],
  Viber: ['CAMPAIGNS:view', true],
  'Add channel': ['CHANNELS:add', true],
  Senders: ['SENDERS:view', true],
  Messages: ['TEMPLATES:view', true],
  Audiences: ['AUDIENCES:view', true],
  'Stop list': ['SENDERS:view', true],
  'Assigned to me': ['MESSAGES:view', true],
  Unassigned: ['CONVERSATIONS:view', true],
  'Assigned to others': ['CONVERSATIONS:add', true],
  Insights: ['MESSAGES:view', true],
  'Carrier lookup': ['SHORT_URLS:view', true],
  'Link management': ['SHORT_URLS:view', true],
  Keys: ['KEYS:view', true],
  Approvals: ['MESSAGES:view', true],
  'Request log': ['KEYS:view', true],
  'Test messages': ['MESSAGES:view', true],
  'Test campaigns': ['CAMPAIGNS:view', true],
  Webhooks: ['WEBHOOKS:view', true],
  SMPP: ['KEYS:view', true],
  Verifications: ['MESSAGES:view', true],
};
const TAB_TABLE: typeof TABLE = {
  'My user': ['-', true],
  Security: ['-', true],
  Company: ['ACCOUNTS:view', true],
  Alerts: ['ALERTS:view', true],
  'SMS limits': ['SMS_LIMITS:view', true],
  'Country blacklist': ['ACCOUNTS:view', true],
  Inbox: ['MESSAGES:view', true],
  Keywords: ['SENDERS:view', true],
  Users: ['USERS:add', true],
  Brand: ['ACCOUNTS:view', true],
  Integrations: ['MESSAGES:view', true],
  'Audit log': ['ACCOUNTS:edit', true],
};

const session = (change: { permissions?: Permissions; verified?: boolean; sub?: boolean } = {}): Session => ({
  account: {
    ...ACCOUNT,
    verified: change.verified ?? true,
    account_type: change.sub ? 'SUB_ACCOUNT' : 'MAIN',
  },
  user: USER,
  permissions: change.permissions ?? allPermissions(),
  admin: false,
  live: 'open',
});
/** All permissions except this one. */
const withoutPermission = (need: Need): Permissions => {
  const { resource, level } = split(need);
  return { ...allPermissions(), [resource]: 15 & ~BITS[level] };
};
/** Only this permission. */
const onlyPermission = (need: Need): Permissions => {
  const { resource, level } = split(need);
  return { [resource]: BITS[level] };
};

interface Row {
  name: string;
  rule: RouteRule;
}
const routes: Row[] = Object.values(makeRouter({ kind: 'unknown' }).routesById).flatMap((route) => {
  const { rule } = (route.options as { staticData?: { rule?: RouteRule } }).staticData ?? {};
  return rule && !rule.admin ? [{ name: (route as { fullPath: string }).fullPath, rule }] : [];
});
const listLeaves = (items: readonly NavItem[]): NavItem[] =>
  items.flatMap((item) => (item.children ? listLeaves(item.children) : [item]));
const menu: Row[] = [TRY_IT_NOW, ...listLeaves(NAV.flat())].map((item) => ({ name: item.label, rule: item }));
const tabs: Row[] = TABS.map((tab) => ({ name: tab.label, rule: tab }));

const all: [string, Row[], typeof TABLE][] = [
  ['routes', routes, TABLE],
  ['menu entries', menu, MENU],
  ['tabs', tabs, TAB_TABLE],
];

describe.each(all)('%s', (_, rows, table) => {
  test('match the table exactly', () => {
    const names = rows.map(({ name }) => name).filter((name) => rows !== routes || !(name in LATER));
    expect(names.sort()).toEqual(Object.keys(table).sort());
  });

  test.each(rows.map(({ name, rule }) => [name, rule] as const))(
    'apply the listed permission and verification rules to %s',
    (name, rule) => {
      const [needs, unverified] = table[name] ?? LATER[name] ?? ['-', true];
      expect(routeReason(rule, session())).toBeNull();
      if (needs === '-') {
        expect(routeReason(rule, session({ permissions: {} }))).toBeNull();
      } else {
        const list = [needs].flat() as Need[];
        for (const need of list) expect(routeReason(rule, session({ permissions: onlyPermission(need) }))).toBeNull();
        if (list.length === 1)
          expect(routeReason(rule, session({ permissions: withoutPermission(list[0]!) }))).toBe(needReason(needs));
        else expect(routeReason(rule, session({ permissions: {} }))).toBe(needReason(needs));
      }
      const before = routeReason(rule, session({ verified: false }));
      expect(before).toBe(unverified ? null : 'Available once your account is verified.');
    },
  );
});

test('a sub-account has every page except the sub-accounts page', () => {
  const absent = routes.filter(({ rule }) => isAbsent(rule, session({ sub: true })));
  expect(absent.map(({ name }) => name)).toEqual(['/settings/brand', '/subaccounts']);
  expect(routes.filter(({ rule }) => isAbsent(rule, session()))).toEqual([]);
  expect(USER_LINKS.filter((link) => isAbsent(link, session({ sub: true }))).map(({ label }) => label)).toEqual([
    'Sub-accounts',
  ]);
});
