/** The facts about a person in every audience: tags, the account's own fields, language, and time zone. */
import { z } from 'zod';
import type { ChannelName } from '../channels/names.ts';
import { ID_CHANNELS, PERSON_IDS } from '../channels/person_ids.ts';
import { matchWord, problem } from '../common.ts';
import type { ProblemName } from '../problem.ts';
import { MAX_TAG_LENGTH, MAX_TAGS } from './limits.ts';

const fieldValue = z.union([z.string(), z.number(), z.boolean()]);

export const personFacts = {
  tags: z.array(z.string()),
  /** The values of your own fields by their keys. A date is `yyyy-MM-dd`. */
  fields: z.record(z.string(), fieldValue),
  /** A language tag, such as `en` or `pt-BR`; empty if unknown. */
  language: z.string(),
  /** An IANA time zone; empty if unknown. */
  timezone: z.string(),
  /** The person's IDs on channels that have such IDs, by channel name. */
  channel_ids: z.record(z.string(), z.string()),
};

const isTimezone = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
};

/** Without duplicates, ignoring case. */
export const tagList = z
  .array(
    z
      .string({ error: problem('TAG_INVALID') })
      .trim()
      .min(1, { error: problem('TAG_INVALID') })
      .max(MAX_TAG_LENGTH, { error: problem('TAG_INVALID') })
      .regex(/^[^,]+$/, { error: problem('TAG_INVALID') }),
  )
  .transform((tags) => [...new Map(tags.map((tag) => [tag.toLowerCase(), tag])).values()])
  .pipe(z.array(z.string()).max(MAX_TAGS, { error: problem('TAGS_LIMIT_EXCEEDED') }));

export const factFields = {
  tags: tagList,
  /** The server checks the values against the kinds of the fields. Null removes a value. */
  fields: z.record(z.string().max(32), fieldValue.nullable()),
  language: z
    .string()
    .trim()
    .regex(/^$|^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$/, { error: problem('LANGUAGE_INVALID') }),
  timezone: z
    .string()
    .trim()
    .max(60, { error: problem('TIMEZONE_INVALID') })
    .refine((name) => name === '' || isTimezone(name), { error: problem('TIMEZONE_INVALID') }),
};

const channelId = z
  .string({ error: problem('PERSON_CHANNEL_ID_INVALID') })
  .trim()
  .nullable();

/** By channel name, in upper or lower case. Null or an empty text removes an ID. */
export const channelIdFields = {
  channel_ids: z
    .record(z.string(), channelId, { error: problem('PERSON_CHANNEL_ID_INVALID') })
    .transform((ids, context) => {
      const read: Partial<Record<ChannelName, string | null>> = {};
      for (const [name, id] of Object.entries(ids)) {
        const channel = matchWord(ID_CHANNELS, name) as ChannelName;
        const rule = PERSON_IDS[channel];
        if (rule && (!id || rule.pattern.test(id))) read[channel] = id || null;
        else context.addIssue({ code: 'custom', path: [name], message: problem('PERSON_CHANNEL_ID_INVALID') });
      }
      return read;
    }),
};
export type ChannelIds = Partial<Record<ChannelName, string | null>>;

export const CHANNEL_ID_PROBLEMS = [
  'PERSON_CHANNEL_ID_EXISTS',
  'PERSON_CHANNEL_ID_INVALID',
  'PERSON_CHANNEL_ID_NEEDED',
] as const satisfies readonly ProblemName[];

export const FACT_PROBLEMS = [
  'TAG_INVALID',
  'TAGS_LIMIT_EXCEEDED',
  'CONTACT_FIELD_NOT_FOUND',
  'CONTACT_FIELD_VALUE_INVALID',
  'LANGUAGE_INVALID',
  'TIMEZONE_INVALID',
] as const satisfies readonly ProblemName[];
