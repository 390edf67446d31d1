import * as contract from '@parley/contract/lookups/lookups.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as bulk from './bulk.ts';
import * as lookups from './lookups.ts';

export const routes: Implementation[] = [
  implement(contract.getLookupPrice, ({ tx, kernel, actor }) => lookups.getLookupPrice(tx, kernel, actor)),
  implement(contract.listNumberLookups, ({ tx, actor }, { query }) => lookups.listLookups(tx, actor, query)),
  implement(contract.getNumberLookup, ({ tx, actor }, { params }) => lookups.getLookup(tx, actor, params.id)),
  implement(contract.createNumberLookup, ({ tx, kernel, actor }, { body }) =>
    lookups.createLookup(tx, kernel, actor, body),
  ),
  implement(contract.removeNumberLookup, ({ tx, actor }, { params }) => lookups.removeLookup(tx, actor, params.id)),
  implement(contract.listBulkLookups, ({ tx, actor }, { query }) => bulk.listBulks(tx, actor, query)),
  implement(contract.getBulkLookup, ({ tx, actor }, { params }) => bulk.getBulk(tx, actor, params.id)),
  implementOutside(contract.createBulkLookup, (ctx, { body }) => bulk.createBulk(ctx, body)),
  implement(contract.updateBulkLookup, ({ tx, actor }, { params, body }) =>
    bulk.updateBulk(tx, actor, params.id, body.status),
  ),
  implement(contract.removeBulkLookup, ({ tx, actor }, { params }) => bulk.removeBulk(tx, actor, params.id)),
  implement(contract.applyBulkLookup, ({ tx, actor }, { params, body }) => bulk.applyBulk(tx, actor, params.id, body)),
];
