import type { AdapterName } from '@parley/contract/channels/adapters.ts';
import type { Connection, listConnections } from '@parley/contract/connections/connections.ts';
import { and, type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import { CAP, likePattern, orderBy, type Page, type Sorts } from '../../kernel/db/list.ts';
import { poorHealth } from '../../messages/messages.ts';

/** A stored connection. The secrets in its settings are sealed. */
interface StoredConnection
  extends Pick<Connection, 'name' | 'channel' | 'unknown_policy' | 'unknown_grace_seconds' | 'enabled'> {
  adapter: AdapterName;
  settings: object;
}
export type ConnectionRow = Omit<Connection, 'callback_url' | 'desired_binds' | 'settings' | 'secrets'> & {
  stored_settings: Record<string, unknown>;
};

export interface ConnectionFilter {
  search?: string | undefined;
  channel?: string | undefined;
}
const conditions = ({ search, channel }: ConnectionFilter): Sql =>
  and([sql`c.name ilike ${likePattern(search ?? '')}`, channel && sql`c.channel = ${channel}`]);

// A bind whose lease has expired has no worker, so it is shown as stopped until a worker claims it.
const connectionColumns: Sql = sql`
  c.id, c.name, c.adapter, c.channel, c.callback_state,
  c.settings as stored_settings, c.paused_date, c.pause_reason,
  case when c.enabled then ${poorHealth} end as poor_health,
  c.unknown_policy, c.unknown_grace_seconds, c.enabled, c.create_date, c.update_date,
  (select count(*) from (
     select 1 from dispatch d where d.connection_id = c.id and d.stage = 'queued' limit ${CAP + 1}) waiting) as queued,
  coalesce((select t.message_count from connection_days t
    where t.connection_id = c.id and t.day = (now() at time zone 'UTC')::date), 0) as taken_today,
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'slot', b.slot, 'state', case when b.lease_until > now() then b.state else 'stopped' end, 'detail', b.detail,
      'window', b.window_size, 'in_flight', b.in_flight, 'rate_per_second', b.rate_per_second,
      'pace_per_second', b.pace_per_second, 'sent_count', b.sent_count, 'throttled_count', b.throttled_count,
      'bound_date', to_char(b.bound_date, 'YYYY-MM-DD HH24:MI:SS')) order by b.slot)
    from binds b where b.connection_id = c.id), '[]') as binds`;

const SORTS: Sorts<typeof listConnections> = {
  name: 'lower(c.name)',
  queued: 'queued',
};

export const listConnectionRows = (db: Queryable, filter: ConnectionFilter, page: Page) =>
  db.rows<ConnectionRow>(sql`
    select ${connectionColumns} from connections c where ${conditions(filter)}
    order by ${orderBy(page, SORTS, 'c.id', 'c.name, c.id')}
    limit ${page.size + 1} offset ${page.offset}`);

export const countConnections = async (db: Queryable, filter: ConnectionFilter): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from connections c where ${conditions(filter)}`)
  ).count;

export const findConnection = (db: Queryable, id: string) =>
  db.maybeOne<ConnectionRow>(sql`select ${connectionColumns} from connections c where c.id = ${id}`);

export const lockConnection = (tx: Tx, id: string) =>
  tx.maybeOne<StoredConnection>(sql`
    select name, adapter, channel, settings, unknown_policy, unknown_grace_seconds, enabled from connections
    where id = ${id} for update`);

export const hasConnection = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from connections where id = ${id}`)) !== null;

export const insertConnection = (tx: Tx, id: string, row: StoredConnection) =>
  tx.run(sql`
    insert into connections (id, name, adapter, channel, settings, unknown_policy, unknown_grace_seconds, enabled)
    values (${id}, ${row.name}, ${row.adapter}, ${row.channel}, ${JSON.stringify(row.settings)}::jsonb,
            ${row.unknown_policy}, ${row.unknown_grace_seconds}, ${row.enabled})`);

export const updateConnection = (tx: Tx, id: string, row: StoredConnection) =>
  tx.run(sql`
    update connections set
      name = ${row.name}, adapter = ${row.adapter}, channel = ${row.channel},
      settings = ${JSON.stringify(row.settings)}::jsonb, unknown_policy = ${row.unknown_policy},
      unknown_grace_seconds = ${row.unknown_grace_seconds}, enabled = ${row.enabled},
      -- The callback address is sent to the carrier again.
      callback_state = null, paused_date = null, pause_reason = '', update_date = ${tx.now}
    where id = ${id}`);

export const listOperatorAccounts = (tx: Tx) =>
  tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR' order by id`);
