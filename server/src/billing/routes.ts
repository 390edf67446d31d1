import * as billing from '@parley/contract/billing/billing.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { getBalance, listLedger } from './ledger/entries.ts';
import { listRates } from './prices/rates.ts';

export const routes: Implementation[] = [
  implement(billing.getBalance, ({ tx, actor }, { params }) => getBalance(tx, actor, params.id)),
  implement(billing.listLedger, ({ tx, actor }, { query }) => listLedger(tx, actor, query)),
  implement(billing.listRates, ({ tx, actor }, { query }) => listRates(tx, actor, query)),
];
