/** Merges: two people who are the same person become one, who then has several numbers. */
import { z } from 'zod';
import { idParams, problem, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { contactFields } from './audiences.ts';
import { PERSON_KEY, Person, personParams } from './people.ts';
import { FACT_PROBLEMS, factFields } from './person_facts.ts';

export const PersonMerge = z.object({
  id: z.string(),
  account_id: z.string(),
  person_id: z.string(),
  /** The number that the person keeps, and the one that was added. */
  number: z.string(),
  merged_number: z.string(),
  /** The user who merged them; null for an API key. */
  user_name: z.string().nullable(),
  create_date: timestamp,
  /** The time until which the merge can be undone. */
  undo_date: timestamp,
});
export type PersonMerge = z.output<typeof PersonMerge>;

export const listDuplicates = endpoint({
  id: 'person_duplicates.list',
  method: 'GET',
  path: '/v1/people/{id}/duplicates',
  summary: 'List up to 20 possible duplicates: people with the same first and last name',
  needs: 'AUDIENCES:view',
  params: personParams,
  output: z.array(Person),
  problems: ['PERSON_NOT_FOUND'],
});

export const listMerges = endpoint({
  id: 'person_merges.list',
  method: 'GET',
  path: '/v1/people/{id}/merges',
  summary: 'List the merges of a person, newest first',
  needs: 'AUDIENCES:view',
  params: personParams,
  output: z.array(PersonMerge),
  problems: ['PERSON_NOT_FOUND'],
});

export const createMerge = endpoint({
  id: 'person_merges.create',
  method: 'POST',
  path: '/v1/people/{id}/merges',
  summary: 'Merge another person and their number into this person',
  needs: 'AUDIENCES:delete',
  params: personParams,
  body: z.object({
    /** The other person's ID or number, or an ID on a channel. */
    person: z
      .string({ error: problem('PERSON_NOT_FOUND') })
      .trim()
      .regex(PERSON_KEY, { error: problem('PERSON_NOT_FOUND') }),
    /**
     * The person's values after the merge. By default, the person keeps their values, and empty ones are filled from
     * the other person. Tags are added together.
     */
    values: z
      .object({ ...contactFields, ...factFields })
      .partial()
      .default({}),
  }),
  status: 201,
  idempotent: true,
  output: PersonMerge,
  problems: [
    'PERSON_NOT_FOUND',
    'PERSON_MERGE_SAME',
    'PERSON_MERGE_NEEDS_NUMBER',
    'PERSON_MERGE_CAMPAIGN_RUNNING',
    'PERSON_MERGE_ERASING',
    'CONTACT_FIRST_NAME_TOO_LONG',
    'CONTACT_LAST_NAME_TOO_LONG',
    'CONTACT_CUSTOM1_TOO_LONG',
    'CONTACT_CUSTOM2_TOO_LONG',
    ...FACT_PROBLEMS,
  ],
});

export const undoMerge = endpoint({
  id: 'person_merges.remove',
  method: 'DELETE',
  path: '/v1/person_merges/{id}',
  summary: 'Undo a merge. Values changed since then are kept',
  needs: 'AUDIENCES:delete',
  params: idParams('PERSON_MERGE_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['PERSON_MERGE_NOT_FOUND', 'PERSON_MERGE_CAMPAIGN_RUNNING', 'PERSON_MERGE_ERASING'],
});
