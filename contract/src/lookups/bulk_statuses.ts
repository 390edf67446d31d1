/** The states of a bulk lookup, in their own file so that campaigns do not load the lookup endpoints. */
export const BULK_STATUSES = ['in_progress', 'paused', 'completed'] as const;
