/** Reports the cause of a slow shutdown of a test world, which a hook timeout would not show. */
import pg from 'pg';
import { inject } from 'vitest';

const REPORT_AFTER_MS = 20_000;

/** Waits for a step of the shutdown and reports open resources if it takes too long. */
export async function watchStop(
  description: string,
  database: string,
  work: Promise<unknown> | undefined,
): Promise<void> {
  const timer = setTimeout(() => void reportDelay(description, database), REPORT_AFTER_MS);
  try {
    await work;
  } finally {
    clearTimeout(timer);
  }
}

async function reportDelay(description: string, database: string): Promise<void> {
  const open = process.getActiveResourcesInfo().filter((name) => name !== 'Timeout' && name !== 'Immediate');
  console.error(
    `${description} has not ended after ${REPORT_AFTER_MS / 1_000} s; open in this process: ${open.join(', ')}`,
  );
  const client = new pg.Client({ connectionString: inject('maintenance_url') });
  try {
    await client.connect();
    const { rows } = await client.query(
      `select pid, application_name, state, wait_event, left(query, 200) as query, now() - state_change as since
       from pg_stat_activity where datname = $1`,
      [new URL(database).pathname.slice(1)],
    );
    console.error(`sessions of its database: ${JSON.stringify(rows, null, 1)}`);
  } catch (error) {
    console.error('its database cannot be queried', error);
  } finally {
    await client.end();
  }
}
