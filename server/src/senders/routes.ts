import * as blockers from '@parley/contract/senders/blockers.ts';
import * as codes from '@parley/contract/senders/codes.ts';
import { listSenderMembers, putSenderMembers } from '@parley/contract/senders/members.ts';
import { removeSender as removeSenderEndpoint } from '@parley/contract/senders/orders.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { createBlocker, removeBlocker } from './blockers.ts';
import { confirmCarrierCode, readRequestedSender, sendCarrierCode } from './carrier/verification.ts';
import { listMembers, putMembers } from './pool.ts';
import { removeSender } from './removal.ts';
import { findSenders } from './senders.ts';

export const routes: readonly Implementation[] = [
  implement(listSenders, ({ tx, actor }, { query }) => findSenders(tx, actor, query)),
  implement(removeSenderEndpoint, (ctx, { params }) => removeSender(ctx, params.id)),
  implementOutside(codes.createCarrierCode, (ctx, { params, body }) =>
    sendCarrierCode(ctx, { account_id: ctx.actor.account_id, sender_id: params.id }, body.method),
  ),
  implementOutside(codes.enterCarrierCode, (ctx, { params, body }) =>
    confirmCarrierCode(ctx, { account_id: ctx.actor.account_id, sender_id: params.id }, body.code),
  ),
  implementOutside(codes.createRequestCode, async (ctx, { params, body }) =>
    sendCarrierCode(ctx, await readRequestedSender(ctx.kernel.db, params.id), body.method),
  ),
  implementOutside(codes.enterRequestCode, async (ctx, { params, body }) =>
    confirmCarrierCode(ctx, await readRequestedSender(ctx.kernel.db, params.id), body.code),
  ),
  implement(blockers.createBlocker, ({ tx, actor }, { params, body }) =>
    createBlocker(tx, actor, params.id, body.number),
  ),
  implement(blockers.removeBlocker, ({ tx, actor }, { params }) =>
    removeBlocker(tx, actor, params.id, params.blocker_id),
  ),
  implement(listSenderMembers, ({ tx, actor }, { params }) => listMembers(tx, actor.account_id, params.id)),
  implement(putSenderMembers, (ctx, { params, body }) => putMembers(ctx, params.id, body)),
];
