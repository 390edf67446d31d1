/**
 * The left menu as data: labels, targets, permissions, and counts, for customers and operators. An entry is shown if
 * its route exists; an entry that the user may not open stays visible but disabled, with the reason.
 */
import { CHANNEL_LABELS, CHANNELS } from '@parley/contract/channels/names.ts';
import type { Badges } from '@parley/contract/inbox/inbox.ts';
import type { Needs } from '@parley/contract/permission.ts';
import {
  IconAddressBook,
  IconAntennaBars5,
  IconApi,
  IconBuilding,
  IconCards,
  IconChartDots,
  IconCirclePlus,
  IconClipboardCheck,
  IconCoins,
  IconHash,
  IconHeartbeat,
  IconInbox,
  IconLink,
  IconListCheck,
  IconPlugConnected,
  type IconProps,
  IconReceipt,
  IconRoute,
  IconSearch,
  IconSend,
  IconShieldCheck,
  IconShieldCog,
  IconTemplate,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** The counts beside the menu's entries; undefined counts are not shown. */
interface Counts {
  badges?: Badges | undefined;
  /** Requests that are waiting for an operator. Requests that are waiting for the customer do not count. */
  requests?: number | undefined;
  /** Messages awaiting review. */
  reviews?: number | undefined;
}

export interface NavItem {
  label: string;
  path: string;
  icon?: ComponentType<IconProps>;
  needs?: Needs;
  /** True if the page is open to unverified accounts, even though it needs the add or edit permission. */
  unverified?: boolean;
  /** Shown only to accounts with this channel, with the channel's icon. */
  channel?: string;
  count?: (counts: Counts) => number;
  /** The number of all items, beside the count. */
  total?: (counts: Counts) => number;
  /** The name of the counted items, for screen readers. */
  counts?: string;
  /** Paths of pages that belong to the entry but do not begin with its path. */
  also?: readonly string[];
  children?: readonly NavItem[];
}

const INBOX: readonly NavItem[] = [
  {
    label: 'Assigned to me',
    path: '/inbox/assigned-to-me',
    needs: 'MESSAGES:view',
    count: ({ badges }) => badges?.self.unread ?? 0,
    total: ({ badges }) => badges?.self.total ?? 0,
  },
  {
    label: 'Unassigned',
    path: '/inbox/unassigned',
    needs: 'CONVERSATIONS:view',
    count: ({ badges }) => badges?.none.unread ?? 0,
    total: ({ badges }) => badges?.none.total ?? 0,
  },
  {
    label: 'Assigned to others',
    path: '/inbox/assigned-to-others',
    needs: 'CONVERSATIONS:add',
    unverified: true,
    count: ({ badges }) => badges?.others.unread ?? 0,
    total: ({ badges }) => badges?.others.total ?? 0,
  },
];

export const unreadTotal = (badges: Badges): number => badges.self.unread + badges.none.unread + badges.others.unread;

export const TRY_IT_NOW: NavItem = { label: 'Try it now', path: '/try-it-now', needs: 'MESSAGES:add' };

const CAMPAIGNS: readonly NavItem[] = CHANNELS.map((name) => ({
  label: CHANNEL_LABELS[name],
  path: `/${name.toLowerCase()}/my-campaigns`,
  needs: 'CAMPAIGNS:view',
  channel: name,
}));

export const NAV: readonly (readonly NavItem[])[] = [
  [
    ...CAMPAIGNS,
    { label: 'Add channel', path: '/add-channel', icon: IconCirclePlus, needs: 'CHANNELS:add', unverified: true },
  ],
  [
    { label: 'Senders', path: '/senders', icon: IconCards, needs: 'SENDERS:view' },
    { label: 'Messages', path: '/library', icon: IconTemplate, needs: 'TEMPLATES:view' },
    {
      label: 'Contacts',
      path: '/contacts',
      icon: IconAddressBook,
      children: [
        {
          label: 'Audiences',
          path: '/contacts/my-audiences',
          needs: 'AUDIENCES:view',
          also: [
            ...['/contacts/rename-audience', '/contacts/add-contact', '/contacts/imports', '/contacts/fields'],
            ...['/contacts/create-dynamic-audience', '/contacts/edit-conditions'],
            ...['/contacts/people', '/contacts/opt-in-forms', '/contacts/create-opt-in-form'],
          ],
        },
        {
          label: 'Stop list',
          path: '/contacts/my-stop-list',
          needs: 'SENDERS:view',
          also: ['/contacts/stop-list'],
        },
      ],
    },
    {
      label: 'Inbox',
      path: '/inbox',
      icon: IconInbox,
      count: ({ badges }) => (badges ? unreadTotal(badges) : 0),
      children: INBOX,
    },
  ],
  [
    { label: 'Insights', path: '/insights', icon: IconChartDots, needs: 'MESSAGES:view' },
    {
      label: 'Carrier lookup',
      path: '/tools/carrier-single',
      icon: IconSearch,
      needs: 'SHORT_URLS:view',
      also: ['/tools'],
    },
    { label: 'Link management', path: '/link-management', icon: IconLink, needs: 'SHORT_URLS:view' },
    {
      label: 'APIs',
      path: '/apis',
      icon: IconApi,
      children: [
        { label: 'Keys', path: '/apis/keys', needs: 'KEYS:view' },
        { label: 'Request log', path: '/apis/requests', needs: 'KEYS:view' },
        { label: 'Approvals', path: '/apis/approvals', needs: 'MESSAGES:view' },
        { label: 'Test messages', path: '/apis/test-messages', needs: 'MESSAGES:view' },
        { label: 'Test campaigns', path: '/apis/test-campaigns', needs: 'CAMPAIGNS:view' },
        { label: 'Webhooks', path: '/apis/webhooks', needs: 'WEBHOOKS:view' },
        { label: 'SMPP', path: '/apis/smpp', needs: 'KEYS:view' },
        { label: 'Verifications', path: '/apis/verifications', needs: 'MESSAGES:view' },
      ],
    },
  ],
];

export const ADMIN_NAV: readonly (readonly NavItem[])[] = [
  [
    { label: 'Accounts', path: '/accounts', icon: IconBuilding, needs: 'ACCOUNTS:view' },
    {
      label: 'Requests',
      path: '/requests',
      icon: IconClipboardCheck,
      needs: ['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view'],
      count: ({ requests }) => requests ?? 0,
      counts: 'waiting',
    },
    {
      label: 'Reviews',
      path: '/reviews',
      icon: IconShieldCheck,
      needs: 'MESSAGES:view',
      count: ({ reviews }) => reviews ?? 0,
      counts: 'waiting',
    },
    { label: 'Content rules', path: '/content-rules', icon: IconShieldCog, needs: 'SMS_LIMITS:view' },
    { label: 'Payments', path: '/payments', icon: IconReceipt, needs: 'PAYMENTS:view' },
    { label: 'Numbers', path: '/inventory', icon: IconHash, needs: 'NUMBERS:view' },
  ],
  [
    { label: 'Connections', path: '/connections', icon: IconPlugConnected, needs: 'CHANNELS:view' },
    { label: 'Routes', path: '/routes', icon: IconRoute, needs: 'CHANNELS:view' },
    { label: 'Sending', path: '/sending', icon: IconSend, needs: 'CHANNELS:view' },
    { label: 'Health', path: '/health', icon: IconHeartbeat, needs: 'ACCOUNTS:view' },
  ],
  [
    { label: 'Prices', path: '/prices', icon: IconCoins, needs: 'INVOICES:view' },
    { label: 'Networks', path: '/networks', icon: IconAntennaBars5, needs: 'INVOICES:view' },
    { label: 'Setup', path: '/setup', icon: IconListCheck, needs: 'ACCOUNTS:view' },
  ],
];
