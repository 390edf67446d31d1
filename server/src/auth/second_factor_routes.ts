import * as contract from '@parley/contract/second_factors.ts';
import { type Implementation, implement, implementOutside } from '../kernel/endpoint.ts';
import * as passkeys from './passkeys.ts';
import * as factors from './second_factors.ts';

// What asks for the password again opens its own transactions: hashing takes long, and failures are remembered.
export const routes: Implementation[] = [
  implement(contract.getSecondFactors, ({ tx, actor }) => factors.getSecondFactors(tx, actor)),
  implementOutside(contract.createTotp, (ctx, { body }) => factors.createTotp(ctx, body.current_password)),
  implement(contract.confirmTotp, (ctx, { body }) => factors.confirmTotp(ctx.tx, ctx, body.code)),
  implementOutside(contract.removeTotp, (ctx, { body }) => factors.removeTotp(ctx, body)),
  implementOutside(contract.createRecoveryCodes, (ctx, { body }) =>
    factors.createRecoveryCodes(ctx, body.current_password),
  ),
  implement(contract.listPasskeys, ({ tx, actor }) => passkeys.listPasskeys(tx, actor)),
  implementOutside(contract.createPasskeyChallenge, (ctx, { body }) =>
    passkeys.createPasskeyChallenge(ctx, body.current_password),
  ),
  // A challenge is used up also by a wrong answer.
  implementOutside(contract.createPasskey, (ctx, { body }) => passkeys.createPasskey(ctx, body)),
  implement(contract.removePasskey, (ctx, { params }) => passkeys.removePasskey(ctx.tx, ctx, params.id)),
  implementOutside(contract.createSignInChallenge, ({ kernel, headers }) =>
    passkeys.createSignInChallenge(kernel, headers),
  ),
  implementOutside(contract.signInWithPasskey, (ctx, { body }) => passkeys.signInWithPasskey(ctx, body)),
];
