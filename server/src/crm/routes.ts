import * as contract from '@parley/contract/crm/crm.ts';
import * as pipedrive from '@parley/contract/crm/pipedrive.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as crm from './crm.ts';
import * as panel from './panel/panel.ts';
import { openPanel } from './panel/panel_access.ts';

export const routes: Implementation[] = [
  implement(contract.listCrms, ({ kernel, tx, actor }) => crm.listCrms(kernel, tx, actor)),
  implement(contract.authorizeCrm, async ({ kernel, actor }, { params }) =>
    crm.authorize(kernel, actor, params.provider),
  ),
  implement(contract.updateCrm, ({ tx, actor }, { params, body }) =>
    crm.updateConnection(tx, actor, params.provider, body),
  ),
  implement(contract.retryCrmLogs, ({ tx, actor }, { params }) => crm.retryLogs(tx, actor, params.provider)),
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
];
