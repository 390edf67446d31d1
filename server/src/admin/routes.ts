import * as contract from '@parley/contract/admin.ts';
import { type Implementation, implement } from '../kernel/endpoint.ts';
import * as admin from './admin.ts';
import * as logged from './carrier_log.ts';
import { customerRoutes } from './customer_routes.ts';

export const routes: Implementation[] = [
  implement(contract.listConnections, ({ tx }, { query }) => admin.listConnections(tx, query)),
  implement(contract.getConnection, ({ tx }, { params }) => admin.getConnection(tx, params.id)),
  implement(contract.createConnection, async (ctx, { body }) =>
    logged.connection(ctx, 'connection.created', await admin.createConnection(ctx.tx, ctx.kernel, body)),
  ),
  implement(contract.updateConnection, async (ctx, { params, body }) =>
    logged.connection(ctx, 'connection.updated', await admin.updateConnection(ctx.tx, ctx.kernel, params.id, body)),
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
