import * as contract from '@parley/contract/admin/admin.ts';
import * as connection from '@parley/contract/connections/connections.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import * as admin from './admin.ts';
import * as logged from './carrier_log.ts';
import * as connections from './connections.ts';
import { customerRoutes } from './customer_routes.ts';

export const routes: Implementation[] = [
  implement(connection.listConnections, ({ tx, kernel }, { query }) => connections.listConnections(kernel, tx, query)),
  implement(connection.getConnection, ({ tx, kernel }, { params }) => connections.getConnection(kernel, tx, params.id)),
  implement(connection.createConnection, async (ctx, { body }) =>
    logged.connection(ctx, 'connection.created', await connections.createConnection(ctx.tx, ctx.kernel, body)),
  ),
  implement(connection.updateConnection, async (ctx, { params, body }) =>
    logged.connection(
      ctx,
      'connection.updated',
      await connections.updateConnection(ctx.tx, ctx.kernel, params.id, body),
    ),
  ),
  implement(contract.listRoutes, ({ tx }, { query }) => admin.listRoutes(tx, query)),
  implement(contract.createRoute, async (ctx, { body }) =>
    logged.route(ctx, 'route.created', await admin.createRoute(ctx.tx, body)),
  ),
  implement(contract.updateRoute, async (ctx, { params, body }) =>
    logged.route(ctx, 'route.updated', await admin.updateRoute(ctx.tx, params.id, body)),
  ),
  implement(contract.removeRoute, async (ctx, { params }) => {
    logged.route(ctx, 'route.removed', await admin.removeRoute(ctx.tx, params.id));
    return null;
  }),
  ...customerRoutes,
];
