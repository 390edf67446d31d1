import * as subaccounts from '@parley/contract/team/subaccounts.ts';
import * as team from '@parley/contract/team/team.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { acceptInvitation, getInvitation } from './acceptance.ts';
import {
  createInvitation,
  listInvitations,
  listOwnInvitations,
  resendInvitation,
  revokeInvitation,
} from './invitations.ts';
import { closeSubAccount, createSubAccount, listSubAccounts, updateSubAccount } from './subaccounts.ts';
import { createUser, getTeamUser, listUsers, removeUser, updateUser } from './team.ts';

export const routes: Implementation[] = [
  implement(team.listUsers, ({ tx, actor }, { query }) => listUsers(tx, actor.account_id, query)),
  implement(team.getTeamUser, ({ tx, actor }, { params }) => getTeamUser(tx, actor.account_id, params.id)),
  implement(team.createUser, (ctx, { body }) => createUser(ctx.tx, ctx, body)),
  implement(team.updateUser, (ctx, { params, body }) => updateUser(ctx.tx, ctx, params.id, body)),
  implement(team.updateSubUser, (ctx, { params, body }) => updateUser(ctx.tx, ctx, params.id, body)),
  implement(team.removeUser, (ctx, { params }) => removeUser(ctx.tx, ctx, params.id)),
  implement(team.listInvitations, ({ tx, actor }, { query }) => listInvitations(tx, actor.account_id, query)),
  implement(team.createInvitation, (ctx, { body }) => createInvitation(ctx.tx, ctx, body)),
  implement(team.resendInvitation, (ctx, { params }) => resendInvitation(ctx.tx, ctx, params.id)),
  implement(team.revokeInvitation, (ctx, { params }) => revokeInvitation(ctx.tx, ctx, params.id)),
  implement(team.listOwnInvitations, ({ tx, actor }) => listOwnInvitations(tx, actor)),
  implement(team.getInvitation, ({ tx }, { params }) => getInvitation(tx, params.id)),
  // Runs outside a transaction, because hashing takes long and failures must be counted.
  implementOutside(team.acceptInvitation, (ctx, { body }) => acceptInvitation(ctx, body)),
  implement(subaccounts.listSubAccounts, ({ tx, actor }, { query }) => listSubAccounts(tx, actor, query)),
  implement(subaccounts.createSubAccount, (ctx, { body }) => createSubAccount(ctx.tx, ctx, body)),
  implement(subaccounts.updateSubAccount, (ctx, { params, body }) => updateSubAccount(ctx.tx, ctx, params.id, body)),
  implementOutside(subaccounts.removeSubAccount, (ctx, { params, body }) => closeSubAccount(ctx, params.id, body)),
];
