import { getBalance, listLedger, listRates } from '@parley/contract/billing/billing.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { accountBalance, ledgerOf, ratesOf } from './ledger/entries.ts';

export const routes: Implementation[] = [
  implement(getBalance, ({ tx, actor }, { params }) => accountBalance(tx, actor, params.id)),
  implement(listLedger, ({ tx, actor }, { query }) => ledgerOf(tx, actor, query)),
  implement(listRates, ({ tx, actor }, { query }) => ratesOf(tx, actor, query)),
];
