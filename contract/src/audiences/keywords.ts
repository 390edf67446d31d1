/**
 * Keywords: words in inbound messages that opt out, opt in, get a reply, or label the conversation. Every sender
 * recognizes STOP, START, and HELP in ten languages; an account adds its own keywords.
 */
import { z } from 'zod';
import { country, idParams, problem, range, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { KEYWORD_EFFECTS, KEYWORD_MATCHES, keywordTokens } from './keyword_matching.ts';

export const KEYWORDS_MAX = 100;
export const KEYWORD_WORDS_MAX = 20;
export const KEYWORD_LENGTH_MAX = 40;
export const KEYWORD_REPLY_MAX = 1_000;
export const KEYWORD_LABELS_MAX = 10;

export const Keyword = z.object({
  id: z.string(),
  account_id: z.string(),
  /** Any of these. Case, accents, and punctuation do not matter. */
  words: z.array(z.string()),
  match: z.enum(KEYWORD_MATCHES),
  /** The senders to which it applies; empty means all. */
  sender_ids: z.array(z.string()),
  /** The countries of the people who send it; empty means all. */
  countries: z.array(z.string()),
  /**
   * `opt_out` adds the person to the sender's stop list, and `opt_in` removes them and records their consent.
   * `automation` only starts the automations waiting for the keyword and has no reply.
   */
  effect: z.enum(KEYWORD_EFFECTS),
  /** Null means no reply, or the sender's reply to STOP or START if the keyword opts out or in. */
  reply: z.string().nullable(),
  label_ids: z.array(z.string()),
  enabled: z.boolean(),
  /** Keywords are tried in this order, and the first one that matches applies. */
  position: z.int(),
  create_date: timestamp,
});
export type Keyword = z.output<typeof Keyword>;

const word = z
  .string({ error: problem('KEYWORD_WORDS_INVALID') })
  .trim()
  .max(KEYWORD_LENGTH_MAX, { error: problem('KEYWORD_WORDS_INVALID') })
  .refine((text) => keywordTokens(text).length > 0, { error: problem('KEYWORD_WORDS_INVALID') });

const fields = {
  words: z
    .array(word, { error: problem('KEYWORD_WORDS_INVALID') })
    .min(1, { error: problem('KEYWORD_WORDS_INVALID') })
    .max(KEYWORD_WORDS_MAX, { error: problem('KEYWORD_WORDS_INVALID') }),
  match: z.enum(KEYWORD_MATCHES),
  sender_ids: z.array(uuid('SENDER_NOT_FOUND')).max(50),
  countries: z.array(country()).max(250),
  effect: z.enum(KEYWORD_EFFECTS),
  reply: z
    .string()
    .trim()
    .min(1, { error: problem('KEYWORD_REPLY_INVALID') })
    .max(KEYWORD_REPLY_MAX, { error: problem('KEYWORD_REPLY_INVALID') })
    .nullable(),
  label_ids: z.array(uuid('LABEL_NOT_FOUND')).max(KEYWORD_LABELS_MAX),
  enabled: z.boolean(),
};

const PROBLEMS = [
  'KEYWORD_WORDS_INVALID',
  'KEYWORD_WORD_RESERVED',
  'KEYWORD_EFFECT_REQUIRED',
  'KEYWORD_REPLY_INVALID',
  'SENDER_NOT_FOUND',
  'LABEL_NOT_FOUND',
  'COUNTRY_CODE_INVALID',
  'VALUE_INVALID',
] as const;

export const listKeywords = endpoint({
  id: 'keywords.list',
  method: 'GET',
  path: '/v1/keywords',
  summary: 'List the account’s keywords in order',
  needs: 'SENDERS:view',
  output: z.array(Keyword),
  problems: [],
});

export const createKeyword = endpoint({
  id: 'keywords.create',
  method: 'POST',
  path: '/v1/keywords',
  summary: `Add a keyword at the end. An account can have ${KEYWORDS_MAX}`,
  needs: 'SENDERS:edit',
  body: z.object({
    words: fields.words,
    match: fields.match.default('exact'),
    sender_ids: fields.sender_ids.default([]),
    countries: fields.countries.default([]),
    effect: fields.effect.default('none'),
    reply: fields.reply.default(null),
    label_ids: fields.label_ids.default([]),
    enabled: fields.enabled.default(true),
  }),
  status: 201,
  idempotent: true,
  output: Keyword,
  problems: ['KEYWORDS_LIMIT_EXCEEDED', ...PROBLEMS],
});

export const updateKeyword = endpoint({
  id: 'keywords.update',
  method: 'PUT',
  path: '/v1/keywords/{id}',
  summary: 'Change a keyword, turn it on or off, or move it. Omitted fields stay unchanged',
  needs: 'SENDERS:edit',
  params: idParams('KEYWORD_NOT_FOUND'),
  body: z.object({ ...fields, position: range(1, KEYWORDS_MAX) }).partial(),
  output: Keyword,
  problems: ['KEYWORD_NOT_FOUND', ...PROBLEMS],
});

export const removeKeyword = endpoint({
  id: 'keywords.remove',
  method: 'DELETE',
  path: '/v1/keywords/{id}',
  summary: 'Delete a keyword',
  needs: 'SENDERS:edit',
  params: idParams('KEYWORD_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['KEYWORD_NOT_FOUND', 'KEYWORD_IN_USE'],
});

export const keywordChanged = event({
  id: 'keyword.changed',
  modules: ['keywords'],
  needs: 'SENDERS:view',
  payload: z.object({ id: z.string() }),
});
