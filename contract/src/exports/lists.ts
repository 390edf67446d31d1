/** The lists that can be exported. Each is named by its table on the screen and described by its own endpoint. */
import { listAudit } from '../accounts/audit_log.ts';
import { listContacts } from '../audiences/audiences.ts';
import { listStopList } from '../audiences/stop_list.ts';
import { listLedger } from '../billing/billing.ts';
import { listPayments } from '../billing/payments.ts';
import { listCampaigns } from '../campaigns/campaigns.ts';
import { listNumberLookups } from '../lookups/lookups.ts';
import { listMessages } from '../messages/messages.ts';
import { listUsers } from '../team/team.ts';

export const EXPORT_LISTS = {
  messages: listMessages,
  contacts: listContacts,
  stop_list: listStopList,
  campaigns: listCampaigns,
  audit_log: listAudit,
  users: listUsers,
  payments: listPayments,
  ledger: listLedger,
  lookups: listNumberLookups,
} as const;
export type ExportList = keyof typeof EXPORT_LISTS;
export const EXPORT_LIST_NAMES = Object.keys(EXPORT_LISTS) as [ExportList, ...ExportList[]];
