/**
 * The columns of exported files. `key` is the column of the table on the screen, which may become several columns of
 * the file. Statuses are the values of the API, so that files can be read by programs.
 */
import { AUDIT_PHRASES } from '../accounts/audit_log.ts';
import type { Contact } from '../audiences/audiences.ts';
import type { ContactField } from '../audiences/contact_fields.ts';
import { fieldText } from '../audiences/field_values.ts';
import { ID_CHANNELS, idColumn, PERSON_IDS, showNumber } from '../channels/person_ids.ts';
import type { Item } from '../endpoint.ts';
import { type Permissions, RESOURCES } from '../permission.ts';
import { ROLES } from '../team/team.ts';
import type { EXPORT_LISTS, ExportList } from './lists.ts';

type Cell = string | number | null;

interface ExportColumn<T> {
  key: string;
  title: string;
  value: (row: T) => Cell;
  /** The value is a timestamp in UTC. The file has it in its own time zone; a workbook stores it as a date. */
  isTime?: boolean;
  /** The value is a number: a count, or an amount of money with up to 6 decimals. Otherwise, it is a text. */
  number?: 'count' | 'amount';
}
export type AnyExportColumn = ExportColumn<never>;

const time = <T>(key: string, title: string, value: (row: T) => string | null): ExportColumn<T> => ({
  key,
  title,
  value,
  isTime: true,
});
const count = <T>(key: string, title: string, value: (row: T) => number | null): ExportColumn<T> => ({
  key,
  title,
  value,
  number: 'count',
});
const amount = <T>(key: string, title: string, micros: (row: T) => number | null): ExportColumn<T> => ({
  key,
  title,
  value: (row) => {
    const value = micros(row);
    return value === null ? null : value / 1_000_000;
  },
  number: 'amount',
});
/** Phone numbers have a plus sign; sender names are unchanged. */
const address = (text: string): string => (/^\d{7,15}$/.test(text) ? `+${text}` : text);

const roleLabel = (permissions: Permissions): string =>
  Object.values(ROLES).find((role) =>
    RESOURCES.every((resource) => (role.permissions[resource] ?? 0) === (permissions[resource] ?? 0)),
  )?.label ?? 'Custom';

export const EXPORT_COLUMNS: { [L in ExportList]: readonly ExportColumn<Item<(typeof EXPORT_LISTS)[L]>>[] } = {
  messages: [
    time('created', 'Time', (row) => row.create_date),
    { key: 'status', title: 'Status', value: (row) => row.status },
    { key: 'status', title: 'Reason', value: (row) => row.status_details ?? row.failure },
    { key: 'direction', title: 'Direction', value: (row) => (row.direction === 'MT' ? 'outbound' : 'inbound') },
    { key: 'number', title: 'Number', value: (row) => address(row.direction === 'MT' ? row.to : row.from) },
    { key: 'country', title: 'Country', value: (row) => row.country },
    { key: 'sender', title: 'Sender', value: (row) => address(row.direction === 'MT' ? row.from : row.to) },
    { key: 'text', title: 'Type', value: (row) => row.type },
    { key: 'text', title: 'Text', value: (row) => row.text },
    count('segments', 'Segments', (row) => row.segments_count),
    amount('price', 'Price', (row) => row.price_micros),
    { key: 'price', title: 'Currency', value: (row) => row.currency },
    { key: 'channel', title: 'Channel', value: (row) => row.channel },
    { key: 'network', title: 'Network', value: (row) => row.network ?? null },
    { key: 'mccmnc', title: 'MCC/MNC', value: (row) => row.mccmnc },
    { key: 'source', title: 'Source', value: (row) => row.source },
    { key: 'category', title: 'Category', value: (row) => row.wa_category },
    { key: 'verification', title: 'Verification', value: (row) => row.verification_status ?? null },
  ],
  contacts: [
    { key: 'number', title: 'Number', value: (row) => showNumber(row.number) },
    { key: 'number', title: 'Country', value: (row) => row.country },
    { key: 'first_name', title: 'First name', value: (row) => row.first_name },
    { key: 'last_name', title: 'Last name', value: (row) => row.last_name },
    { key: 'custom1', title: 'Custom 1', value: (row) => row.custom1 },
    { key: 'custom2', title: 'Custom 2', value: (row) => row.custom2 },
    { key: 'tags', title: 'Tags', value: (row) => row.tags.join(', ') },
    ...ID_CHANNELS.map((channel) => ({
      key: idColumn(channel),
      title: PERSON_IDS[channel]!.label,
      value: (row: Contact) => row.channel_ids[channel] ?? '',
    })),
    time('added', 'Added', (row) => row.create_date),
  ],
  person: [
    { key: 'kind', title: 'Kind', value: (row) => row.kind },
    time('time', 'Time', (row) => row.timestamp),
    { key: 'name', title: 'Name', value: (row) => row.name },
    { key: 'value', title: 'Value', value: (row) => row.value },
    { key: 'channel', title: 'Channel', value: (row) => row.channel },
    { key: 'direction', title: 'Direction', value: (row) => row.direction },
    { key: 'from', title: 'From', value: (row) => row.from && address(row.from) },
    { key: 'to', title: 'To', value: (row) => row.to && address(row.to) },
    { key: 'status', title: 'Status', value: (row) => row.status },
    { key: 'id', title: 'ID', value: (row) => row.id },
  ],
  stop_list: [
    { key: 'number', title: 'Number', value: (row) => `+${row.number}` },
    { key: 'number', title: 'Country', value: (row) => row.country },
    { key: 'sender', title: 'Blocked for', value: (row) => row.sender_name ?? 'Every sender' },
    { key: 'reason', title: 'Reason', value: (row) => row.reason },
    { key: 'text', title: 'Message text', value: (row) => row.text },
    time('since', 'Since', (row) => row.create_date),
  ],
  campaigns: [
    { key: 'name', title: 'Name', value: (row) => row.name },
    { key: 'status', title: 'Status', value: (row) => row.status },
    { key: 'status', title: 'Reason', value: (row) => row.status_details },
    { key: 'audience', title: 'Audience', value: (row) => row.audience_name },
    count('progress', 'Recipients', (row) => row.total),
    count('progress', 'Messages created', (row) => row.fanned_out),
    count('delivered', 'Delivered', (row) => row.messages.delivered),
    count('failed', 'Failed', (row) => row.messages.failed),
    amount('cost', 'Cost', (row) => row.cost_micros),
    { key: 'cost', title: 'Currency', value: (row) => row.currency },
    time('when', 'Start', (row) => row.start_date ?? row.schedule),
    time('when', 'End', (row) => row.end_date),
    { key: 'tags', title: 'Tags', value: (row) => row.tags.join(', ') },
    { key: 'sender', title: 'Sender', value: (row) => row.sender_name },
    time('created', 'Created', (row) => row.create_date),
  ],
  campaign_recipients: [
    { key: 'recipient', title: 'Number', value: (row) => address(row.to) },
    { key: 'recipient', title: 'Name', value: (row) => row.contact_name },
    { key: 'recipient', title: 'Country', value: (row) => row.country },
    { key: 'status', title: 'Status', value: (row) => row.status },
    { key: 'status', title: 'Reason', value: (row) => row.status_details ?? row.failure },
    time('response', 'Replied', (row) => row.reply_date),
    { key: 'response', title: 'Opted out', value: (row) => (row.opted_out ? 'yes' : 'no') },
    { key: 'text', title: 'Text', value: (row) => row.text },
    count('segments', 'Segments', (row) => row.segments_count),
    amount('price', 'Price', (row) => row.price_micros),
    { key: 'price', title: 'Currency', value: (row) => row.currency },
    { key: 'network', title: 'Network', value: (row) => row.network ?? row.mccmnc },
    time('updated', 'Created', (row) => row.create_date),
    time('updated', 'Updated', (row) => row.update_date),
  ],
  conversations: [
    { key: 'recipient', title: 'Number', value: (row) => (row.number === row.alias ? null : address(row.number)) },
    { key: 'recipient', title: 'Name', value: (row) => row.contact_name || row.profile_name },
    { key: 'recipient', title: 'Country', value: (row) => row.country },
    { key: 'sender', title: 'Channel', value: (row) => row.channel },
    { key: 'sender', title: 'Sender', value: (row) => row.sender_name },
    { key: 'assignee', title: 'Assigned to', value: (row) => row.assignee_name },
    { key: 'status', title: 'Status', value: (row) => row.status },
    time('status', 'Snoozed until', (row) => row.snooze_until),
    time('waiting', 'Waiting since', (row) => row.waiting_since),
    time('waiting', 'First reply due', (row) => row.clocks?.response_due ?? null),
    time('waiting', 'Resolution due', (row) => row.clocks?.resolution_due ?? null),
    count('unread', 'Unread messages', (row) => row.unread_count),
    { key: 'last', title: 'Last message', value: (row) => row.last_message?.text ?? null },
    {
      key: 'last',
      title: 'Direction',
      value: (row) => row.last_message && (row.last_message.direction === 'MT' ? 'outbound' : 'inbound'),
    },
    time('time', 'Time', (row) => row.timestamp),
    { key: 'stopped', title: 'Opted out', value: (row) => (row.stopped ? 'yes' : 'no') },
    { key: 'id', title: 'ID', value: (row) => row.id },
  ],
  reported_conversations: [
    { key: 'contact', title: 'Number', value: (row) => row.number && address(row.number) },
    { key: 'contact', title: 'Name', value: (row) => row.contact_name },
    { key: 'channel', title: 'Channel', value: (row) => row.channel },
    { key: 'agent', title: 'Agent', value: (row) => row.agent_name },
    time('opened', 'Opened', (row) => row.opened),
    time('response', 'First message', (row) => row.waiting_since),
    time('response', 'First reply', (row) => row.answered),
    count('response', 'First response (seconds)', (row) => row.response_seconds && Math.round(row.response_seconds)),
    time('response', 'First reply due', (row) => row.response_due),
    time('resolution', 'Closed', (row) => row.closed),
    time('resolution', 'Resolution due', (row) => row.resolution_due),
    count('resolution', 'Resolution (seconds)', (row) => row.resolution_seconds && Math.round(row.resolution_seconds)),
    { key: 'contact', title: 'Conversation ID', value: (row) => row.conversation_id },
  ],
  links: [
    { key: 'name', title: 'Name', value: (row) => row.name || row.campaign_name },
    { key: 'short_url', title: 'Short URL', value: (row) => row.short_url },
    count('short_url', 'Recipients', (row) => row.recipients),
    count('clicks', 'Clicks', (row) => row.clicks),
    count('people', 'People', (row) => row.unique_clicks),
    count('bots', 'Bots', (row) => row.bot_clicks),
    time('clicks', 'First click', (row) => row.first_click_date),
    time('clicks', 'Last click', (row) => row.last_click_date),
    { key: 'url', title: 'Destination', value: (row) => row.url },
    { key: 'source', title: 'Source', value: (row) => row.source },
    { key: 'tags', title: 'Tags', value: (row) => row.tags.join(', ') },
    { key: 'state', title: 'Archived', value: (row) => (row.archived ? 'yes' : 'no') },
    time('state', 'Expires', (row) => row.expire_date),
    count('state', 'Click limit', (row) => row.max_clicks),
    time('created', 'Created', (row) => row.create_date),
  ],
  audit_log: [
    time('time', 'Time', (row) => row.create_date),
    { key: 'actor', title: 'User', value: (row) => row.actor_name },
    { key: 'actor', title: 'On behalf of', value: (row) => (row.real_user_id ? (row.user_id ?? '') : '') },
    { key: 'action', title: 'Action', value: (row) => AUDIT_PHRASES[row.action] ?? row.action },
    { key: 'action', title: 'Object', value: (row) => row.target_type },
    { key: 'action', title: 'Name', value: (row) => row.target_name },
    {
      key: 'action',
      title: 'Details',
      value: (row) => (Object.keys(row.detail).length > 0 ? JSON.stringify(row.detail) : ''),
    },
    { key: 'address', title: 'IP address', value: (row) => row.address },
    { key: 'agent', title: 'Device', value: (row) => row.agent },
    { key: 'agent', title: 'Request', value: (row) => row.request_id },
  ],
  users: [
    { key: 'name', title: 'Name', value: (row) => row.full_name },
    { key: 'name', title: 'Email', value: (row) => row.email },
    { key: 'status', title: 'Status', value: (row) => (row.blocked ? 'BLOCKED' : row.status) },
    { key: 'role', title: 'Role', value: (row) => (row.is_owner ? 'Owner' : roleLabel(row.permissions)) },
    { key: 'position', title: 'Position', value: (row) => row.position },
    { key: 'second_factor', title: '2FA', value: (row) => (row.second_factor ? 'yes' : 'no') },
    time('seen', 'Last seen', (row) => row.last_seen_date),
  ],
  payments: [
    { key: 'type', title: 'Type', value: (row) => row.type },
    { key: 'status', title: 'Status', value: (row) => row.status },
    amount('amount', 'Amount', (row) => row.amount_micros),
    { key: 'amount', title: 'Currency', value: (row) => row.currency },
    amount('tax', 'VAT', (row) => row.tax_micros),
    amount('returned', 'Refunded', (row) => row.returned_micros),
    { key: 'details', title: 'Card', value: (row) => row.last4 },
    { key: 'details', title: 'Reference', value: (row) => row.reference },
    time('date', 'Date', (row) => row.paid_date ?? row.create_date),
  ],
  ledger: [
    { key: 'kind', title: 'Entry', value: (row) => row.kind },
    { key: 'change', title: 'From', value: (row) => row.debit },
    { key: 'change', title: 'To', value: (row) => row.credit },
    amount('change', 'Amount', (row) => row.amount_micros),
    amount('balance', 'Balance', (row) => row.available_after_micros),
    amount('balance', 'Reserved', (row) => row.held_after_micros),
    count('details', 'Messages', (row) => row.message_count),
    { key: 'details', title: 'Note', value: (row) => row.note },
    time('date', 'Date', (row) => row.create_date),
  ],
  lookups: [
    { key: 'number', title: 'Number', value: (row) => `+${row.number}` },
    { key: 'status', title: 'Status', value: (row) => row.status },
    { key: 'status', title: 'Live status', value: (row) => row.live_status },
    { key: 'operator', title: 'Operator', value: (row) => row.operator },
    { key: 'line_type', title: 'Line type', value: (row) => row.line_type },
    { key: 'ported', title: 'Ported', value: (row) => (row.ported === null ? null : row.ported ? 'yes' : 'no') },
    { key: 'network', title: 'Network', value: (row) => row.network },
    { key: 'mccmnc', title: 'MCC/MNC', value: (row) => row.mccmnc },
    { key: 'country', title: 'Country', value: (row) => row.country },
    time('created', 'Looked up', (row) => row.create_date),
    time('created', 'Result of', (row) => row.result_date),
  ],
};

/** The columns of the account's own fields. They have the keys of conditions and files, such as `fields.city`. */
export const fieldColumns = (fields: readonly Pick<ContactField, 'key' | 'label'>[]): AnyExportColumn[] =>
  fields.map(({ key, label }) => ({
    key: `fields.${key}`,
    title: label,
    value: ({ fields: values }: Contact) => {
      const value = values[key];
      return typeof value === 'number' ? value : fieldText(value);
    },
  }));

/**
 * The columns of the file for the columns of the screen, in that order. Unknown keys are ignored. `own` are the columns
 * of the account's own fields.
 */
export function exportColumns(
  list: ExportList,
  keys: readonly string[] | null,
  own: readonly AnyExportColumn[] = [],
): readonly AnyExportColumn[] {
  const all: readonly AnyExportColumn[] = [...EXPORT_COLUMNS[list], ...own];
  const chosen = [...new Set(keys ?? [])].flatMap((key) => all.filter((column) => column.key === key));
  return chosen.length > 0 ? chosen : all;
}
