import * as contract from '@parley/contract/bulk/bulk.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { cancelBulkJob, createBulkJob, listBulkJobs } from './bulk.ts';

export const routes: Implementation[] = [
  implement(contract.createBulkJob, ({ tx, actor }, { body }) => createBulkJob(tx, actor, body)),
  implement(contract.listBulkJobs, ({ tx, actor }, { query }) => listBulkJobs(tx, actor, query)),
  implement(contract.cancelBulkJob, ({ tx, actor }, { params }) => cancelBulkJob(tx, actor, params.id)),
];
