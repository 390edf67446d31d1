/** A database of its own for a test file: the migrated template, copied in some 50 ms. */
import pg from 'pg';
import { inject } from 'vitest';
import { newId } from '../kernel/clock.ts';

export interface Clone {
  url: string;
  drop(): Promise<void>;
}

export async function cloneDatabase(): Promise<Clone> {
  const template = new URL(inject('database_url'));
  const name = `test_${newId().replaceAll('-', '')}`;
  const maintenance = inject('maintenance_url');
  const base = template.pathname.slice(1);
  await statement(
    maintenance,
    `create database ${name} template ${base} owner ${decodeURIComponent(template.username)}`,
  );
  const own = new URL(template);
  own.pathname = `/${name}`;
  return {
    url: own.href,
    drop: () => dropped(maintenance, name),
  };
}

/** PostgreSQL gives those it throws out five seconds to go, which on a crowded machine is not always enough. */
async function dropped(maintenance: string, name: string, tries = 5): Promise<void> {
  try {
    await statement(maintenance, `drop database if exists ${name} with (force)`);
  } catch (error) {
    if ((error as { code?: string }).code !== IN_USE || tries <= 1) throw error;
    await dropped(maintenance, name, tries - 1);
  }
}

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: object_in_use */
const IN_USE = '55006';

async function statement(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
