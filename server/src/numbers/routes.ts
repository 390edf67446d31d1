import * as contract from '@parley/contract/numbers/numbers.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { addNumbers, listInventory, listPrices, putPrice, retireNumber } from './inventory.ts';
import { listOffers, listPlaces } from './offers.ts';

export const routes: readonly Implementation[] = [
  implement(contract.listNumbers, ({ tx, actor }, { query }) => listOffers(tx, actor.account_id, query)),
  implement(contract.listNumberPlaces, ({ tx, actor }) => listPlaces(tx, actor.account_id)),
  implement(contract.listInventory, ({ tx }, { query }) => listInventory(tx, query)),
  implement(contract.addInventory, (ctx, { body }) => addNumbers(ctx, body)),
  implement(contract.retireNumber, (ctx, { params, body }) => retireNumber(ctx, params.number, body.retired)),
  implement(contract.listNumberPrices, ({ tx }) => listPrices(tx)),
  implement(contract.putNumberPrice, (ctx, { body }) => putPrice(ctx, body)),
];
