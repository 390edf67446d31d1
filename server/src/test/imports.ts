/** Files to import and what became of them, for the tests of imports. */
import { sql } from '../kernel/db.ts';
import type { Caller, World } from './world.ts';

export const IMPORTS = '/v1/audience_imports';
export const csv = (bytes: string, name = 'people.csv') => ({ name, bytes });
export const many = (count: number) =>
  `Number,First name\n${Array.from({ length: count }, (_, index) => `+1415${2_000_000 + index * 7},Person ${index}\n`).join('')}`;

export const contactsOf = async (caller: Caller, id: string) =>
  ((await caller.get(`/v1/audiences/${id}/contacts?page_size=100`)).body.data as Record<string, string>[]).reverse();
export const eventsOf = async (of: World, account_id: string, type: string) =>
  (
    await of.kernel.db.rows<{ payload: Record<string, unknown> }>(
      sql`select payload from events where account_id = ${account_id} and type = ${type} order by id`,
    )
  ).map(({ payload }) => payload);
export const filesOf = (of: World, id: string) =>
  of.kernel.db.one<{ storage_key: string; refused_key: string | null }>(
    sql`select storage_key, refused_key from audience_imports where id = ${id}`,
  );
