import type { ExportList } from '@parley/contract/exports/lists.ts';

export const LIST_LABELS: Record<ExportList, string> = {
  messages: 'Message log',
  contacts: 'Contacts',
  person: 'Person',
  stop_list: 'Stop list',
  campaigns: 'Campaigns',
  campaign_recipients: 'Campaign recipients',
  conversations: 'Conversations',
  reported_conversations: 'Conversations in reports',
  links: 'Links',
  audit_log: 'Audit log',
  users: 'Users',
  payments: 'Payments',
  ledger: 'Ledger',
  lookups: 'Carrier lookups',
};
