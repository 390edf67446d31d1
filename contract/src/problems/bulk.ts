/** Bulk jobs. */
import type { Rows } from './row.ts';

export const BULK = {
  BULK_JOB_NOT_FOUND: { code: 1921, status: 404, public: 'Bulk job not found' },
  BULK_JOB_ENDED: { code: 1922, status: 409, public: 'This action has already ended' },
  BULK_JOB_LIMIT_REACHED: {
    code: 1923,
    status: 429,
    public: 'Too many actions are in progress. Wait until one of them finishes.',
  },
  BULK_ROWS_LIMIT_EXCEEDED: {
    code: 1924,
    status: 400,
    public: 'An action can change at most 1,000,000 rows. Use a filter to select fewer rows.',
  },
} as const satisfies Rows;
