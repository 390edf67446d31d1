/** People: one for each number of an account, regardless of the audiences that contain the number. */
import { z } from 'zod';
import { listQuery, problem, search, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';
import { contactFields, numberText } from './audiences.ts';
import { CHANNEL_ID_PROBLEMS, channelIdFields, FACT_PROBLEMS, factFields, personFacts } from './person_facts.ts';

export const Person = z.object({
  id: z.string(),
  account_id: z.string(),
  /** Digits with the country code, without a plus sign. If the person has no number: an ID on a channel. */
  number: z.string(),
  country: z.string(),
  /** The texts that were set most recently in any audience. */
  first_name: z.string(),
  last_name: z.string(),
  custom1: z.string(),
  custom2: z.string(),
  ...personFacts,
  create_date: timestamp,
  update_date: timestamp,
});
export type Person = z.output<typeof Person>;

export const PersonDetail = Person.extend({
  /** The numbers of people who were merged into this one. */
  other_numbers: z.array(z.string()),
  audiences: z.array(z.object({ id: z.string(), name: z.string(), channel: z.string(), contact_id: z.string() })),
});
export type PersonDetail = z.output<typeof PersonDetail>;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** True for a person's ID, and false for a number. */
export const isPersonId = (key: string): boolean => UUID.test(key);

/** The number as it is stored: digits without a plus sign, or a person's ID at a carrier, unchanged. */
export const plainNumber = (key: string): string => (/^\+\d+$/.test(key) ? key.slice(1) : key);

/** An ID, a number, or an ID on a channel. */
export const PERSON_KEY = /^[A-Za-z0-9+/=._:-]{5,200}$/;

/**
 * A person's ID, or the number with the country code. People whose number a carrier does not report have the carrier's
 * ID instead.
 */
export const personParams = z.object({
  id: z.string().regex(PERSON_KEY, { error: problem('PERSON_NOT_FOUND') }),
});

const TEXT_PROBLEMS = [
  'CONTACT_FIRST_NAME_TOO_LONG',
  'CONTACT_LAST_NAME_TOO_LONG',
  'CONTACT_CUSTOM1_TOO_LONG',
  'CONTACT_CUSTOM2_TOO_LONG',
] as const;

export const listPeople = endpoint({
  id: 'people.list',
  method: 'GET',
  path: '/v1/people',
  summary: 'List people, newest first. Search matches the start of a number or any part of a name',
  needs: 'AUDIENCES:view',
  query: listQuery({ search, tag: z.string().max(32) }),
  list: true,
  output: Person,
  problems: [],
});

export const createPerson = endpoint({
  id: 'people.create',
  method: 'POST',
  path: '/v1/people',
  summary: 'Add a person without an audience',
  needs: 'AUDIENCES:edit',
  body: z
    .object({
      /** A phone number, or the person's ID on a channel. */
      number: numberText,
    })
    .extend(z.object({ ...contactFields, ...factFields, ...channelIdFields }).partial().shape),
  status: 201,
  idempotent: true,
  output: PersonDetail,
  problems: [
    'CONTACT_NUMBER_REQUIRED',
    'CONTACT_NUMBER_INVALID',
    'CONTACT_NUMBER_TOO_LONG',
    'PERSON_EXISTS',
    ...TEXT_PROBLEMS,
    ...FACT_PROBLEMS,
    ...CHANNEL_ID_PROBLEMS,
  ],
});

export const getPerson = endpoint({
  id: 'people.get',
  method: 'GET',
  path: '/v1/people/{id}',
  summary: 'Get a person by ID or number, with their audiences',
  needs: 'AUDIENCES:view',
  params: personParams,
  output: PersonDetail,
  problems: ['PERSON_NOT_FOUND'],
});

export const updatePerson = endpoint({
  id: 'people.update',
  method: 'PUT',
  path: '/v1/people/{id}',
  summary: 'Change a person in all audiences. Tags replace the existing ones',
  needs: 'AUDIENCES:edit',
  params: personParams,
  body: z.object({ ...contactFields, ...factFields, ...channelIdFields }).partial(),
  output: PersonDetail,
  problems: ['PERSON_NOT_FOUND', ...TEXT_PROBLEMS, ...FACT_PROBLEMS, ...CHANNEL_ID_PROBLEMS],
});

export const personChanged = event({
  id: 'person.changed',
  modules: ['people', 'contacts', 'person_timeline'],
  needs: 'AUDIENCES:view',
  payload: z.object({ id: z.string(), number: z.string() }),
});
