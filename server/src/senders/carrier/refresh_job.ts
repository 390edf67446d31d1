import { job } from '../../kernel/jobs/jobs.ts';

/** Reads the state of one sender from its carrier. */
export const refreshStateJob = job<{ account_id: string; sender_id: string }>('senders.look', {
  retry: 3,
  retry_seconds: 20,
});
