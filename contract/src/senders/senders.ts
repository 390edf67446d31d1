/** Senders: the numbers, short codes, and names that messages are sent from. */
import { z } from 'zod';
import { CHANNELS } from '../channels/names.ts';
import {
  commaList,
  country,
  enumInput,
  filterWord,
  listQuery,
  micros,
  problem,
  search,
  timestamp,
  wordList,
} from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { spend } from '../spend.ts';
import { type StatusWord, statusWord } from '../status.ts';

export const SMS_SENDER_TYPES = ['local', 'mobile', 'toll_free', 'short_code', 'alphanumeric'] as const;
/** `business`: a company's identity on WhatsApp or Viber. */
export const SENDER_TYPES = [...SMS_SENDER_TYPES, 'business'] as const;
/** Aliases of sender types, which requests can use. */
export const SENDER_TYPE_NAMES: Readonly<Record<string, (typeof SENDER_TYPES)[number]>> = {
  local_number: 'local',
  local_numbers: 'local',
  mobile_number: 'mobile',
  mobile_numbers: 'mobile',
  toll_free_number: 'toll_free',
  toll_free_numbers: 'toll_free',
  short_codes: 'short_code',
  sender_id: 'alphanumeric',
  sender_ids: 'alphanumeric',
};
export const SENDER_STATUSES = ['pending', 'approved', 'rejected', 'available', 'canceled', 'unregistered'] as const;
export const SENDER_STATUS: Readonly<Record<(typeof SENDER_STATUSES)[number], StatusWord>> = {
  pending: statusWord('Pending', 'wait', 'clock'),
  approved: statusWord('Approved', 'ok', 'check'),
  rejected: statusWord('Rejected', 'fail', 'cross'),
  available: statusWord('Available', 'ok', 'check'),
  canceled: statusWord('Canceled', 'off', 'ban'),
  unregistered: statusWord('Unregistered', 'off', 'dashed'),
};

export const Sender = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  /**
   * The sender as the phone shows it: digits, or up to 11 letters and digits; on Viber the business name in English.
   */
  code: z.string(),
  channel: z.enum(CHANNELS),
  type: z.enum(SENDER_TYPES),
  status: z.enum(SENDER_STATUSES),
  /** ISO codes; empty means every country. For a number pool, the countries of all its members. */
  countries: z.array(z.string()),
  /** The number pool that uses this number; its own ID if it is the pool. */
  pool_id: z.string().nullable(),
  /** True if people can reply to it. */
  two_way: z.boolean(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Sender = z.output<typeof Sender>;
export const SENDER_LINKS = { self: '/v1/senders/{id}', account: '/v1/accounts/self' } as const;

/** COMPLETED is shown as Available, CANCELED as Rejected, IN_PROCESS as Pending, and DELETED as Deleted. */
export const REQUEST_STATUSES = ['IN_PROCESS', 'COMPLETED', 'CANCELED', 'DELETED'] as const;
export const SENDER_REQUEST: Readonly<Record<(typeof REQUEST_STATUSES)[number], StatusWord>> = {
  IN_PROCESS: statusWord('Pending', 'wait', 'clock'),
  COMPLETED: statusWord('Available', 'ok', 'check'),
  CANCELED: statusWord('Rejected', 'fail', 'cross'),
  DELETED: statusWord('Deleted', 'off', 'cross'),
};

export const ListedSender = Sender.extend({
  /** The number of pool members other than its own number. */
  members_count: z.int(),
  /** The name of its number pool. */
  pool_name: z.string().nullable(),
  /** The name in replies to HELP and STOP. */
  brand: z.string(),
  /** The name that people see: the display name on WhatsApp, the English name on Viber; empty for SMS. */
  business_name: z.string(),
  /** The carrier state by name: quality, limit, throughput, name_status; null if there is none. */
  carrier_state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
  /** Null if there is no request. */
  request_status: z.enum(REQUEST_STATUSES).nullable(),
  /** Set for numbers with a monthly price. */
  rental: z
    .object({
      currency: z.string(),
      monthly_micros: spend(micros),
      renewal_date: timestamp,
      /** When the number is released because its rental could not be paid. */
      grace_date: timestamp.nullable(),
    })
    .nullable(),
});
export type ListedSender = z.output<typeof ListedSender>;

/** A status in a filter; empty matches every status. */
export const senderStatus = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['', ...SENDER_STATUSES], { error: problem('SENDER_STATUS_INVALID') }));

export const listSenders = endpoint({
  id: 'senders.list',
  method: 'GET',
  path: '/v1/senders',
  summary: 'List senders; deleted senders are included only if the filter names their status',
  needs: ['SENDERS:view', 'CAMPAIGNS:add', 'MESSAGES:add'],
  test_keys: true,
  sorts: ['code', 'status', 'channel', 'type', 'monthly_micros', 'renewal_date', 'create_date'],
  query: listQuery({
    channel: filterWord(CHANNELS, 'SENDER_CHANNEL_INVALID'),
    channels: wordList(CHANNELS, 'SENDER_CHANNEL_INVALID'),
    /** Also accepted: "Toll-Free Number", "Local Number", "Mobile Numbers", "Short Code", and "Sender Id". */
    type: filterWord(SENDER_TYPES, 'NUMBER_TYPE_INVALID', SENDER_TYPE_NAMES),
    types: commaList(enumInput(SENDER_TYPES, 'NUMBER_TYPE_INVALID', SENDER_TYPE_NAMES)),
    name: search,
    status: senderStatus,
    statuses: commaList(senderStatus),
    request_statuses: wordList(REQUEST_STATUSES, 'SENDER_STATUS_INVALID'),
    countries: commaList(country()),
  }).extend({
    limit: z.string().optional().meta({ description: 'Ignored. Older clients send it; use `page_size`.' }),
  }),
  list: true,
  output: ListedSender,
  links: SENDER_LINKS,
  problems: ['SENDER_STATUS_INVALID', 'SENDER_CHANNEL_INVALID', 'NUMBER_TYPE_INVALID', 'COUNTRY_CODE_INVALID'],
});

/** A sender was bought, requested, or assigned by an operator. */
export const senderCreated = event({
  id: 'sender.created',
  modules: ['senders', 'numbers', 'dashboard'],
  needs: 'SENDERS:view',
  payload: Sender,
});
/** A sender was submitted, reviewed, renewed, or changed. */
export const senderUpdated = event({
  id: 'sender.updated',
  modules: ['senders', 'dashboard'],
  needs: 'SENDERS:view',
  payload: Sender,
});
export const senderRemoved = event({
  id: 'sender.removed',
  modules: ['senders', 'numbers', 'dashboard'],
  needs: 'SENDERS:view',
  payload: Sender,
});
