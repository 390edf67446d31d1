import * as approvals from '@parley/contract/keys/approvals.ts';
import * as contract from '@parley/contract/keys/keys.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { decideApproval, getApproval, listApprovals } from './approvals.ts';
import { createKey, getKey, listKeys, readUsage, removeKey, rotateKey, updateKey } from './keys.ts';

export const routes: Implementation[] = [
  implement(contract.listKeys, ({ tx, actor }, { query }) => listKeys(tx, actor, query)),
  implement(contract.getKey, ({ tx, actor }, { params }) => getKey(tx, actor, params.id)),
  implement(contract.getKeyUsage, ({ tx, actor }, { params }) => readUsage(tx, actor, params.id)),
  implement(contract.createKey, (ctx, { body }) => createKey(ctx.tx, ctx, body)),
  implement(contract.updateKey, (ctx, { params, body }) => updateKey(ctx.tx, ctx, params.id, body)),
  implement(contract.rotateKey, (ctx, { params, body }) => rotateKey(ctx.tx, ctx, params.id, body)),
  implement(contract.removeKey, (ctx, { params }) => removeKey(ctx.tx, ctx, params.id)),
  implement(approvals.listApprovals, ({ tx, actor }, { query }) => listApprovals(tx, actor, query)),
  implement(approvals.getApproval, ({ tx, actor }, { params }) => getApproval(tx, actor, params.id)),
  implement(approvals.decideApproval, (ctx, { params, body }) => decideApproval(ctx.tx, ctx, params.id, body)),
];
