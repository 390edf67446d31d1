import * as erasures from '@parley/contract/people/erasures.ts';
import * as records from '@parley/contract/people/records.ts';
import * as timeline from '@parley/contract/people/timeline.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { createPersonErasure, getPersonErasure } from './erasures.ts';
import { listPersonRecords } from './records.ts';
import { getSummary } from './summary.ts';
import { listTimeline } from './timeline.ts';

export const routes: Implementation[] = [
  implement(timeline.listTimeline, ({ tx, actor }, { params, query }) => listTimeline(tx, actor, params.id, query)),
  implement(timeline.getSummary, ({ tx, actor, kernel }, { params }) =>
    getSummary(tx, actor, params.id, kernel.clock.now()),
  ),
  implement(records.listPersonRecords, ({ tx, actor }, { params, query }) =>
    listPersonRecords(tx, actor, params.id, query),
  ),
  implement(erasures.getPersonErasure, ({ tx, actor }, { params }) => getPersonErasure(tx, actor, params.id)),
  implement(erasures.createPersonErasure, (ctx, { params, body }) => createPersonErasure(ctx, params.id, body)),
];
