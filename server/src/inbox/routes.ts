import { listAssignments, listInboxUsers } from '@parley/contract/inbox/assignments.ts';
import * as contract from '@parley/contract/inbox/inbox.ts';
import { type Implementation, implement } from '../kernel/http/endpoint.ts';
import * as assignments from './assignments.ts';
import * as inbox from './inbox.ts';
import { inboxSenders } from './queries.ts';

export const routes: Implementation[] = [
  implement(contract.listConversations, ({ tx, actor }, { query }) => inbox.listConversations(tx, actor, query)),
  implement(contract.getConversation, ({ tx, actor }, { params }) => inbox.getConversation(tx, actor, params.id)),
  implement(contract.updateConversation, ({ tx, actor }, { params, body }) =>
    inbox.updateConversation(tx, actor, params.id, body),
  ),
  implement(contract.removeConversation, ({ tx, actor }, { params }) => inbox.removeConversation(tx, actor, params.id)),
  implement(contract.listConversationMessages, ({ kernel, tx, actor }, { params, query }) =>
    inbox.listMessages(kernel, tx, actor, params.id, query),
  ),
  implement(contract.getBadges, ({ tx, actor }) => inbox.getBadges(tx, actor)),
  implement(contract.listInboxSenders, ({ tx, actor }) => inboxSenders(tx, actor.account_id)),
  implement(listInboxUsers, ({ tx, actor }) => assignments.listInboxUsers(tx, actor.account_id)),
  implement(listAssignments, async ({ tx, actor }, { params, query }) => {
    await inbox.getConversation(tx, actor, params.id);
    return assignments.listAssignments(tx, actor, params.id, query);
  }),
];
