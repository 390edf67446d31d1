/** What a message is sent from: numbers, short codes and names. */
import { z } from 'zod';
import { CHANNELS, commaList, listQuery, micros, problem, search, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const SMS_SENDER_TYPES = ['local', 'mobile', 'toll_free', 'short_code', 'alphanumeric'] as const;
/** `business`: a company as WhatsApp and Viber know it. */
export const SENDER_TYPES = [...SMS_SENDER_TYPES, 'business'] as const;
export const SENDER_STATUSES = ['pending', 'approved', 'rejected', 'available', 'canceled', 'unregistered'] as const;

export const Sender = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  /** What the phone shows: digits, or up to 11 letters and digits; of Viber the business name in English. */
  code: z.string(),
  channel: z.enum(CHANNELS),
  type: z.enum(SENDER_TYPES),
  status: z.enum(SENDER_STATUSES),
  /** ISO codes; empty means every country. Of one with numbers behind it: where any of them is used. */
  countries: z.array(z.string()),
  /** The sender it stands behind and is only used through; its own id where others stand behind it. */
  pool_id: z.string().nullable(),
  /** People can answer it. */
  two_way: z.boolean(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Sender = z.output<typeof Sender>;

/** Of what was asked for: COMPLETED is shown as Available, CANCELED as Rejected, IN_PROCESS as Pending, DELETED as Deleted. */
export const REQUEST_STATUSES = ['IN_PROCESS', 'COMPLETED', 'CANCELED', 'DELETED'] as const;

export const ListedSender = Sender.extend({
  /** Numbers behind it, besides its own. */
  members_count: z.int(),
  /** Of the sender it stands behind. */
  pool_name: z.string().nullable(),
  /** How its owner names itself in answers to HELP and STOP. */
  brand: z.string(),
  /** As people see it: the display name of WhatsApp, the English name of Viber; empty for SMS. */
  business_name: z.string(),
  /** What the carrier says of it, by name: quality, limit, throughput, name_status; null while it says nothing. */
  carrier_state: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).nullable(),
  /** Null while nothing has been asked for. */
  request_status: z.enum(REQUEST_STATUSES).nullable(),
  /** Numbers that are paid by the month. */
  rental: z
    .object({
      currency: z.string(),
      monthly_micros: micros,
      renewal_date: timestamp,
      /** The balance was not enough: the number is given back then. */
      grace_date: timestamp.nullable(),
    })
    .nullable(),
});
export type ListedSender = z.output<typeof ListedSender>;

/** In a filter. */
export const senderStatus = z
  .string()
  .trim()
  .toLowerCase()
  .pipe(z.enum(['', ...SENDER_STATUSES], { error: problem('SENDER_STATUS_INVALID') }));

export const listSenders = endpoint({
  id: 'senders.list',
  method: 'GET',
  path: '/v1/senders',
  summary: 'Senders of the account; deleted ones when their status is asked for',
  needs: ['SENDERS:view', 'CAMPAIGNS:add', 'MESSAGES:add'],
  query: listQuery({
    channel: search,
    channels: commaList(z.string()),
    type: search,
    types: commaList(z.string()),
    name: search,
    status: senderStatus,
    statuses: commaList(senderStatus),
    request_statuses: commaList(z.string()),
    countries: commaList(z.string()),
  }),
  list: true,
  output: ListedSender,
  problems: ['SENDER_STATUS_INVALID'],
});

/** Bought, registered or given by an operator. */
export const senderCreated = event({
  id: 'sender.created',
  modules: ['senders', 'numbers'],
  needs: 'SENDERS:view',
  payload: Sender,
});
/** Sent, decided, renewed, changed. */
export const senderUpdated = event({
  id: 'sender.updated',
  modules: ['senders'],
  needs: 'SENDERS:view',
  payload: Sender,
});
export const senderRemoved = event({
  id: 'sender.removed',
  modules: ['senders', 'numbers'],
  needs: 'SENDERS:view',
  payload: Sender,
});
