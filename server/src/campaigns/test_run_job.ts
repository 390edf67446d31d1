import { job } from '../kernel/jobs/jobs.ts';

/** A test-key campaign that is due. */
export interface TestRun {
  account_id: string;
  id: string;
}

export const testRun = job<TestRun>('campaigns.test_run', {
  concurrency: 1,
  group: ({ account_id }) => account_id,
});
