/** Charts and scheduled exports. */
import type { Rows } from './row.ts';

export const INSIGHTS = {
  CHART_PERIOD_INVALID: {
    code: 2080,
    status: 400,
    public: 'Choose a first and a last day. A period has 1 to 366 days.',
    field: 'from',
  },
} as const satisfies Rows;
