import { job } from '../../kernel/jobs/jobs.ts';

export const lookJob = job<{ account_id: string; sender_id: string }>('senders.look', { retry: 3, retry_seconds: 20 });
