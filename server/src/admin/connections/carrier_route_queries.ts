import type { Route } from '@parley/contract/admin/admin.ts';
import { type Queryable, type Sql, sql, type Tx } from '../../kernel/db/db.ts';
import type { Page } from '../../kernel/db/list.ts';

type StoredRoute = Pick<
  Route,
  | 'channel'
  | 'country'
  | 'prefix'
  | 'connection_id'
  | 'priority'
  | 'percentage'
  | 'cost_micros'
  | 'cost_currency'
  | 'mccmnc'
  | 'enabled'
>;

const routeColumns: Sql = sql`
  r.id, r.channel, r.country, r.prefix, r.connection_id, c.name as connection_name, r.priority, r.percentage,
  r.cost_micros, r.cost_currency, r.mccmnc, r.enabled, r.create_date`;

/** Routes in the order in which routing tries them. */
export const listRouteRows = (db: Queryable, page: Page) =>
  db.rows<Route>(sql`
    select ${routeColumns} from routes r join connections c on c.id = r.connection_id
    order by r.channel, length(r.prefix) desc nulls last, r.prefix, r.country nulls last, r.priority, r.id
    limit ${page.size + 1} offset ${page.offset}`);

export const countRoutes = async (db: Queryable): Promise<number> =>
  (await db.one<{ count: number }>(sql`select count(*) from routes`)).count;

export const findRoute = (db: Queryable, id: string) =>
  db.one<Route>(
    sql`select ${routeColumns} from routes r join connections c on c.id = r.connection_id where r.id = ${id}`,
  );

export const lockRoute = (tx: Tx, id: string) =>
  tx.maybeOne<StoredRoute>(sql`
    select channel, country, prefix, connection_id, priority, percentage, cost_micros, cost_currency, mccmnc, enabled
    from routes where id = ${id} for update`);

export const insertRoute = (tx: Tx, id: string, row: StoredRoute) =>
  tx.run(sql`
    insert into routes (id, channel, country, prefix, connection_id, priority, percentage, cost_micros,
      cost_currency, mccmnc, enabled)
    values (${id}, ${row.channel}, ${row.country}, ${row.prefix}, ${row.connection_id}, ${row.priority},
      ${row.percentage}, ${row.cost_micros}, ${row.cost_currency}, ${row.mccmnc}, ${row.enabled})`);

export const updateRoute = (tx: Tx, id: string, row: StoredRoute) =>
  tx.run(sql`
    update routes set channel = ${row.channel}, country = ${row.country}, prefix = ${row.prefix},
      connection_id = ${row.connection_id}, priority = ${row.priority},
      percentage = ${row.percentage}, cost_micros = ${row.cost_micros},
      cost_currency = ${row.cost_currency}, mccmnc = ${row.mccmnc}, enabled = ${row.enabled}
    where id = ${id}`);

export const deleteRoute = (tx: Tx, id: string) => tx.run(sql`delete from routes where id = ${id}`);
