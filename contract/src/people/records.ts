/** Everything that the account stores about a person as one flat list, for exports. */
import { z } from 'zod';
import { personParams } from '../audiences/people.ts';
import { listQuery, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const RECORD_KINDS = [
  ...(['detail', 'audience', 'stop', 'consent', 'message', 'click', 'note', 'erasure'] as const),
] as const;

export const PersonRecord = z.object({
  kind: z.enum(RECORD_KINDS),
  /** The name of a detail, an audience, or a campaign; the author of a note. */
  name: z.string(),
  /** The value of a detail, the text of a message or note, the destination of a link, the words of a consent. */
  value: z.string(),
  channel: z.string().nullable(),
  direction: z.enum(['inbound', 'outbound']).nullable(),
  from: z.string().nullable(),
  to: z.string().nullable(),
  /** A message's status, the change of a consent, the device of a click. */
  status: z.string().nullable(),
  /** Null for details, which have no time. */
  timestamp: timestamp.nullable(),
  /** The ID of the message, consent, audience, or link. */
  id: z.string().nullable(),
});
export type PersonRecord = z.output<typeof PersonRecord>;

export const listPersonRecords = endpoint({
  id: 'person_records.list',
  method: 'GET',
  path: '/v1/people/{id}/records',
  summary: 'List everything stored about a person: details, audiences, stop list, and timeline',
  needs: 'AUDIENCES:view',
  params: personParams,
  query: listQuery({}),
  list: true,
  output: PersonRecord,
  problems: ['PERSON_NOT_FOUND'],
});
