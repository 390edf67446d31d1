import * as contract from '@parley/contract/auth/social_networks.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { implementReauthenticated } from './factors/reauthentication.ts';
import { signInSocially } from './sign_in/social_sign_in.ts';
import { finishSocialSignIn, startSocialSignIn } from './social/flow.ts';
import * as social from './social/networks.ts';

export const routes: Implementation[] = [
  implement(contract.listProviders, async ({ kernel }) => social.listProviders(kernel)),
  // These endpoints wait for the provider, so they run outside a transaction.
  implementOutside(contract.startSocialSignIn, (ctx, { body }) => startSocialSignIn(ctx, body)),
  implementOutside(contract.finishSocialSignIn, (ctx, { params }) => finishSocialSignIn(ctx, params.provider)),
  implement(contract.signInSocially, (ctx) => signInSocially(ctx.tx, ctx)),
  implement(contract.listSocialNetworks, ({ tx, kernel, actor }) => social.listSocialNetworks(tx, kernel, actor)),
  implementOutside(contract.connectSocialNetwork, (ctx, { body }) => social.connectSocialNetwork(ctx, body)),
  implementReauthenticated(contract.disconnectSocialNetwork, 'unless_recent', (ctx, { params }) =>
    ctx.kernel.db.tx((tx) => social.disconnectSocialNetwork(tx, ctx, params.provider)),
  ),
];
