/** What a message is sent from: numbers, short codes and names. */
import { z } from 'zod';
import { CHANNELS, commaList, idParams, listQuery, search, timestamp } from './common.ts';
import { endpoint } from './endpoint.ts';
import { event } from './event.ts';

export const SENDER_TYPES = ['local', 'mobile', 'toll_free', 'short_code', 'alphanumeric'] as const;
export const SENDER_STATUSES = ['pending', 'approved', 'rejected', 'available', 'canceled', 'unregistered'] as const;

export const Sender = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  /** What the phone shows: digits, or up to 11 letters and digits. */
  code: z.string(),
  channel: z.enum(CHANNELS),
  type: z.enum(SENDER_TYPES),
  status: z.enum(SENDER_STATUSES),
  /** ISO codes; empty means every country. */
  countries: z.array(z.string()),
  /** People can answer it. */
  two_way: z.boolean(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Sender = z.output<typeof Sender>;

export const listSenders = endpoint({
  id: 'senders.list',
  method: 'GET',
  path: '/v1/senders',
  summary: 'Senders of the account',
  needs: ['SENDERS:view', 'CAMPAIGNS:add', 'MESSAGES:add'],
  query: listQuery({
    channel: search,
    type: search,
    name: search,
    status: search,
    statuses: commaList(z.string()),
  }),
  list: true,
  output: Sender,
  problems: [],
});

export const getSender = endpoint({
  id: 'senders.get',
  method: 'GET',
  path: '/v1/senders/{id}',
  summary: 'One sender',
  needs: 'SENDERS:view',
  params: idParams(1402),
  output: Sender,
  problems: [1402],
});

/** Bought, registered or given by an operator. */
export const senderCreated = event({
  id: 'sender.created',
  modules: ['senders'],
  needs: 'SENDERS:view',
  payload: Sender,
});
