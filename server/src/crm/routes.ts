import * as contract from '@parley/contract/crm/crm.ts';
import { listContactDeals as contactDeals } from '@parley/contract/crm/deals.ts';
import * as pipedrive from '@parley/contract/crm/pipedrive.ts';
import * as sync from '@parley/contract/crm/sync.ts';
import * as triggers from '@parley/contract/crm/triggers.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as crm from './crm.ts';
import { listContactDeals } from './deals/deals.ts';
import * as panel from './panel/panel.ts';
import { openPanel } from './panel/panel_access.ts';
import { previewSync } from './sync/preview.ts';
import * as settings from './sync/settings.ts';
import * as stages from './triggers/triggers.ts';

export const routes: Implementation[] = [
  implement(contract.listCrms, ({ kernel, tx, actor }) => crm.listCrms(kernel, tx, actor)),
  implement(contract.authorizeCrm, async ({ kernel, actor }, { params }) =>
    crm.authorize(kernel, actor, params.provider),
  ),
  implement(contract.updateCrm, ({ tx, actor }, { params, body }) =>
    crm.updateConnection(tx, actor, params.provider, body),
  ),
  implement(contract.retryCrmLogs, ({ tx, actor }, { params }) => crm.retryLogs(tx, actor, params.provider)),
  implementOutside(contract.connectCrm, (ctx, { params, body }) => crm.connect(ctx, params.provider, body)),
  implementOutside(contract.removeCrm, (ctx, { params }) => crm.disconnect(ctx, params.provider)),
  implementOutside(pipedrive.connectPipedrive, (ctx, { body }) => crm.connect(ctx, 'pipedrive', body)),
  implement(pipedrive.openPipedrivePanel, ({ tx, kernel }, { body }) => openPanel(tx, kernel, 'pipedrive', body.token)),
  implement(pipedrive.getPipedriveCompany, ({ tx, actor }, { params }) => panel.readCompany(tx, actor, params.id)),
  implement(pipedrive.listPipedriveSenders, ({ tx, actor }) => panel.readSenders(tx, actor)),
  implement(pipedrive.listPipedriveTemplates, ({ tx, actor }, { query }) =>
    panel.readTemplates(tx, actor, query.sender_id),
  ),
  // Calls the CRM, so it must not hold a connection to the database.
  implementOutside(pipedrive.listPipedrivePeople, ({ kernel, actor }, { query }) =>
    panel.readPeople(kernel, actor, query),
  ),
  implement(pipedrive.listPipedriveMessages, ({ tx, actor }, { query }) => panel.readThread(tx, actor, query)),
  implement(pipedrive.sendPipedriveMessage, ({ tx, kernel, actor }, { body }) =>
    panel.sendMessage(tx, kernel, actor, body),
  ),
  implementOutside(contactDeals, (ctx, { params }) => listContactDeals(ctx, params.id)),
  implement(sync.getCrmSync, ({ tx, actor }, { params }) => settings.getSync(tx, actor, params.provider)),
  implementOutside(sync.listCrmFields, (ctx, { params }) => settings.listFields(ctx, params.provider)),
  implementOutside(sync.previewCrmSync, (ctx, { params, body }) => previewSync(ctx, params.provider, body)),
  implementOutside(sync.updateCrmSync, (ctx, { params, body }) => settings.updateSync(ctx, params.provider, body)),
  implement(sync.startCrmSync, ({ tx, actor }, { params }) => settings.startSync(tx, actor, params.provider)),
  implement(sync.listCrmSyncErrors, ({ tx, actor }, { params, query }) =>
    settings.listErrors(tx, actor, params.provider, query),
  ),
  implement(sync.retryCrmSync, ({ tx, actor }, { params, body }) =>
    settings.retry(tx, actor, params.provider, body.id ?? null),
  ),
  implementOutside(triggers.listCrmStages, (ctx, { params }) => stages.listStages(ctx, params.provider)),
  implement(triggers.listCrmTriggers, ({ tx, actor }, { params }) => stages.listTriggers(tx, actor, params.provider)),
  implementOutside(triggers.createCrmTrigger, (ctx, { params, body }) =>
    stages.createTrigger(ctx, params.provider, body),
  ),
  implementOutside(triggers.updateCrmTrigger, (ctx, { params, body }) =>
    stages.updateTrigger(ctx, params.provider, params.id, body),
  ),
  implement(triggers.removeCrmTrigger, async (ctx, { params }) => {
    await stages.removeTrigger(ctx.tx, ctx, params.provider, params.id);
    return null;
  }),
  implement(triggers.listCrmTriggerRuns, ({ tx, actor }, { params, query }) =>
    stages.listRuns(tx, actor, params, query),
  ),
];
