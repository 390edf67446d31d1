/** Ordering, renaming, and deleting senders. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { channelRules, DEFAULT_CHANNEL } from '../channels/index.ts';
import { country, enumInput, idParams, problem } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { ListedSender, SENDER_LINKS, SENDER_TYPE_NAMES, SENDER_TYPES } from './senders.ts';

/**
 * 3GPP 23.040 allows 11 characters. Carriers accept letters, digits, and inner spaces, and require at least one letter.
 */
export const SENDER_ID = /^(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 ]{0,9}[A-Za-z0-9])?$/;

const senderName = z
  .string()
  .trim()
  .max(45, { error: problem('SENDER_NAME_TOO_LONG') });
const countries = z.array(country()).max(60);

/**
 * Numbers are bought: the setup fee and the first month are charged to the balance. Every other sender starts as a
 * draft (`unregistered`), which the user completes and submits.
 */
export const createSender = endpoint({
  id: 'senders.create',
  method: 'POST',
  path: '/v1/senders',
  summary:
    'Buy a number, or start a request for a sender ID, a short code, or a WhatsApp or Viber sender (type `business`)',
  // Users who can only add numbers can only buy numbers.
  needs: ['SENDERS:add', 'NUMBERS:add'],
  uncounted_spend: true,
  verified: true,
  body: z
    .object({
      type: enumInput(SENDER_TYPES, 'NUMBER_TYPE_INVALID', SENDER_TYPE_NAMES),
      channel: channel('SENDER_CHANNEL_INVALID').default(DEFAULT_CHANNEL),
      /** The number to buy, or the sender ID. Short codes are assigned on approval. */
      code: z
        .string()
        .trim()
        .max(20, { error: problem('SENDER_CODE_TOO_LONG') })
        .default(''),
      /** Defaults to the code. */
      name: senderName.default(''),
      /** The countries where the sender is used; for a number, its own country. */
      countries: countries.default([]),
      /** A single country, instead of `countries`. */
      country: country().optional(),
      /** For short codes: a random code, or a chosen one. */
      wish: z
        .object({
          kind: z.enum(['random', 'chosen']),
          codes: z.array(z.string().regex(/^\d{3,8}$/, { error: problem('SENDER_CODE_INVALID') })).max(5),
        })
        .optional(),
    })
    .refine(({ type, channel }) => (type === 'business') === (channelRules(channel).senders === 'business'), {
      path: ['type'],
      error: problem('NUMBER_TYPE_INVALID'),
    })
    .refine(({ type, code }) => type !== 'alphanumeric' || code === '' || SENDER_ID.test(code), {
      path: ['code'],
      error: problem('SENDER_ID_INVALID'),
    }),
  empty: 'SENDER_DATA_REQUIRED',
  status: 201,
  idempotent: true,
  output: ListedSender,
  links: SENDER_LINKS,
  problems: [
    'SENDER_DATA_REQUIRED',
    'SENDER_ID_INVALID',
    'SENDER_NAME_TOO_LONG',
    'SENDER_CODE_INVALID',
    'SENDER_CODE_TOO_LONG',
    'SENDER_CODE_REQUIRED',
    'SENDER_COUNTRY_REQUIRED',
    'NUMBER_TYPE_INVALID',
    'COUNTRY_CODE_INVALID',
    'SENDER_CHANNEL_INVALID',
    'SENDER_ID_EXISTS',
    'SENDER_NAME_EXISTS',
    'NUMBER_TAKEN',
    'SENDER_TYPE_NOT_ALLOWED',
    'ACCOUNT_UNVERIFIED',
    'BALANCE_NOT_ENOUGH',
    'PERMISSION_REQUIRED',
  ],
});

export const updateSender = endpoint({
  id: 'senders.update',
  method: 'PUT',
  path: '/v1/senders/{id}',
  summary: 'Rename a sender, or change a request that has not been submitted',
  needs: 'SENDERS:add',
  verified: true,
  params: idParams('SENDER_NOT_FOUND'),
  body: z
    .object({
      name: senderName.min(1, { error: problem('SENDER_NAME_REQUIRED') }),
      brand: z.string().trim().max(60),
      code: z
        .string()
        .trim()
        .max(20, { error: problem('SENDER_CODE_TOO_LONG') }),
      countries,
      wish: createSender.body.shape.wish.unwrap(),
    })
    .partial(),
  output: ListedSender,
  links: SENDER_LINKS,
  problems: [
    'SENDER_NOT_FOUND',
    'SENDER_NAME_REQUIRED',
    'SENDER_ID_INVALID',
    'SENDER_NAME_TOO_LONG',
    'SENDER_CODE_INVALID',
    'SENDER_CODE_TOO_LONG',
    'SENDER_COUNTRY_REQUIRED',
    'COUNTRY_CODE_INVALID',
    'SENDER_ID_EXISTS',
    'SENDER_NAME_EXISTS',
    'SENDER_STATE_INVALID',
    'ACCOUNT_UNVERIFIED',
  ],
});

export const removeSender = endpoint({
  id: 'senders.remove',
  method: 'DELETE',
  path: '/v1/senders/{id}',
  summary: 'Delete a sender; its number is released and cannot be bought again for 30 days',
  needs: 'SENDERS:delete',
  params: idParams('SENDER_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['SENDER_NOT_FOUND'],
});
