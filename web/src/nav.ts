/**
 * The left menu as data: what it says, where it leads, who may follow, what it counts. An entry is drawn once its route exists; one that may not
 * be opened stays, disabled, with the reason. Both sides of the app (customers, operators) are listed here.
 */
import type { Badges } from '@parley/contract/inbox/inbox.ts';
import type { Needs } from '@parley/contract/permission.ts';
import {
  IconAddressBook,
  IconApi,
  IconBrandViber,
  IconBrandWhatsapp,
  IconBuilding,
  IconCards,
  IconChartDots,
  IconCirclePlus,
  IconClipboardCheck,
  IconHash,
  IconHeartbeat,
  IconInbox,
  IconLink,
  IconMessage2,
  IconPlugConnected,
  type IconProps,
  IconRoute,
  IconSearch,
  IconTemplate,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';

/** What the menu shows beside its entries; what is not known is left out. */
export interface Counts {
  badges?: Badges | undefined;
  /** What waits for operators; not what waits for an answer of the customer. */
  requests?: number | undefined;
}

export interface NavItem {
  label: string;
  path: string;
  icon?: ComponentType<IconProps>;
  needs?: Needs;
  /** Needs add or edit, but is open before the account is verified. */
  unverified?: boolean;
  /** Only for accounts that have this channel. */
  channel?: string;
  count?: (counts: Counts) => number;
  /** What the count counts, for whoever hears it. */
  counts?: string;
  /** Pages that belong to it though their address does not begin with its own. */
  also?: readonly string[];
  children?: readonly NavItem[];
}

const INBOX: readonly NavItem[] = [
  {
    label: 'Assigned to me',
    path: '/inbox/assigned-to-me',
    needs: 'MESSAGES:view',
    count: ({ badges }) => badges?.self.unread ?? 0,
  },
  {
    label: 'Unassigned',
    path: '/inbox/unassigned',
    needs: 'CONVERSATIONS:view',
    count: ({ badges }) => badges?.none.unread ?? 0,
  },
  {
    label: 'Assigned to others',
    path: '/inbox/assigned-to-others',
    needs: 'CONVERSATIONS:add',
    unverified: true,
    count: ({ badges }) => badges?.others.unread ?? 0,
  },
];

export const unreadTotal = (badges: Badges): number => badges.self.unread + badges.none.unread + badges.others.unread;

export const TRY_IT_NOW: NavItem = { label: 'Try it now', path: '/try-it-now', needs: 'MESSAGES:add' };

export const NAV: readonly (readonly NavItem[])[] = [
  [
    { label: 'SMS', path: '/sms/my-campaigns', icon: IconMessage2, needs: 'CAMPAIGNS:view', channel: 'SMS' },
    {
      label: 'WhatsApp',
      path: '/whatsapp/my-campaigns',
      icon: IconBrandWhatsapp,
      needs: 'CAMPAIGNS:view',
      channel: 'WHATSAPP',
    },
    { label: 'Viber', path: '/viber/my-campaigns', icon: IconBrandViber, needs: 'CAMPAIGNS:view', channel: 'VIBER' },
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
          also: ['/contacts/rename-audience', '/contacts/add-contact', '/contacts/imports'],
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
    { label: 'Carrier lookup', path: '/tools/carrier-single', icon: IconSearch, needs: 'SHORT_URLS:view' },
    { label: 'Link management', path: '/link-management', icon: IconLink, needs: 'SHORT_URLS:view' },
    {
      label: 'APIs',
      path: '/apis',
      icon: IconApi,
      children: [
        { label: 'Keys', path: '/apis/keys', needs: 'KEYS:view' },
        { label: 'Webhooks', path: '/apis/webhooks', needs: 'WEBHOOKS:view' },
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
    { label: 'Numbers', path: '/inventory', icon: IconHash, needs: 'NUMBERS:view' },
  ],
  [
    { label: 'Connections', path: '/connections', icon: IconPlugConnected, needs: 'CHANNELS:view' },
    { label: 'Routes', path: '/routes', icon: IconRoute, needs: 'CHANNELS:view' },
    { label: 'Health', path: '/health', icon: IconHeartbeat, needs: 'ACCOUNTS:view' },
  ],
];
