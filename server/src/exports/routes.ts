import * as destinationContract from '@parley/contract/exports/destinations.ts';
import * as contract from '@parley/contract/exports/exports.ts';
import * as schedules from '@parley/contract/exports/schedules.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as destinations from './destinations.ts';
import { createExport, createExportLink, listExports, removeExport, restartExport, sendExportFile } from './exports.ts';
import { createSchedule, listSchedules, removeSchedule } from './schedules.ts';

export const routes: Implementation[] = [
  implement(contract.listExports, ({ tx, actor }, { query }) => listExports(tx, actor, query)),
  implement(contract.createExport, (ctx, { body }) => createExport(ctx, body)),
  implement(contract.restartExport, (ctx, { params }) => restartExport(ctx, params.id)),
  implement(contract.removeExport, (ctx, { params }) => removeExport(ctx, params.id)),
  implement(contract.getExportFile, (ctx, { params }) => sendExportFile(ctx, params.id)),
  implement(contract.createExportLink, (ctx, { params }) => createExportLink(ctx, params.id)),
  implement(contract.listLogs, ({ tx, actor }, { query }) =>
    listExports(tx, actor, { ...query, filter: { list: 'messages' } }),
  ),
  implement(contract.createLog, (ctx, { body }) => createExport(ctx, { ...body, list: 'messages' })),
  implement(contract.restartLog, (ctx, { params }) => restartExport(ctx, params.id, 'messages')),
  implement(contract.removeLog, (ctx, { params }) => removeExport(ctx, params.id, 'messages')),
  implement(schedules.listExportSchedules, ({ tx, actor }) => listSchedules(tx, actor)),
  implement(schedules.createExportSchedule, (ctx, { body }) => createSchedule(ctx, body)),
  implement(schedules.removeExportSchedule, (ctx, { params }) => removeSchedule(ctx, params.id)),
  implement(destinationContract.listExportDestinations, ({ tx, actor }) => destinations.listDestinations(tx, actor)),
  implementOutside(destinationContract.createExportDestination, (ctx, { body }) =>
    destinations.createDestination(ctx, body),
  ),
  implementOutside(destinationContract.updateExportDestination, (ctx, { params, body }) =>
    destinations.updateDestination(ctx, params.id, body),
  ),
  implement(destinationContract.removeExportDestination, (ctx, { params }) =>
    destinations.removeDestination(ctx, params.id),
  ),
  implementOutside(destinationContract.testExportDestination, (ctx, { body }) =>
    destinations.testDestination(ctx, body),
  ),
];
