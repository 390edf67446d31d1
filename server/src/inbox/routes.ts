import * as contract from '@parley/contract/inbox/inbox.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import * as inbox from './inbox.ts';

export const routes: Implementation[] = [
  implement(contract.listConversations, ({ tx, actor }, { query }) => inbox.listConversations(tx, actor, query)),
  implement(contract.getConversation, ({ tx, actor }, { params }) => inbox.getConversation(tx, actor, params.id)),
  implement(contract.readConversation, ({ tx, actor }, { params, body }) =>
    inbox.readConversation(tx, actor, params.id, body.last_read_timestamp),
  ),
  implement(contract.removeConversation, ({ tx, actor }, { params }) => inbox.removeConversation(tx, actor, params.id)),
  implement(contract.listConversationMessages, ({ tx, actor }, { params, query }) =>
    inbox.listMessages(tx, actor, params.id, query),
  ),
  implement(contract.getBadges, ({ tx, actor }) => inbox.getBadges(tx, actor)),
];
