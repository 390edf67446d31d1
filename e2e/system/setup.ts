import { join } from 'node:path';
import { startParley } from './parley.ts';

/** Starts Parley and passes its URLs to the tests. If PARLEY_E2E is set, the tests use a running Parley instead. */
export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.PARLEY_E2E) return;
  const results = process.env.PARLEY_E2E_RESULTS ?? join(import.meta.dirname, '../test-results');
  const { stop, ...addresses } = await startParley(join(results, 'parley.log'));
  process.env.PARLEY_E2E = JSON.stringify(addresses);
  return stop;
}
