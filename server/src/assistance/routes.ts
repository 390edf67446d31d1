import * as contract from '@parley/contract/assistance/assistance.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { assist } from './assist.ts';
import * as assistance from './assistance.ts';

export const routes: Implementation[] = [
  implement(contract.getAssistanceProvider, ({ tx }) => assistance.getProvider(tx)),
  implementOutside(contract.updateAssistanceProvider, (ctx, { body }) => assistance.updateProvider(ctx, body)),
  implementOutside(contract.testAssistanceProvider, (ctx) => assistance.testProvider(ctx)),
  implement(contract.getAssistanceSettings, ({ tx, actor }) => assistance.getSettings(tx, actor, tx.now)),
  implement(contract.updateAssistanceSettings, (ctx, { body }) => assistance.updateSettings(ctx.tx, ctx, body)),
  implement(contract.listAssistanceRequests, ({ tx, actor }, { query }) => assistance.listRequests(tx, actor, query)),
  // No transaction stays open while the model works.
  implementOutside(contract.createAssistance, (ctx, input) => assist(ctx, input)),
];
