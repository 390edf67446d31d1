/** Audiences and their contacts. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { CHANNELS } from '../channels/names.ts';
import { idChannel } from '../channels/person_ids.ts';
import { idParams, listQuery, problem, search, textOrNumber, timestamp, uuid, wordList } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import type { ProblemName } from '../problem.ts';
import { CONDITION_PROBLEMS, Conditions } from './conditions.ts';
import { MAX_CONTACT_TEXT } from './limits.ts';
import { CHANNEL_ID_PROBLEMS, channelIdFields, FACT_PROBLEMS, factFields, personFacts } from './person_facts.ts';

const MAX_CONTACTS_PER_CALL = 1_000;

export const AUDIENCE_LINKS = {
  self: '/v1/audiences/{id}',
  account: '/v1/accounts/self',
  contacts: '/v1/audiences/{id}/contacts',
} as const;
const CONTACT_LINKS = {
  self: '/v1/audiences/{audience_id}/contacts/{id}',
  account: '/v1/accounts/self',
  audience: '/v1/audiences/{audience_id}',
} as const;

export const Audience = z.object({
  id: z.string(),
  account_id: z.string(),
  name: z.string(),
  channel: z.string(),
  /** The number of people in a dynamic audience when it was last counted. */
  contacts_count: z.int(),
  /** The conditions of a dynamic audience. Null if the audience is not dynamic. */
  conditions: Conditions.nullable(),
  /** Present for test-key audiences. */
  is_test: z.literal(true).optional(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Audience = z.output<typeof Audience>;

export const Contact = z.object({
  id: z.string(),
  account_id: z.string(),
  audience_id: z.string(),
  /** Digits with the country code, without a plus sign. If the person has no number: an ID on a channel. */
  number: z.string(),
  country: z.string(),
  first_name: z.string(),
  last_name: z.string(),
  custom1: z.string(),
  custom2: z.string(),
  /** The person with this number. Tags, fields, language, and time zone are the same in all audiences. */
  person_id: z.string(),
  ...personFacts,
  /** Present for test-key contacts. Their person is not one of the account’s people. */
  is_test: z.literal(true).optional(),
  create_date: timestamp,
  update_date: timestamp,
});
export type Contact = z.output<typeof Contact>;

export const audienceName = z
  .string({ error: problem('AUDIENCE_NAME_REQUIRED') })
  .trim()
  .min(1, { error: problem('AUDIENCE_NAME_REQUIRED') })
  .max(45, { error: problem('AUDIENCE_NAME_TOO_LONG') })
  .regex(/^[\p{L}\p{N} _-]+$/u, { error: problem('AUDIENCE_NAME_INVALID') })
  .refine((name) => !/^audience-\d+$/i.test(name), { error: problem('AUDIENCE_NAME_INVALID') });

/** A phone number, or a person's ID on a channel. */
export const numberText = z
  .string({ error: problem('CONTACT_NUMBER_REQUIRED') })
  .trim()
  .min(1, { error: problem('CONTACT_NUMBER_REQUIRED') })
  .refine((text) => text.length <= 45 || idChannel(text) !== null, { error: problem('CONTACT_NUMBER_TOO_LONG') });
const numberInput = textOrNumber(numberText);

/** Null means no text. */
const contactText = (field: keyof typeof MAX_CONTACT_TEXT, tooLong: ProblemName) =>
  z
    .string()
    .trim()
    .max(MAX_CONTACT_TEXT[field], { error: problem(tooLong) })
    .nullable()
    .transform((text) => text ?? '');
export const contactFields = {
  first_name: contactText('first_name', 'CONTACT_FIRST_NAME_TOO_LONG'),
  last_name: contactText('last_name', 'CONTACT_LAST_NAME_TOO_LONG'),
  custom1: contactText('custom1', 'CONTACT_CUSTOM1_TOO_LONG'),
  custom2: contactText('custom2', 'CONTACT_CUSTOM2_TOO_LONG'),
};
const partialFacts = z.object({ ...factFields, ...channelIdFields }).partial().shape;
export const ContactInput = z.object({
  number: numberInput,
  first_name: contactFields.first_name.default(''),
  last_name: contactFields.last_name.default(''),
  custom1: contactFields.custom1.default(''),
  custom2: contactFields.custom2.default(''),
  // Tags are added to those of the person. Omitted fields keep their values.
  ...partialFacts,
});

export const listAudiences = endpoint({
  id: 'audiences.list',
  method: 'GET',
  path: '/v1/audiences',
  summary: 'List audiences, newest first',
  needs: 'AUDIENCES:view',
  test_keys: true,
  sorts: ['name', 'contacts_count', 'create_date', 'update_date'],
  query: listQuery({
    search,
    name: search,
    /** One channel, or several separated by commas. */
    channel: wordList(CHANNELS, 'AUDIENCE_CHANNEL_INVALID'),
  }),
  list: true,
  output: Audience,
  links: AUDIENCE_LINKS,
  problems: ['AUDIENCE_CHANNEL_INVALID'],
});

export const createAudience = endpoint({
  id: 'audiences.create',
  method: 'POST',
  path: '/v1/audiences',
  summary: 'Create an audience, optionally with up to 1,000 contacts',
  needs: 'AUDIENCES:add',
  test_keys: true,
  body: z.object({
    name: audienceName,
    channel: channel('AUDIENCE_CHANNEL_INVALID', 'AUDIENCE_CHANNEL_REQUIRED'),
    contacts: z
      .array(ContactInput)
      .max(MAX_CONTACTS_PER_CALL, { error: problem('CONTACTS_LIMIT_EXCEEDED') })
      .default([]),
    /** Makes the audience dynamic: it contains the people that match the conditions at the time. */
    conditions: Conditions.nullable().default(null),
  }),
  status: 201,
  idempotent: true,
  output: Audience,
  links: AUDIENCE_LINKS,
  problems: [
    'TEST_DATA_FULL',
    'AUDIENCE_NAME_REQUIRED',
    'AUDIENCE_NAME_INVALID',
    'AUDIENCE_NAME_TOO_LONG',
    'AUDIENCE_CHANNEL_REQUIRED',
    'AUDIENCE_CHANNEL_INVALID',
    'CONTACTS_LIMIT_EXCEEDED',
    'AUDIENCE_EXISTS',
    'CONTACT_NUMBER_INVALID',
    'AUDIENCE_IS_DYNAMIC',
    ...CONDITION_PROBLEMS,
    ...FACT_PROBLEMS,
    ...CHANNEL_ID_PROBLEMS,
  ],
});

export const getAudience = endpoint({
  id: 'audiences.get',
  method: 'GET',
  path: '/v1/audiences/{id}',
  summary: 'Get an audience',
  needs: 'AUDIENCES:view',
  test_keys: true,
  params: idParams('AUDIENCE_ID_INVALID'),
  output: Audience,
  links: AUDIENCE_LINKS,
  problems: ['AUDIENCE_NOT_FOUND', 'AUDIENCE_ID_INVALID'],
});

export const updateAudience = endpoint({
  id: 'audiences.update',
  method: 'PUT',
  path: '/v1/audiences/{id}',
  summary: 'Rename an audience, or change the conditions of a dynamic audience',
  needs: 'AUDIENCES:edit',
  test_keys: true,
  params: idParams('AUDIENCE_ID_INVALID'),
  body: z.object({
    name: audienceName,
    /** If omitted, the conditions do not change. */
    conditions: Conditions.optional(),
  }),
  output: Audience,
  links: AUDIENCE_LINKS,
  problems: [
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_ID_INVALID',
    'AUDIENCE_NAME_REQUIRED',
    'AUDIENCE_NAME_INVALID',
    'AUDIENCE_NAME_TOO_LONG',
    'AUDIENCE_EXISTS',
    'AUDIENCE_IS_FIXED',
    'CONTACT_FIELD_NOT_FOUND',
    ...CONDITION_PROBLEMS,
  ],
});

/**
 * The figure is exact if it can be counted quickly. Otherwise, it is estimated from a random sample of the people, and
 * `is_estimate` is true.
 */
export const countAudience = endpoint({
  id: 'audiences.count',
  method: 'POST',
  path: '/v1/audience_counts',
  summary: 'Count the people who match a set of conditions',
  needs: 'AUDIENCES:view',
  test_keys: true,
  body: z.object({ conditions: Conditions }),
  output: z.object({ count: z.int(), is_estimate: z.boolean() }),
  problems: ['CONTACT_FIELD_NOT_FOUND', ...CONDITION_PROBLEMS],
});

export const removeAudience = endpoint({
  id: 'audiences.remove',
  method: 'DELETE',
  path: '/v1/audiences/{id}',
  summary: 'Delete an audience and its contacts',
  needs: 'AUDIENCES:delete',
  test_keys: true,
  params: idParams('AUDIENCE_ID_INVALID'),
  status: 204,
  output: z.null(),
  problems: [
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_ID_INVALID',
    'AUDIENCE_IN_USE',
    'AUDIENCE_IN_CONDITIONS',
    'AUDIENCE_HAS_OPT_IN_FORM',
  ],
});

export const listContacts = endpoint({
  id: 'contacts.list',
  method: 'GET',
  path: '/v1/audiences/{id}/contacts',
  summary: 'List the contacts in an audience. Search matches the start of a number or any part of a name',
  needs: 'AUDIENCES:view',
  test_keys: true,
  params: idParams('AUDIENCE_ID_INVALID'),
  sorts: ['number', 'first_name', 'last_name', 'create_date'],
  query: listQuery({ search }),
  list: true,
  output: Contact,
  links: CONTACT_LINKS,
  problems: ['AUDIENCE_NOT_FOUND', 'AUDIENCE_ID_INVALID'],
});

export const createContact = endpoint({
  id: 'contacts.create',
  method: 'POST',
  path: '/v1/audiences/{id}/contacts',
  summary: 'Add a contact',
  needs: 'AUDIENCES:edit',
  test_keys: true,
  params: idParams('AUDIENCE_ID_INVALID'),
  body: ContactInput,
  status: 201,
  idempotent: true,
  output: Contact,
  links: CONTACT_LINKS,
  problems: [
    'TEST_DATA_FULL',
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_ID_INVALID',
    'CONTACT_NUMBER_REQUIRED',
    'CONTACT_NUMBER_INVALID',
    'CONTACT_NUMBER_TOO_LONG',
    'AUDIENCE_IS_DYNAMIC',
    'CONTACT_EXISTS',
    'CONTACT_FIRST_NAME_TOO_LONG',
    'CONTACT_LAST_NAME_TOO_LONG',
    'CONTACT_CUSTOM1_TOO_LONG',
    'CONTACT_CUSTOM2_TOO_LONG',
    ...FACT_PROBLEMS,
    ...CHANNEL_ID_PROBLEMS,
  ],
});

const contactParams = z.object({ id: uuid('AUDIENCE_ID_INVALID'), contact_id: uuid('CONTACT_ID_INVALID') });

export const getContact = endpoint({
  id: 'contacts.get',
  method: 'GET',
  path: '/v1/audiences/{id}/contacts/{contact_id}',
  summary: 'Get a contact',
  needs: 'AUDIENCES:view',
  test_keys: true,
  params: contactParams,
  output: Contact,
  links: CONTACT_LINKS,
  problems: ['AUDIENCE_NOT_FOUND', 'AUDIENCE_ID_INVALID', 'CONTACT_NOT_FOUND', 'CONTACT_ID_INVALID'],
});

export const updateContact = endpoint({
  id: 'contacts.update',
  method: 'PUT',
  path: '/v1/audiences/{id}/contacts/{contact_id}',
  summary: 'Update a contact’s name, fields, and tags',
  needs: 'AUDIENCES:edit',
  test_keys: true,
  params: contactParams,
  // Tags replace the earlier ones.
  body: z.object({ ...contactFields, ...factFields, ...channelIdFields }).partial(),
  output: Contact,
  links: CONTACT_LINKS,
  problems: [
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_ID_INVALID',
    'CONTACT_NOT_FOUND',
    'CONTACT_ID_INVALID',
    'AUDIENCE_IS_DYNAMIC',
    'CONTACT_FIRST_NAME_TOO_LONG',
    'CONTACT_LAST_NAME_TOO_LONG',
    'CONTACT_CUSTOM1_TOO_LONG',
    'CONTACT_CUSTOM2_TOO_LONG',
    ...FACT_PROBLEMS,
    ...CHANNEL_ID_PROBLEMS,
  ],
});

export const removeContact = endpoint({
  id: 'contacts.remove',
  method: 'DELETE',
  path: '/v1/audiences/{id}/contacts/{contact_id}',
  summary: 'Remove a contact from an audience',
  needs: 'AUDIENCES:delete',
  test_keys: true,
  params: contactParams,
  status: 204,
  output: z.null(),
  problems: [
    'AUDIENCE_NOT_FOUND',
    'AUDIENCE_ID_INVALID',
    'CONTACT_NOT_FOUND',
    'CONTACT_ID_INVALID',
    'AUDIENCE_IS_DYNAMIC',
  ],
});

export const audienceCreated = event({
  id: 'audience.created',
  modules: ['audiences'],
  needs: 'AUDIENCES:view',
  payload: Audience,
});
export const audienceUpdated = event({
  id: 'audience.updated',
  modules: ['audiences', 'contacts'],
  needs: 'AUDIENCES:view',
  payload: Audience,
});
export const audienceDeleted = event({
  id: 'audience.deleted',
  modules: ['audiences', 'contacts'],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string() }),
});
