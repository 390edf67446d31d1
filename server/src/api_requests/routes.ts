import * as contract from '@parley/contract/api_requests/api_requests.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { getRequest, listRequests } from './api_requests.ts';

export const routes: Implementation[] = [
  implement(contract.listApiRequests, ({ tx, actor }, { query }) => listRequests(tx, actor, query)),
  implement(contract.getApiRequest, ({ tx, actor }, { params }) => getRequest(tx, actor, params.id)),
];
