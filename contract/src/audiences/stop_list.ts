/** Numbers that receive nothing: every way to send asks here, at acceptance and again just before the message leaves. */
import { z } from 'zod';
import { idParams, listQuery, problem, search, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const STOP_REASONS = ['keyword', 'manual', 'api', 'operator', 'carrier'] as const;

export const StopListEntry = z.object({
  id: z.string(),
  account_id: z.string(),
  number: z.string(),
  country: z.string(),
  /** Null: for every sender. */
  sender_id: z.string().nullable(),
  sender_name: z.string().nullable(),
  reason: z.enum(STOP_REASONS),
  /** What the person wrote. */
  text: z.string(),
  message_id: z.string().nullable(),
  create_date: timestamp,
});
export type StopListEntry = z.output<typeof StopListEntry>;

export const listStopList = endpoint({
  id: 'stop_list.list',
  method: 'GET',
  path: '/v1/stop_list',
  summary: 'Numbers that receive nothing, newest first',
  needs: 'SENDERS:view',
  query: listQuery({ search, sender_id: z.string() }),
  list: true,
  output: StopListEntry,
  problems: [],
});

export const createStopListEntry = endpoint({
  id: 'stop_list.create',
  method: 'POST',
  path: '/v1/stop_list',
  summary: 'Stop a number, for one sender or for all',
  needs: 'SENDERS:edit',
  body: z.object({
    number: z
      .string({ error: problem(1353) })
      .trim()
      .min(1, { error: problem(1353) })
      .max(45, { error: problem(1355) }),
    sender_id: uuid(1402).nullable().default(null),
  }),
  status: 201,
  idempotent: true,
  output: StopListEntry,
  problems: [1003, 1353, 1354, 1355, 1402],
});

export const removeStopListEntry = endpoint({
  id: 'stop_list.remove',
  method: 'DELETE',
  path: '/v1/stop_list/{id}',
  summary: 'Allow a number again',
  needs: 'SENDERS:edit',
  params: idParams(1370),
  status: 204,
  output: z.null(),
  problems: [1370],
});

export const stopListChanged = event({
  id: 'stop_list.changed',
  modules: ['stop_list'],
  needs: 'SENDERS:view',
  payload: z.object({ number: z.string(), sender_id: z.string().nullable(), change: z.enum(['stopped', 'started']) }),
});
