/** The lists that can be exported. Each is named by its table on the screen and described by its own endpoint. */
import { listAudit } from '../accounts/audit_log.ts';
import { listContacts } from '../audiences/audiences.ts';
import { listStopList } from '../audiences/stop_list.ts';
import { listLedger } from '../billing/billing.ts';
import { listPayments } from '../billing/payments.ts';
import { listCampaigns } from '../campaigns/campaigns.ts';
import { listRecipients } from '../campaigns/recipients.ts';
import type { Viewer } from '../event.ts';
import { BUCKETS, canViewBucket, listConversations } from '../inbox/inbox.ts';
import { listReportedConversations } from '../insights/reported_conversations.ts';
import { listShortUrls } from '../links/links.ts';
import { listNumberLookups } from '../lookups/lookups.ts';
import { listMessages } from '../messages/messages.ts';
import { listPersonRecords } from '../people/records.ts';
import { listUsers } from '../team/team.ts';

export const EXPORT_LISTS = {
  messages: listMessages,
  contacts: listContacts,
  person: listPersonRecords,
  stop_list: listStopList,
  campaigns: listCampaigns,
  campaign_recipients: listRecipients,
  conversations: listConversations,
  reported_conversations: listReportedConversations,
  links: listShortUrls,
  audit_log: listAudit,
  users: listUsers,
  payments: listPayments,
  ledger: listLedger,
  lookups: listNumberLookups,
} as const;
export type ExportList = keyof typeof EXPORT_LISTS;
export const EXPORT_LIST_NAMES = Object.keys(EXPORT_LISTS) as [ExportList, ...ExportList[]];

/** The lists whose rows depend on who exports them. */
export const PERSONAL_LISTS: readonly ExportList[] = ['conversations', 'reported_conversations', 'person'];

/** True if the viewer may view all conversations. */
export const seesAllConversations = (viewer: Viewer): boolean =>
  BUCKETS.every((bucket) => canViewBucket(bucket, viewer));

/** Whether a viewer of the list sees an export that this user started. */
export const isExportShared = ({ list, user_id }: { list: ExportList; user_id: string | null }, viewer: Viewer) =>
  !PERSONAL_LISTS.includes(list) || seesAllConversations(viewer) || (user_id !== null && user_id === viewer.user_id);
