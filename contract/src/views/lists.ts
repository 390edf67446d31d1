/**
 * The lists that have saved views. Lists load this file immediately, and the contract of views only when they need it.
 */
import { INBOX_NEEDS } from '../inbox/needs.ts';
import { type Needs, type Permissions, permits, split } from '../permission.ts';

interface ListRule {
  /** The permission to view the list. */
  readonly needs: Needs;
  readonly operators?: true;
}

/** The lists of the app, by the ID of their table. */
const LISTS = {
  messages: { needs: 'MESSAGES:view' },
  inbox: { needs: INBOX_NEEDS },
  campaigns: { needs: 'CAMPAIGNS:view' },
  campaign_recipients: { needs: 'CAMPAIGNS:view' },
  audiences: { needs: 'AUDIENCES:view' },
  contacts: { needs: 'AUDIENCES:view' },
  imports: { needs: 'AUDIENCES:view' },
  import_rows: { needs: 'AUDIENCES:view' },
  stop_list: { needs: 'SENDERS:view' },
  senders_senders: { needs: 'SENDERS:view' },
  senders_numbers: { needs: 'SENDERS:view' },
  senders_short_codes: { needs: 'SENDERS:view' },
  numbers: { needs: ['NUMBERS:view', 'SENDERS:add'] },
  links: { needs: 'SHORT_URLS:view' },
  lookups: { needs: 'SHORT_URLS:view' },
  templates: { needs: 'TEMPLATES:view' },
  users: { needs: 'USERS:view' },
  invitations: { needs: 'USERS:view' },
  subaccounts: { needs: 'ACCOUNTS:view' },
  audit_log: { needs: 'ACCOUNTS:edit' },
  customers: { needs: 'ACCOUNTS:view', operators: true },
  customer_users: { needs: 'USERS:view', operators: true },
  customer_senders: { needs: 'SENDERS:view', operators: true },
  customer_history: { needs: 'ACCOUNTS:view', operators: true },
  requests: { needs: ['ACCOUNTS:view', 'SENDERS:view', 'TEMPLATES:view'], operators: true },
  connections: { needs: 'CHANNELS:view', operators: true },
  routes: { needs: 'CHANNELS:view', operators: true },
  inventory: { needs: 'NUMBERS:view', operators: true },
} as const satisfies Record<string, ListRule>;

export type ViewList = keyof typeof LISTS;
export const VIEW_LISTS = Object.keys(LISTS) as ViewList[];
export const viewList = (table: string): ViewList | undefined => VIEW_LISTS.find((list) => list === table);
export const viewRule = (list: ViewList): ListRule => LISTS[list];

/** Users who may edit the account or the records of the list can share views and change shared ones. */
export const canShareViews = (list: ViewList, permissions: Permissions): boolean => {
  const resources = [viewRule(list).needs].flat().map((need) => split(need).resource);
  return permits(permissions, ['ACCOUNTS:edit', ...resources.map((resource) => `${resource}:edit` as const)]);
};
