import * as contract from '@parley/contract/auth/social_networks.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { implementProven } from './proof.ts';
import * as social from './social.ts';
import { finishSocialSignIn, startSocialSignIn } from './social_flow.ts';

export const routes: Implementation[] = [
  implement(contract.listProviders, async ({ kernel }) => social.listProviders(kernel)),
  // They wait for the provider: no transaction around that.
  implementOutside(contract.startSocialSignIn, (ctx, { body }) => startSocialSignIn(ctx, body)),
  implementOutside(contract.finishSocialSignIn, (ctx) => finishSocialSignIn(ctx)),
  implement(contract.signInSocially, (ctx) => social.signInSocially(ctx.tx, ctx)),
  implement(contract.listSocialNetworks, ({ tx, kernel, actor }) => social.listSocialNetworks(tx, kernel, actor)),
  implementOutside(contract.connectSocialNetwork, (ctx, { body }) => social.connectSocialNetwork(ctx, body)),
  implementProven(contract.disconnectSocialNetwork, 'later', (ctx, { params }) =>
    ctx.kernel.db.tx((tx) => social.disconnectSocialNetwork(tx, ctx, params.provider)),
  ),
];
