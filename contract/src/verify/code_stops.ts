/** Number ranges and countries that get no codes because unused codes surged there. For operators. */
import { z } from 'zod';
import { idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';

export const CodeStop = z.object({
  id: z.string(),
  kind: z.enum(['range', 'country']),
  /** The first digits of the numbers, or the country. */
  place: z.string(),
  country: z.string(),
  /** Number of unused codes in the hour before the stop. */
  sends: z.int(),
  /** Number of unused codes in the busiest hour of the preceding week. */
  usual: z.int(),
  stop_date: timestamp,
});
export type CodeStop = z.output<typeof CodeStop>;

export const listCodeStops = endpoint({
  id: 'code_stops.list',
  method: 'GET',
  path: '/v1/code_stops',
  summary: 'List the number ranges and countries that get no codes until an operator allows them again, newest first',
  needs: 'ACCOUNTS:view',
  audience: 'operator',
  output: z.array(CodeStop),
  problems: ['OPERATOR_ONLY'],
});
export const removeCodeStop = endpoint({
  id: 'code_stops.remove',
  method: 'DELETE',
  path: '/v1/code_stops/{id}',
  summary: 'Allow codes to a range or country again. Earlier unused codes no longer count',
  needs: 'ACCOUNTS:edit',
  audience: 'operator',
  params: idParams('CODE_STOP_NOT_FOUND'),
  status: 204,
  output: z.null(),
  problems: ['OPERATOR_ONLY', 'CODE_STOP_NOT_FOUND'],
});
