import * as contract from '@parley/contract/auth.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Implementation, implement, implementOutside } from '../kernel/endpoint.ts';
import { readBasic, signIn, signOut } from './auth.ts';

export const routes: Implementation[] = [
  // Hashing takes tens of milliseconds and failures must be remembered: no transaction around it.
  implementOutside(contract.signIn, async ({ kernel, headers, address }) => {
    const credentials = readBasic(headers.authorization);
    if (!credentials) throw new Problem(1120);
    return signIn(kernel.db, credentials, { address, agent: headers['user-agent'] ?? '' });
  }),
  implement(contract.signOut, ({ tx, actor }) => signOut(tx, actor)),
];
