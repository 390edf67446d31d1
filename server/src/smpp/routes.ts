import { getSmppCaps, updateSmppCaps } from '@parley/contract/smpp/caps.ts';
import * as contract from '@parley/contract/smpp/smpp.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { getCaps, updateCaps } from './caps.ts';
import * as smpp from './smpp.ts';

export const routes: Implementation[] = [
  implement(contract.listSmppAccounts, ({ tx, actor }, { query }) => smpp.listAccounts(tx, actor, query)),
  implement(contract.getSmppAccount, ({ tx, actor }, { params }) => smpp.getAccount(tx, actor, params.id)),
  implement(contract.getSmppServer, ({ tx, kernel, actor }) => smpp.readServer(tx, kernel, actor)),
  implement(contract.createSmppAccount, (ctx, { body }) => smpp.createAccount(ctx, body)),
  implement(contract.updateSmppAccount, (ctx, { params, body }) => smpp.updateAccount(ctx, params.id, body)),
  implement(contract.replaceSmppPassword, (ctx, { params, body }) => smpp.replacePassword(ctx, params.id, body)),
  implement(contract.removeSmppAccount, (ctx, { params }) => smpp.removeAccount(ctx, params.id)),
  implement(contract.listSmppSessions, ({ tx, actor }, { params }) => smpp.listSessions(tx, actor, params.id)),
  implement(contract.disconnectSmppSession, (ctx, { params }) =>
    smpp.disconnectSession(ctx, params.id, params.session_id),
  ),
  implement(getSmppCaps, ({ tx }, { params }) => getCaps(tx, params.id)),
  implement(updateSmppCaps, (ctx, { params, body }) => updateCaps(ctx, params.id, body)),
];
