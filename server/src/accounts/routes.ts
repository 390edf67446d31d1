import * as contract from '@parley/contract/accounts.ts';
import { type Implementation, implement } from '../kernel/endpoint.ts';
import { getAccount, getUser } from './accounts.ts';

export const routes: Implementation[] = [
  implement(contract.getAccount, ({ tx, actor }) => getAccount(tx, actor)),
  implement(contract.getUser, ({ tx, actor }) => getUser(tx, actor)),
];
