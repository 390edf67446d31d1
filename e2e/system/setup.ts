import { join } from 'node:path';
import { startParley } from './parley.ts';

/** Playwright hands the environment on to the tests. With PARLEY_E2E set: tests against a Parley that runs already, for those who write tests. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PARLEY_E2E) return;
  const results = process.env.PARLEY_E2E_RESULTS ?? join(import.meta.dirname, '../test-results');
  const { stop, ...addresses } = await startParley(join(results, 'parley.log'));
  process.env.PARLEY_E2E = JSON.stringify(addresses);
  return stop;
}
