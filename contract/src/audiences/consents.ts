/** Consents: what people agreed to, and what they withdrew. Entries are only ever added. */
import { z } from 'zod';
import { channel } from '../channels/field.ts';
import { listQuery, problem, timestamp, timestampFilter, timestampInput } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { personParams } from './people.ts';
import { CONSENT_PURPOSES } from './purposes.ts';

const CONSENT_CHANGES = ['given', 'withdrawn', 'reinstated'] as const;
const CONSENT_METHODS = [
  ...(['import', 'form', 'keyword', 'api', 'double_opt_in', 'manual', 'link', 'carrier'] as const),
  'operator',
] as const;

export const Consent = z.object({
  id: z.string(),
  account_id: z.string(),
  number: z.string(),
  /** Null means all channels. */
  channel: z.string().nullable(),
  /** Null means all purposes. */
  purpose: z.enum(CONSENT_PURPOSES).nullable(),
  /** `reinstated`: a user removed a withdrawal. The person did not agree again. */
  change: z.enum(CONSENT_CHANGES),
  method: z.enum(CONSENT_METHODS),
  /** The exact text that the person saw or sent. */
  text: z.string(),
  /** The place where it happened, such as the address of a page or the name of a file. */
  source: z.string(),
  /** The person's IP address. */
  address: z.string(),
  /** The only sender that a withdrawal concerns; null means all senders. */
  sender_id: z.string().nullable(),
  sender_name: z.string().nullable(),
  /** The person's message that gave or withdrew the consent. */
  message_id: z.string().nullable(),
  /** The user who entered it. */
  user_name: z.string().nullable(),
  create_date: timestamp,
});
export type Consent = z.output<typeof Consent>;

export const ConsentState = z.object({
  channel: z.string(),
  purpose: z.enum(CONSENT_PURPOSES),
  state: z.enum(['none', ...CONSENT_CHANGES]),
  /** The entry that determines the state. */
  consent: Consent.nullable(),
});
export type ConsentState = z.output<typeof ConsentState>;

export const listConsents = endpoint({
  id: 'consents.list',
  method: 'GET',
  path: '/v1/people/{id}/consents',
  summary: 'List the consents of a person or phone number, newest first. Pass the ID or the number',
  needs: 'AUDIENCES:view',
  params: personParams,
  query: listQuery({}),
  list: true,
  output: Consent,
  problems: ['PERSON_NOT_FOUND'],
});

export const getConsentState = endpoint({
  id: 'consents.state',
  method: 'GET',
  path: '/v1/people/{id}/consent_state',
  summary: 'Get the consent state of a number at a given time, for each channel and purpose',
  needs: 'AUDIENCES:view',
  params: personParams,
  /** Now by default. A date without a time means its end. */
  query: z.object({ date: timestampFilter('end').optional() }),
  output: z.object({ number: z.string(), date: timestamp, states: z.array(ConsentState) }),
  problems: ['PERSON_NOT_FOUND', 'VALUE_INVALID'],
});

export const createConsent = endpoint({
  id: 'consents.create',
  method: 'POST',
  path: '/v1/people/{id}/consents',
  summary: 'Record that a person gave or withdrew consent',
  needs: 'AUDIENCES:edit',
  params: personParams,
  body: z.object({
    channel: channel('CONSENT_CHANNEL_INVALID', 'CONSENT_CHANNEL_INVALID'),
    purpose: z.enum(CONSENT_PURPOSES, { error: problem('CONSENT_PURPOSE_INVALID') }),
    change: z.enum(['given', 'withdrawn'], { error: problem('CONSENT_CHANGE_INVALID') }),
    text: z
      .string({ error: problem('CONSENT_TEXT_INVALID') })
      .trim()
      .min(1, { error: problem('CONSENT_TEXT_INVALID') })
      .max(2_000, { error: problem('CONSENT_TEXT_INVALID') }),
    source: z.string().trim().max(500).default(''),
    address: z.union([z.ipv4(), z.ipv6(), z.literal('')]).default(''),
    /** When the person agreed; now by default. */
    date: timestampInput('CONSENT_DATE_INVALID').optional(),
  }),
  status: 201,
  idempotent: true,
  output: Consent,
  problems: [
    'PERSON_NOT_FOUND',
    'CONSENT_CHANNEL_INVALID',
    'CONSENT_PURPOSE_INVALID',
    'CONSENT_CHANGE_INVALID',
    'CONSENT_TEXT_INVALID',
    'CONSENT_DATE_INVALID',
  ],
});

export const consentChanged = event({
  id: 'consent.changed',
  modules: ['consents', 'people', 'person_timeline'],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string(), number: z.string() }),
});
