/** Labels for permissions. */
import type { Level, Resource } from '@parley/contract/permission.ts';

export interface ResourceWords {
  resource: Resource;
  label: string;
  /** Descriptions of the actions that each level allows. Levels that allow no additional actions have no text. */
  levels: Partial<Record<Level, string>>;
}
interface ResourceGroup {
  title: string;
  resources: readonly ResourceWords[];
}

const words = (resource: Resource, label: string, levels: ResourceWords['levels']): ResourceWords => ({
  resource,
  label,
  levels,
});

export const GROUPS: readonly ResourceGroup[] = [
  {
    title: 'Conversations',
    resources: [
      words('MESSAGES', 'Messages', {
        view: 'view the message log and their own conversations',
        add: 'send replies and single messages',
        edit: 'cancel scheduled messages',
        delete: 'delete messages',
      }),
      words('CONVERSATIONS', 'Conversations', {
        view: 'view unassigned conversations',
        add: 'view and take over other users’ conversations',
        edit: 'assign conversations and mark them as read',
        delete: 'delete conversations',
      }),
      words('MEDIA', 'Media', {
        view: 'view images and files',
        add: 'upload files',
        edit: 'rename files',
        delete: 'delete files',
      }),
    ],
  },
  {
    title: 'Campaigns',
    resources: [
      words('CAMPAIGNS', 'Campaigns', {
        view: 'view campaigns and their results',
        add: 'create and send campaigns',
        edit: 'edit, pause, and resume campaigns',
        delete: 'delete campaigns',
      }),
      words('AUDIENCES', 'Audiences', {
        view: 'view audiences and contacts',
        add: 'create and import audiences',
        edit: 'rename audiences and add or edit contacts',
        delete: 'delete audiences and contacts',
      }),
      words('TEMPLATES', 'Templates', {
        view: 'view and use templates',
        add: 'create templates',
        edit: 'edit templates',
        delete: 'delete templates',
      }),
      words('SHORT_URLS', 'Links and lookups', {
        view: 'view short links, clicks, and carrier lookups',
        add: 'shorten links and look up numbers',
        edit: 'edit short links',
        delete: 'delete short links',
      }),
    ],
  },
  {
    title: 'Senders',
    resources: [
      words('CHANNELS', 'Channels', {
        view: 'view channels',
        add: 'request channels',
        edit: 'edit channels',
        delete: 'remove channels',
      }),
      words('SENDERS', 'Senders and stop list', {
        view: 'view senders and the stop list',
        add: 'request senders',
        edit: 'register senders and edit the stop list',
        delete: 'delete senders and remove numbers from the stop list',
      }),
      words('NUMBERS', 'Numbers', {
        view: 'view numbers',
        add: 'buy numbers',
        edit: 'edit numbers',
        delete: 'release numbers',
      }),
      words('SMS_LIMITS', 'SMS limits', {
        view: 'view SMS limits',
        add: 'create SMS limits',
        edit: 'edit SMS limits',
        delete: 'delete SMS limits',
      }),
    ],
  },
  {
    title: 'Money',
    resources: [
      words('PAYMENTS', 'Payments', {
        view: 'view the balance and payments',
        add: 'add funds',
        edit: 'edit cards and auto top-up',
        delete: 'remove cards',
      }),
      words('INVOICES', 'Invoices', {
        view: 'view invoices and rates',
        add: 'request invoices',
        edit: 'edit invoices',
        delete: 'delete invoices',
      }),
      words('ALERTS', 'Alerts', {
        view: 'view balance alerts',
        add: 'create balance alerts',
        edit: 'edit balance alerts',
        delete: 'delete balance alerts',
      }),
    ],
  },
  {
    title: 'Company and API',
    resources: [
      words('ACCOUNTS', 'Company', {
        view: 'view the company profile and sub-accounts',
        add: 'create sub-accounts',
        edit: 'edit the company, switch to sub-accounts, and read the audit log',
        delete: 'close sub-accounts',
      }),
      words('USERS', 'Users', {
        view: 'view users',
        add: 'invite and create users',
        edit: 'edit permissions and block or unblock users',
        delete: 'delete users',
      }),
      words('KEYS', 'API keys', {
        view: 'view API keys, but not their secrets',
        add: 'create API keys',
        edit: 'edit API keys',
        delete: 'revoke API keys',
      }),
      words('WEBHOOKS', 'Webhooks', {
        view: 'view webhooks and their deliveries',
        add: 'create webhooks',
        edit: 'edit webhooks',
        delete: 'delete webhooks',
      }),
    ],
  },
];

export const LEVELS: readonly { level: Level; label: string }[] = [
  { level: 'view', label: 'View' },
  { level: 'add', label: 'Add' },
  { level: 'edit', label: 'Edit' },
  { level: 'delete', label: 'Delete' },
];
