/** Permissions and states of users, in words. */
import type { Level, Resource } from '@parley/contract/permission.ts';
import { IconBan, IconCheck, IconCircleDashed, IconClock, IconX } from '@tabler/icons-react';
import type { StatusStyle } from '../ui/data/status.ts';

export const USER_WORDS: Readonly<Record<string, StatusStyle>> = {
  new: { label: 'New', tone: 'wait', icon: IconCircleDashed },
  email_verified: { label: 'Active', tone: 'ok', icon: IconCheck },
  phone_verified: { label: 'Active, phone verified', tone: 'ok', icon: IconCheck },
  blocked: { label: 'Blocked', tone: 'fail', icon: IconBan },
};
export const INVITATION_WORDS: Readonly<Record<string, StatusStyle>> = {
  pending: { label: 'Waiting', tone: 'wait', icon: IconClock },
  accepted: { label: 'Accepted', tone: 'ok', icon: IconCheck },
  revoked: { label: 'Revoked', tone: 'off', icon: IconX },
  expired: { label: 'Expired', tone: 'off', icon: IconClock },
};

export interface ResourceWords {
  resource: Resource;
  label: string;
  /** What each level opens; a level that opens nothing of its own has no words. */
  levels: Partial<Record<Level, string>>;
}
export interface ResourceGroup {
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
        view: 'read the message log and conversations of their own',
        add: 'write replies and single messages',
        edit: 'cancel scheduled messages',
        delete: 'delete messages',
      }),
      words('CONVERSATIONS', 'Conversations', {
        view: 'see what nobody has taken yet',
        add: 'see and take what others have',
        edit: 'assign and mark as read',
        delete: 'delete conversations',
      }),
      words('MEDIA', 'Media', {
        view: 'open pictures and files',
        add: 'upload them',
        edit: 'rename them',
        delete: 'delete them',
      }),
    ],
  },
  {
    title: 'Campaigns',
    resources: [
      words('CAMPAIGNS', 'Campaigns', {
        view: 'follow campaigns and their results',
        add: 'create and send them',
        edit: 'change, pause and resume them',
        delete: 'delete them',
      }),
      words('AUDIENCES', 'Audiences', {
        view: 'see audiences and contacts',
        add: 'create and import them',
        edit: 'rename them, add and change contacts',
        delete: 'delete audiences and contacts',
      }),
      words('TEMPLATES', 'Templates', {
        view: 'use templates',
        add: 'write new ones',
        edit: 'change them',
        delete: 'delete them',
      }),
      words('SHORT_URLS', 'Links and lookups', {
        view: 'see short links, their clicks, and carrier lookups',
        add: 'shorten links and look numbers up',
        edit: 'change short links',
        delete: 'delete them',
      }),
    ],
  },
  {
    title: 'Senders',
    resources: [
      words('CHANNELS', 'Channels', {
        view: 'see the channels',
        add: 'ask for new ones',
        edit: 'change them',
        delete: 'give them up',
      }),
      words('SENDERS', 'Senders and stop list', {
        view: 'see senders and the stop list',
        add: 'ask for new senders',
        edit: 'register senders, change the stop list',
        delete: 'give senders up, take numbers off the stop list',
      }),
      words('NUMBERS', 'Numbers', {
        view: 'see numbers',
        add: 'buy numbers',
        edit: 'change them',
        delete: 'give them back',
      }),
      words('SMS_LIMITS', 'SMS limits', {
        view: 'see limits of traffic',
        add: 'set new ones',
        edit: 'change them',
        delete: 'delete them',
      }),
    ],
  },
  {
    title: 'Money',
    resources: [
      words('PAYMENTS', 'Payments', {
        view: 'see the balance and what was spent',
        add: 'add funds',
        edit: 'change cards and automatic top-up',
        delete: 'remove cards',
      }),
      words('INVOICES', 'Invoices', {
        view: 'see invoices and rates',
        add: 'ask for invoices',
        edit: 'change them',
        delete: 'delete them',
      }),
      words('ALERTS', 'Alerts', {
        view: 'see alerts of the balance',
        add: 'set new ones',
        edit: 'change them',
        delete: 'delete them',
      }),
    ],
  },
  {
    title: 'Company and programs',
    resources: [
      words('ACCOUNTS', 'Company', {
        view: 'see the profile and sub-accounts',
        add: 'create sub-accounts',
        edit: 'change the company, enter sub-accounts, read the audit log',
        delete: 'close sub-accounts',
      }),
      words('USERS', 'Users', {
        view: 'see who works here',
        add: 'invite and create users',
        edit: 'change rights, block and unblock',
        delete: 'delete users',
      }),
      words('KEYS', 'API keys', {
        view: 'see keys, never their secret',
        add: 'create them',
        edit: 'change them',
        delete: 'revoke them',
      }),
      words('WEBHOOKS', 'Webhooks', {
        view: 'see webhooks and their deliveries',
        add: 'create them',
        edit: 'change them',
        delete: 'delete them',
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
