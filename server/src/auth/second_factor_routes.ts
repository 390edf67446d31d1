import * as contract from '@parley/contract/auth/second_factors.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as passkeys from './passkeys.ts';
import { implementProven } from './proof.ts';
import * as factors from './second_factors.ts';

export const routes: Implementation[] = [
  implement(contract.getSecondFactors, ({ tx, actor }) => factors.getSecondFactors(tx, actor)),
  implementProven(contract.createTotp, 'locks', (ctx) => factors.createTotp(ctx)),
  implement(contract.confirmTotp, (ctx, { body }) => factors.confirmTotp(ctx.tx, ctx, body.code)),
  // Asks for the password and a code: hashing takes long, and failures are remembered.
  implementOutside(contract.removeTotp, (ctx, { body }) => factors.removeTotp(ctx, body)),
  implementProven(contract.createRecoveryCodes, 'locks', (ctx) => factors.createRecoveryCodes(ctx)),
  implement(contract.listPasskeys, ({ tx, actor }) => passkeys.listPasskeys(tx, actor)),
  implementProven(contract.createPasskeyChallenge, 'locks', (ctx) => passkeys.createPasskeyChallenge(ctx)),
  // A challenge is used up also by a wrong answer.
  implementOutside(contract.createPasskey, (ctx, { body }) => passkeys.createPasskey(ctx, body)),
  implementProven(contract.removePasskey, 'later', (ctx, { params }) =>
    ctx.kernel.db.tx((tx) => passkeys.removePasskey(tx, ctx, params.id)),
  ),
  implementOutside(contract.createSignInChallenge, ({ kernel, headers }) =>
    passkeys.createSignInChallenge(kernel, headers),
  ),
  implementOutside(contract.signInWithPasskey, (ctx, { body }) => passkeys.signInWithPasskey(ctx, body)),
];
