/**
 * The actions that a bulk job applies to many rows of a list. An action is the list, the endpoint that is called for
 * each row, the parameter of that endpoint that gets the row's ID, and the body of the call. The endpoint states the
 * permission.
 */
import { listContacts, removeContact } from '../audiences/audiences.ts';
import { listStopList, removeStopListEntry } from '../audiences/stop_list.ts';
import { listCampaigns, removeCampaign } from '../campaigns/campaigns.ts';
import type { AnyEndpoint } from '../endpoint.ts';
import { listConversations, removeConversation, updateConversation } from '../inbox/inbox.ts';
import { addConversationLabel, removeConversationLabel } from '../inbox/label_changes.ts';
import { listTemplates, removeTemplate } from '../templates/templates.ts';
import type { BulkActionName } from './bulk.ts';

export const BULK_ACTIONS = {
  remove_contacts: { list: listContacts, endpoint: removeContact, id_param: 'contact_id' },
  remove_stop_list_entries: { list: listStopList, endpoint: removeStopListEntry, id_param: 'id' },
  remove_templates: { list: listTemplates, endpoint: removeTemplate, id_param: 'id' },
  remove_campaigns: { list: listCampaigns, endpoint: removeCampaign, id_param: 'id' },
  close_conversations: {
    list: listConversations,
    endpoint: updateConversation,
    id_param: 'id',
    body: { status: 'closed' },
  },
  open_conversations: {
    list: listConversations,
    endpoint: updateConversation,
    id_param: 'id',
    body: { status: 'open' },
  },
  label_conversations: {
    list: listConversations,
    endpoint: addConversationLabel,
    id_param: 'id',
    own_params: ['label_id'],
  },
  unlabel_conversations: {
    list: listConversations,
    endpoint: removeConversationLabel,
    id_param: 'id',
    own_params: ['label_id'],
  },
  remove_conversations: { list: listConversations, endpoint: removeConversation, id_param: 'id' },
} as const satisfies Record<BulkActionName, BulkAction>;

interface BulkAction {
  list: AnyEndpoint;
  endpoint: AnyEndpoint;
  id_param: string;
  /** The parameters of the job that only the path of the endpoint has. */
  own_params?: readonly string[];
  /** Sent with every call. */
  body?: object;
}

export const bulkBody = (action: BulkActionName): object | undefined => (BULK_ACTIONS[action] as BulkAction).body;

/** The parameters of a job that the list takes. */
export function listParams(action: BulkActionName, params: Readonly<Record<string, string>>): Record<string, string> {
  const own = (BULK_ACTIONS[action] as BulkAction).own_params ?? [];
  return Object.fromEntries(Object.entries(params).filter(([name]) => !own.includes(name)));
}
