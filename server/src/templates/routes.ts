import * as contract from '@parley/contract/templates/templates.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import { compareNow } from './compare.ts';
import * as templates from './templates.ts';

export const routes: Implementation[] = [
  implement(contract.listTemplates, ({ tx, actor }, { query }) => templates.listTemplates(tx, actor.account_id, query)),
  implement(contract.getTemplate, ({ tx, actor }, { params }) =>
    templates.getTemplate(tx, actor.account_id, params.id),
  ),
  implement(contract.createTemplate, (ctx, { body }) => templates.createTemplate(ctx, body)),
  implement(contract.updateTemplate, (ctx, { params, body }) => templates.updateTemplate(ctx, params.id, body)),
  implement(contract.removeTemplate, (ctx, { params }) => templates.removeTemplate(ctx, params.id)),
  implementOutside(contract.syncTemplates, ({ kernel, actor }) => compareNow(kernel, actor.account_id)),
];
