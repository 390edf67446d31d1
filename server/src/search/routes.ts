import * as contract from '@parley/contract/search/search.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { listSearchResults } from './search.ts';

export const routes: Implementation[] = [
  implement(contract.listSearchResults, ({ tx, actor }, { query }) => listSearchResults(tx, actor, query.text)),
];
