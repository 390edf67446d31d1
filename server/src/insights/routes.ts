import { getDashboard } from '@parley/contract/insights/dashboard.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { dashboard } from './insights.ts';

export const routes: Implementation[] = [
  implement(getDashboard, ({ tx, actor }, { query }) => dashboard(tx, actor, tx.now, query.days ?? 7)),
];
