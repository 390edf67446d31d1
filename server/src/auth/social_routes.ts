import * as contract from '@parley/contract/social_networks.ts';
import { type Implementation, implement, implementOutside } from '../kernel/endpoint.ts';
import * as social from './social.ts';
import { finishSocialSignIn, startSocialSignIn } from './social_flow.ts';

export const routes: Implementation[] = [
  implement(contract.listProviders, async ({ kernel }) => social.listProviders(kernel)),
  // They wait for the provider: no transaction around that.
  implementOutside(contract.startSocialSignIn, (ctx, { body }) => startSocialSignIn(ctx, body)),
  implementOutside(contract.finishSocialSignIn, (ctx) => finishSocialSignIn(ctx)),
  implement(contract.signInSocially, (ctx) => social.signInSocially(ctx.tx, ctx)),
  implement(contract.listSocialNetworks, ({ tx, kernel, actor }) => social.listSocialNetworks(tx, kernel, actor)),
  implement(contract.connectSocialNetwork, (ctx) => social.connectSocialNetwork(ctx.tx, ctx)),
  implement(contract.disconnectSocialNetwork, (ctx, { params }) =>
    social.disconnectSocialNetwork(ctx.tx, ctx, params.provider),
  ),
];
