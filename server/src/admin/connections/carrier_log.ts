/**
 * Records changes to connections and routes in the operators' audit log. An entry never contains a carrier's password,
 * only the fact that it changed.
 */
import type { Route } from '@parley/contract/admin/admin.ts';
import type { Connection } from '@parley/contract/connections/connections.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { record } from '../../kernel/security/audit.ts';

const hostAndPort = ({ settings }: Connection): string =>
  'host' in settings ? `${settings.host}:${settings.port}` : new URL(settings.base_url).host;

export function connection(ctx: Ctx, action: string, row: Connection): Connection {
  record(ctx.tx, ctx, {
    action,
    target: { type: 'connection', id: row.id, name: row.name },
    detail: { host: hostAndPort(row), enabled: row.enabled },
  });
  return row;
}

export function route(ctx: Ctx, action: string, row: Route): Route {
  record(ctx.tx, ctx, {
    action,
    target: { type: 'route', id: row.id, name: row.connection_name },
    detail: { country: row.country, prefix: row.prefix, priority: row.priority, enabled: row.enabled },
  });
  return row;
}
