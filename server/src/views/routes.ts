import * as contract from '@parley/contract/views/views.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import { createView, listViews, removeView, updateView } from './views.ts';

export const routes: Implementation[] = [
  implement(contract.listViews, ({ tx, actor }, { query }) => listViews(tx, actor, query.list)),
  implement(contract.createView, ({ tx, actor }, { body }) => createView(tx, actor, body)),
  implement(contract.updateView, ({ tx, actor }, { params, body }) => updateView(tx, actor, params.id, body)),
  implement(contract.removeView, ({ tx, actor }, { params }) => removeView(tx, actor, params.id)),
];
