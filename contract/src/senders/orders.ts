/** Getting a sender, changing what it is called, giving it back. */
import { z } from 'zod';
import { channelRules, DEFAULT_CHANNEL } from '../channels/index.ts';
import { channel } from '../channels/names.ts';
import { country, idParams, problem, wordOf } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { ListedSender, SENDER_TYPES } from './senders.ts';

/** 3GPP 23.040 allows 11 characters; carriers take letters, digits and spaces between them, and demand a letter. */
export const SENDER_ID = /^(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 ]{0,9}[A-Za-z0-9])?$/;

const named = z
  .string()
  .trim()
  .max(45, { error: problem(1406) });
const countries = z.array(country()).max(60);

/** Numbers are bought: the first month and the setup leave the balance. Everything else begins as a draft (`unregistered`) that is completed and sent. */
export const createSender = endpoint({
  id: 'senders.create',
  method: 'POST',
  path: '/v1/senders',
  summary:
    'Buy a number of the list, or begin the request of a sender ID, a short code, or of WhatsApp or Viber (type business)',
  needs: 'SENDERS:add',
  verified: true,
  body: z
    .object({
      type: wordOf(SENDER_TYPES, 1411),
      channel: channel(1414).default(DEFAULT_CHANNEL),
      /** The number that is bought, or the sender ID. Short codes get theirs when they are approved. */
      code: z
        .string()
        .trim()
        .max(20, { error: problem(1408) })
        .default(''),
      /** The code unless given. */
      name: named.default(''),
      /** Where it is used; of numbers the country they belong to. */
      countries: countries.default([]),
      /** Short codes: any, or one that is chosen. */
      wish: z
        .object({
          kind: z.enum(['random', 'chosen']),
          codes: z.array(z.string().regex(/^\d{3,8}$/, { error: problem(1407) })).max(5),
        })
        .optional(),
    })
    .refine(({ type, channel }) => (type === 'business') === (channelRules(channel).senders === 'business'), {
      path: ['type'],
      error: problem(1411),
    })
    .refine(({ type, code }) => type !== 'alphanumeric' || code === '' || SENDER_ID.test(code), {
      path: ['code'],
      error: problem(1405),
    }),
  empty: 1403,
  status: 201,
  idempotent: true,
  output: ListedSender,
  problems: [1403, 1405, 1406, 1407, 1408, 1409, 1410, 1411, 1412, 1414, 1440, 1441, 1470, 1471, 1524, 7909],
});

export const updateSender = endpoint({
  id: 'senders.update',
  method: 'PUT',
  path: '/v1/senders/{id}',
  summary: 'Change what it is called and, before it is sent for approval, what was asked for',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams(1402),
  body: z
    .object({
      name: named.min(1, { error: problem(1404) }),
      brand: z.string().trim().max(60),
      code: z
        .string()
        .trim()
        .max(20, { error: problem(1408) }),
      countries,
      wish: createSender.body.shape.wish.unwrap(),
    })
    .partial(),
  output: ListedSender,
  problems: [1402, 1404, 1405, 1406, 1407, 1408, 1410, 1412, 1440, 1441, 1472, 1524],
});

export const removeSender = endpoint({
  id: 'senders.remove',
  method: 'DELETE',
  path: '/v1/senders/{id}',
  summary: 'Delete a sender; a number is given back and cannot be had again for a month',
  needs: 'SENDERS:delete',
  params: idParams(1402),
  status: 204,
  output: z.null(),
  problems: [1402],
});
