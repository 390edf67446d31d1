/**
 * Opt-in forms: public pages on which people join an audience. A person joins only after entering the code that was
 * sent to the phone, and the consent is stored with the exact text that the person saw.
 */
import { z } from 'zod';
import { tagList } from '../audiences/person_facts.ts';
import { CONSENT_PURPOSES } from '../audiences/purposes.ts';
import { country, enumInput, idParams, listQuery, plainName, problem, timestamp, uuid } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { FORM_LANGUAGES } from './languages.ts';

const FORM_STATUSES = ['active', 'paused'] as const;
const MAX_FORM_FIELDS = 10;
const MAX_ORIGINS = 20;

const FormText = z.object({
  language: z.enum(FORM_LANGUAGES),
  title: z.string(),
  description: z.string(),
  /** The text that people agree to. It is stored with each consent. */
  consent: z.string(),
});
const FormField = z.object({
  /** `first_name`, `last_name`, or `fields.` and the key of your own field. */
  key: z.string(),
  required: z.boolean(),
});

export const OptInForm = z.object({
  id: z.string(),
  account_id: z.string(),
  audience_id: z.string(),
  audience_name: z.string(),
  /** For your team. It does not appear on the page. */
  name: z.string(),
  status: z.enum(FORM_STATUSES),
  /** The address of the page. */
  url: z.string(),
  /** The sender of the codes and of the welcome message. */
  sender_id: z.string(),
  sender_name: z.string(),
  /** The page's texts. The first one is for people whose language the form does not have. */
  texts: z.array(FormText),
  fields: z.array(FormField),
  purpose: z.enum(CONSENT_PURPOSES),
  /** The country of numbers that people enter without a country code. */
  country: z.string(),
  /** Your own domain for the page; null for the installation's domain. */
  domain: z.string().nullable(),
  /** The websites that may show the page in a frame. */
  origins: z.array(z.string()),
  /** Tags for everyone who joins. */
  tags: z.array(z.string()),
  /** Sent once to everyone who joins; empty for none. */
  welcome_text: z.string(),
  views: z.int(),
  /** How often people entered a number. */
  started: z.int(),
  confirmed: z.int(),
  /** Codes that could not be sent. */
  refused: z.int(),
  /** Why the last of these codes was not sent; empty if none failed. */
  last_refusal: z.string(),
  last_refusal_date: timestamp.nullable(),
  create_date: timestamp,
  update_date: timestamp,
});
export type OptInForm = z.output<typeof OptInForm>;

const textsError = { error: problem('OPT_IN_FORM_TEXTS_INVALID') };
const fieldsError = { error: problem('OPT_IN_FORM_FIELDS_INVALID') };
const originsError = { error: problem('OPT_IN_FORM_ORIGINS_INVALID') };
const texts = z
  .array(
    z.object({
      language: z.enum(FORM_LANGUAGES, textsError),
      title: z.string(textsError).trim().min(1, textsError).max(100, textsError),
      description: z.string(textsError).trim().max(1_000, textsError).default(''),
      consent: z.string(textsError).trim().min(20, textsError).max(2_000, textsError),
    }),
    textsError,
  )
  .min(1, textsError)
  .refine((all) => new Set(all.map(({ language }) => language)).size === all.length, textsError);
const fields = z
  .array(
    z.object({
      key: z.string(fieldsError).regex(/^(first_name|last_name|fields\.[a-z][a-z0-9_]{0,31})$/, fieldsError),
      required: z.boolean().default(false),
    }),
  )
  .max(MAX_FORM_FIELDS, fieldsError)
  .refine((all) => new Set(all.map(({ key }) => key)).size === all.length, fieldsError);
const HOST = String.raw`(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]`;
/** `https://`, a host, and a port if needed. Local websites may use HTTP. */
const ORIGIN = new RegExp(String.raw`^(https://${HOST}|http://localhost)(:\d{1,5})?$`);
const origin = z
  .string(originsError)
  .trim()
  .toLowerCase()
  .transform((text) => text.replace(/\/$/, ''))
  .pipe(z.string().max(260, originsError).regex(ORIGIN, originsError));
const formFields = {
  name: plainName({ min: 1, max: 100 }),
  sender_id: uuid('OPT_IN_FORM_SENDER_INVALID'),
  texts,
  fields,
  purpose: z.enum(CONSENT_PURPOSES, { error: problem('CONSENT_PURPOSE_INVALID') }),
  country: country(),
  domain: z.string().trim().toLowerCase().max(253).nullable(),
  origins: z.array(origin, originsError).max(MAX_ORIGINS, originsError),
  tags: tagList,
  welcome_text: z.string().trim().max(1_000),
};

const FORM_PROBLEMS = [
  'OPT_IN_FORM_SENDER_INVALID',
  'OPT_IN_FORM_TEXTS_INVALID',
  'OPT_IN_FORM_FIELDS_INVALID',
  'OPT_IN_FORM_ORIGINS_INVALID',
  'CONSENT_PURPOSE_INVALID',
  'COUNTRY_CODE_INVALID',
  'LINK_DOMAIN_NOT_SUPPORTED',
  'TAG_INVALID',
  'TAGS_LIMIT_EXCEEDED',
] as const;

export const listOptInForms = endpoint({
  id: 'opt_in_forms.list',
  method: 'GET',
  path: '/v1/opt_in_forms',
  summary: 'List opt-in forms, newest first',
  needs: 'AUDIENCES:view',
  query: listQuery({ audience_id: uuid('AUDIENCE_ID_INVALID') }),
  list: true,
  output: OptInForm,
  problems: ['AUDIENCE_ID_INVALID'],
});

export const createOptInForm = endpoint({
  id: 'opt_in_forms.create',
  method: 'POST',
  path: '/v1/opt_in_forms',
  summary: 'Create a public page where people join an audience',
  needs: 'AUDIENCES:edit',
  uncounted_spend: true,
  body: z.object({
    audience_id: uuid('AUDIENCE_ID_INVALID'),
    ...formFields,
    fields: formFields.fields.default([]),
    purpose: formFields.purpose.default('marketing'),
    /** Defaults to your account's country. */
    country: formFields.country.optional(),
    domain: formFields.domain.default(null),
    origins: formFields.origins.default([]),
    tags: formFields.tags.default([]),
    welcome_text: formFields.welcome_text.default(''),
  }),
  status: 201,
  idempotent: true,
  output: OptInForm,
  problems: ['AUDIENCE_ID_INVALID', 'AUDIENCE_NOT_FOUND', 'AUDIENCE_IS_DYNAMIC', ...FORM_PROBLEMS],
});

export const getOptInForm = endpoint({
  id: 'opt_in_forms.get',
  method: 'GET',
  path: '/v1/opt_in_forms/{id}',
  summary: 'Get an opt-in form',
  needs: 'AUDIENCES:view',
  params: idParams('OPT_IN_FORM_NOT_FOUND'),
  output: OptInForm,
  problems: ['OPT_IN_FORM_NOT_FOUND'],
});

export const updateOptInForm = endpoint({
  id: 'opt_in_forms.update',
  method: 'PUT',
  path: '/v1/opt_in_forms/{id}',
  summary: 'Change an opt-in form, or pause it. The page’s address does not change',
  needs: 'AUDIENCES:edit',
  uncounted_spend: true,
  params: idParams('OPT_IN_FORM_NOT_FOUND'),
  body: z.object({ ...formFields, status: enumInput(FORM_STATUSES, 'VALUE_INVALID') }).partial(),
  output: OptInForm,
  problems: ['OPT_IN_FORM_NOT_FOUND', 'VALUE_INVALID', ...FORM_PROBLEMS],
});

export const removeOptInForm = endpoint({
  id: 'opt_in_forms.remove',
  method: 'DELETE',
  path: '/v1/opt_in_forms/{id}',
  summary: 'Delete an opt-in form. Its page stops working. People and their consents are kept',
  needs: 'AUDIENCES:delete',
  params: idParams('OPT_IN_FORM_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPT_IN_FORM_NOT_FOUND'],
});

export const FORM_STAT_DAYS = 30;
export const OptInFormStat = z.object({
  /** The last 30 days, oldest first, in UTC. */
  days: z.array(z.object({ date: z.string(), views: z.int(), started: z.int(), confirmed: z.int(), refused: z.int() })),
});
export type OptInFormStat = z.output<typeof OptInFormStat>;

export const getOptInFormStat = endpoint({
  id: 'opt_in_forms.stat',
  method: 'GET',
  path: '/v1/opt_in_forms/{id}/stat',
  summary: 'Get the views, entered numbers, and confirmations of an opt-in form by day',
  needs: 'AUDIENCES:view',
  params: idParams('OPT_IN_FORM_NOT_FOUND'),
  output: OptInFormStat,
  problems: ['OPT_IN_FORM_NOT_FOUND'],
});

export const optInFormChanged = event({
  id: 'opt_in_form.changed',
  modules: ['opt_in_forms'],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string(), change: z.enum(['created', 'updated', 'removed']) }),
});

/** A person entered the code and is in the audience. */
export const optInConfirmed = event({
  id: 'opt_in.confirmed',
  modules: ['opt_in_forms', 'contacts', 'audiences', 'people'],
  needs: 'AUDIENCES:view',
  payload: z.object({
    form_id: z.string(),
    audience_id: z.string(),
    person_id: z.string(),
    number: z.string(),
    /** False if the person was in the audience before. */
    is_new: z.boolean(),
  }),
});
