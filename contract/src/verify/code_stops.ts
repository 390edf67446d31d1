/** Ranges of numbers and countries that get no codes any more, since codes nobody gave back grew suddenly there. For operators. */
import { z } from 'zod';
import { idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const CodeStop = z.object({
  id: z.string(),
  kind: z.enum(['range', 'country']),
  /** The first digits of the numbers, or the country. */
  place: z.string(),
  country: z.string(),
  /** Codes of the hour before that nobody had given back. */
  sends: z.int(),
  /** As many were there in the busiest hour of the week before. */
  usual: z.int(),
  stop_date: timestamp,
});
export type CodeStop = z.output<typeof CodeStop>;

export const listCodeStops = endpoint({
  id: 'code_stops.list',
  method: 'GET',
  path: '/v1/code_stops',
  summary: 'Ranges of numbers and countries that get no codes until they are allowed again, the newest first',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  output: z.array(CodeStop),
  problems: ['OPERATOR_ONLY'],
});
export const removeCodeStop = endpoint({
  id: 'code_stops.remove',
  method: 'DELETE',
  path: '/v1/code_stops/{id}',
  summary: 'Allow codes there again. What was sent before does not count against it any more',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params: idParams('CODE_STOP_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'CODE_STOP_NOT_FOUND'],
});
