import { allPermissions } from '@parley/contract/permission.ts';
import { expect, test } from 'vitest';
import { NAV } from '../../nav.ts';
import { ACCOUNT, USER } from '../../test/draw.tsx';
import { buildMenu, type MenuEntry } from './menu.ts';
import type { Session } from './state.ts';

const session = (change: Partial<Session> = {}, verified = true, channels = ['SMS', 'WHATSAPP', 'VIBER']): Session => ({
  account: { ...ACCOUNT, verified, channels },
  user: USER,
  permissions: allPermissions(),
  admin: false,
  live: 'open',
  ...change,
});
const allowAll = () => true;
const flat = (groups: MenuEntry[][]): MenuEntry[] => {
  const walk = (entry: MenuEntry): MenuEntry[] => [entry, ...entry.children.flatMap(walk)];
  return groups.flat().flatMap(walk);
};
const names = (entries: MenuEntry[]) => entries.map((entry) => entry.item.label);

test('the owner of a verified account can open every entry of the specified menu', () => {
  const entries = flat(buildMenu(NAV, session(), '/', allowAll));
  expect(names(entries)).toEqual([
    'SMS',
    'WhatsApp',
    'Viber',
    'Add channel',
    'Senders',
    'Messages',
    'Contacts',
    'Audiences',
    'Stop list',
    'Inbox',
    'Assigned to me',
    'Unassigned',
    'Assigned to others',
    'Insights',
    'Carrier lookup',
    'Link management',
    'APIs',
    'Keys',
    'Request log',
    'Approvals',
    'Test messages',
    'Test campaigns',
    'Webhooks',
    'SMPP',
    'Verifications',
  ]);
  expect(entries.filter((entry) => entry.reason !== null)).toEqual([]);
});

test('the menu shows only the account’s channels', () => {
  expect(names(flat(buildMenu(NAV, session({}, true, ['sms']), '/', allowAll))).slice(0, 2)).toEqual([
    'SMS',
    'Add channel',
  ]);
});

test('entries without permission show the reason, and a branch is closed when all its pages are', () => {
  const entries = flat(buildMenu(NAV, session({ permissions: { MESSAGES: 1, AUDIENCES: 1 } }), '/', allowAll));
  const reason = (label: string) => entries.find((entry) => entry.item.label === label)?.reason;
  expect(reason('SMS')).toBe('You need View Campaign permission.');
  expect(reason('Insights')).toBeNull();
  expect(reason('Contacts')).toBeNull();
  expect(reason('Stop list')).toBe('You need View Sender permission.');
  expect(reason('Assigned to me')).toBeNull();
  expect(reason('Unassigned')).toBe('You need View Conversation permission.');
  expect(reason('Assigned to others')).toBe('You need Add Conversation permission.');
  expect(reason('Keys')).toBe('You need View API key permission.');
  expect(reason('APIs')).toBeNull();
  const closed = flat(buildMenu(NAV, session({ permissions: { AUDIENCES: 1 } }), '/', allowAll));
  expect(closed.find(({ item }) => item.label === 'APIs')?.reason).toBe('You need View API key permission.');
});

test('an unverified account can open every menu entry', () => {
  const entries = flat(buildMenu(NAV, session({}, false), '/', allowAll));
  expect(entries.filter((entry) => entry.reason !== null)).toEqual([]);
});

test('the entry for the open page is active, even on subpages', () => {
  const active = (path: string) =>
    names(
      flat(buildMenu(NAV, session(), path, allowAll)).filter((entry) => entry.active && entry.children.length === 0),
    );
  expect(active('/sms/create-campaign')).toEqual(['SMS']);
  expect(active('/inbox/unassigned')).toEqual(['Unassigned']);
  expect(active('/contacts/my-audiences')).toEqual(['Audiences']);
  expect(active('/contacts/imports/7')).toEqual(['Audiences']);
  expect(active('/contacts/stop-list/add-contact')).toEqual(['Stop list']);
  expect(active('/senders/create-sender')).toEqual(['Senders']);
});

test('an entry without a page is not shown', () => {
  expect(names(flat(buildMenu(NAV, session(), '/', (path) => path === '/insights')))).toEqual(['Insights']);
});
