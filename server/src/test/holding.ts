/** What holds up the end of a test's Parley, told while it does: a hook that ran out of time says nothing of it. */

import pg from 'pg';
import { inject } from 'vitest';

const LATE_MS = 20_000;

export async function ends(what: string, database: string, work: Promise<unknown> | undefined): Promise<void> {
  const late = setTimeout(() => void tell(what, database), LATE_MS);
  try {
    await work;
  } finally {
    clearTimeout(late);
  }
}

async function tell(what: string, database: string): Promise<void> {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate');
  console.error(`${what} has not ended after ${LATE_MS / 1_000} s; open in this process: ${open.join(', ')}`);
  const client = new pg.Client({ connectionString: inject('maintenance_url') });
  try {
    await client.connect();
    const { rows } = await client.query(
      `select pid, application_name, state, wait_event, left(query, 200) as query, now() - state_change as since
       from pg_stat_activity where datname = $1`,
      [new URL(database).pathname.slice(1)],
    );
    console.error(`its database: ${JSON.stringify(rows, null, 1)}`);
  } catch (error) {
    console.error('its database cannot be asked', error);
  } finally {
    await client.end();
  }
}
