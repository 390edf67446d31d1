import type { Connection, Route, SmppSettings } from '@parley/contract/admin.ts';
import { type Queryable, type Sql, sql, type Tx } from '../kernel/db.ts';
import { CAP, likePattern, type Page } from '../kernel/list.ts';

/** As stored: settings with their password, sealed. */
export type StoredConnection = Pick<
  Connection,
  'name' | 'adapter' | 'channel' | 'unknown_policy' | 'unknown_grace_seconds' | 'enabled'
> & { settings: SmppSettings };

export type StoredRoute = Pick<Route, 'channel' | 'country' | 'prefix' | 'connection_id' | 'priority' | 'enabled'>;

// Lines whose lease has run out are nobody's: they are shown as stopped until a worker takes them.
const connectionColumns: Sql = sql`
  c.id, c.name, c.adapter, c.channel, c.settings - 'password' as settings, c.unknown_policy, c.unknown_grace_seconds, c.enabled,
  c.create_date, c.update_date,
  (select count(*) from (
     select 1 from dispatch d where d.connection_id = c.id and d.stage = 'queued' limit ${CAP + 1}) waiting) as queued,
  coalesce((
    select jsonb_agg(jsonb_build_object(
      'slot', b.slot, 'state', case when b.lease_until > now() then b.state else 'stopped' end, 'detail', b.detail,
      'window', b.line_window, 'in_flight', b.in_flight, 'rate_per_second', b.rate_per_second, 'sent_count', b.sent_count,
      'bound_date', to_char(b.bound_date, 'YYYY-MM-DD HH24:MI:SS')) order by b.slot)
    from binds b where b.connection_id = c.id), '[]') as binds`;

export const connectionPage = (db: Queryable, search: string, page: Page) =>
  db.rows<Connection>(sql`
    select ${connectionColumns} from connections c where c.name ilike ${likePattern(search)}
    order by c.name, c.id limit ${page.size + 1} offset ${page.offset}`);

export const countConnections = async (db: Queryable, search: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`
      select count(*) from connections where name ilike ${likePattern(search)}`)
  ).count;

export const connection = (db: Queryable, id: string) =>
  db.maybeOne<Connection>(sql`select ${connectionColumns} from connections c where c.id = ${id}`);

export const lockConnection = (tx: Tx, id: string) =>
  tx.maybeOne<StoredConnection>(sql`
    select name, adapter, channel, settings, unknown_policy, unknown_grace_seconds, enabled from connections where id = ${id} for update`);

export const connectionExists = async (db: Queryable, id: string): Promise<boolean> =>
  (await db.maybeOne(sql`select 1 from connections where id = ${id}`)) !== null;

export const insertConnection = (tx: Tx, id: string, row: StoredConnection) =>
  tx.run(sql`
    insert into connections (id, name, adapter, channel, settings, unknown_policy, unknown_grace_seconds, enabled)
    values (${id}, ${row.name}, ${row.adapter}, ${row.channel}, ${JSON.stringify(row.settings)}::jsonb, ${row.unknown_policy},
            ${row.unknown_grace_seconds}, ${row.enabled})`);

export const updateConnection = (tx: Tx, id: string, row: StoredConnection) =>
  tx.run(sql`
    update connections set
      name = ${row.name}, adapter = ${row.adapter}, channel = ${row.channel}, settings = ${JSON.stringify(row.settings)}::jsonb,
      unknown_policy = ${row.unknown_policy}, unknown_grace_seconds = ${row.unknown_grace_seconds}, enabled = ${row.enabled},
      update_date = ${tx.now}
    where id = ${id}`);

export const operatorAccounts = (tx: Tx) =>
  tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR' order by id`);

const routeColumns: Sql = sql`
  r.id, r.channel, r.country, r.prefix, r.connection_id, c.name as connection_name, r.priority, r.enabled, r.create_date`;

/** In the order in which they are asked. */
export const routePage = (db: Queryable, page: Page) =>
  db.rows<Route>(sql`
    select ${routeColumns} from routes r join connections c on c.id = r.connection_id
    order by r.channel, length(r.prefix) desc nulls last, r.prefix, r.country nulls last, r.priority, r.id
    limit ${page.size + 1} offset ${page.offset}`);

export const countRoutes = async (db: Queryable): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from routes`)).count;

export const route = (db: Queryable, id: string) =>
  db.one<Route>(
    sql`select ${routeColumns} from routes r join connections c on c.id = r.connection_id where r.id = ${id}`,
  );

export const lockRoute = (tx: Tx, id: string) =>
  tx.maybeOne<StoredRoute>(sql`
    select channel, country, prefix, connection_id, priority, enabled from routes where id = ${id} for update`);

export const insertRoute = (tx: Tx, id: string, row: StoredRoute) =>
  tx.run(sql`
    insert into routes (id, channel, country, prefix, connection_id, priority, enabled)
    values (${id}, ${row.channel}, ${row.country}, ${row.prefix}, ${row.connection_id}, ${row.priority}, ${row.enabled})`);

export const updateRoute = (tx: Tx, id: string, row: StoredRoute) =>
  tx.run(sql`
    update routes set channel = ${row.channel}, country = ${row.country}, prefix = ${row.prefix},
      connection_id = ${row.connection_id}, priority = ${row.priority}, enabled = ${row.enabled}
    where id = ${id}`);

export const deleteRoute = (tx: Tx, id: string) => tx.run(sql`delete from routes where id = ${id}`);
