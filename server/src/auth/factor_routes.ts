import * as contract from '@parley/contract/auth/second_factors.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as factors from './factors/factors.ts';
import * as passkeys from './factors/passkeys.ts';
import { implementReauthenticated } from './factors/reauthentication.ts';
import { signInWithPasskey } from './sign_in/passkey_sign_in.ts';

export const routes: Implementation[] = [
  implement(contract.getSecondFactors, ({ tx, actor }) => factors.getSecondFactors(tx, actor)),
  implementReauthenticated(contract.createTotp, 'both_unless_recent', (ctx) => factors.createTotp(ctx)),
  implement(contract.confirmTotp, (ctx, { body }) => factors.confirmTotp(ctx.tx, ctx, body.code)),
  // Runs outside a transaction, because hashing takes long and failures must be counted.
  implementOutside(contract.removeTotp, (ctx, { body }) => factors.removeTotp(ctx, body)),
  implementReauthenticated(contract.createRecoveryCodes, 'both_unless_recent', (ctx) =>
    factors.createRecoveryCodes(ctx),
  ),
  implement(contract.listPasskeys, ({ tx, actor }) => passkeys.listPasskeys(tx, actor)),
  implementReauthenticated(contract.createPasskeyChallenge, 'both_unless_recent', (ctx) =>
    passkeys.createPasskeyChallenge(ctx),
  ),
  // Runs outside a transaction, because a wrong answer must use up the challenge as well.
  implementOutside(contract.createPasskey, (ctx, { body }) => passkeys.createPasskey(ctx, body)),
  implementReauthenticated(contract.removePasskey, 'unless_recent', (ctx, { params }) =>
    ctx.kernel.db.tx((tx) => passkeys.removePasskey(tx, ctx, params.id)),
  ),
  implementOutside(contract.createSignInChallenge, ({ kernel, headers }) =>
    passkeys.createSignInChallenge(kernel, headers),
  ),
  implementOutside(contract.signInWithPasskey, (ctx, { body }) => signInWithPasskey(ctx, body)),
];
