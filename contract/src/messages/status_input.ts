/** The statuses in the filter of a list of messages. */
import { z } from 'zod';
import { commaList } from '../common.ts';
import { GROUP_NAMES, namedStatuses, STATUSES } from './statuses.ts';

/** A status, or the name of a group that is not a status. */
const statusInput = z
  .string()
  .transform((text) => (text.toLowerCase() === 'seen' ? 'read' : text.toLowerCase()))
  .pipe(z.enum([...STATUSES, ...GROUP_NAMES]));
export const statusesInput = commaList(statusInput).transform((names) => names.flatMap(namedStatuses));
