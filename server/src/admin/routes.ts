import * as contract from '@parley/contract/admin.ts';
import { type Implementation, implement } from '../kernel/endpoint.ts';
import * as admin from './admin.ts';
import { customerRoutes } from './customer_routes.ts';

export const routes: Implementation[] = [
  implement(contract.listConnections, ({ tx }, { query }) => admin.listConnections(tx, query)),
  implement(contract.getConnection, ({ tx }, { params }) => admin.getConnection(tx, params.id)),
  implement(contract.createConnection, ({ tx, kernel }, { body }) => admin.createConnection(tx, kernel, body)),
  implement(contract.updateConnection, ({ tx, kernel }, { params, body }) =>
    admin.updateConnection(tx, kernel, params.id, body),
  ),
  implement(contract.listRoutes, ({ tx }, { query }) => admin.listRoutes(tx, query)),
  implement(contract.createRoute, ({ tx }, { body }) => admin.createRoute(tx, body)),
  implement(contract.updateRoute, ({ tx }, { params, body }) => admin.updateRoute(tx, params.id, body)),
  implement(contract.removeRoute, ({ tx }, { params }) => admin.removeRoute(tx, params.id)),
  ...customerRoutes,
];
