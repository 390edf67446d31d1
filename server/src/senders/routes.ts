import { getSender, listSenders } from '@parley/contract/senders.ts';
import { type Implementation, implement } from '../kernel/endpoint.ts';
import * as senders from './senders.ts';

export const routes: Implementation[] = [
  implement(listSenders, ({ tx, actor }, { query }) => senders.sendersOf(tx, actor, query)),
  implement(getSender, ({ tx, actor }, { params }) => senders.getSender(tx, actor, params.id)),
];
