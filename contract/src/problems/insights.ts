/** Charts, anomalies, and scheduled exports. */
import type { Rows } from './row.ts';

export const INSIGHTS = {
  CHART_PERIOD_INVALID: {
    code: 2080,
    status: 400,
    public: 'Choose a first and a last day. A period has 1 to 366 days.',
    field: 'from',
  },
  EXPORT_SCHEDULES_LIMIT_EXCEEDED: {
    code: 2081,
    status: 409,
    public: 'An account can have at most 20 scheduled exports. Delete one first.',
  },
  EXPORT_SCHEDULE_NOT_FOUND: { code: 2082, status: 404, public: 'Scheduled export not found' },
  ANOMALY_NOT_FOUND: { code: 2318, status: 404, public: 'Anomaly not found' },
  ANOMALY_METRIC_REQUIRED: { code: 2319, status: 400, public: 'Choose at least one figure', field: 'metrics' },
} as const satisfies Rows;
