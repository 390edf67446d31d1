import { listAssignments, listInboxUsers } from '@parley/contract/inbox/assignments.ts';
import { getDigestSettings, updateDigestSettings } from '@parley/contract/inbox/digests.ts';
import { getDraft, listDrafts, saveDraft } from '@parley/contract/inbox/drafts.ts';
import { listEntries } from '@parley/contract/inbox/entries.ts';
import * as contract from '@parley/contract/inbox/inbox.ts';
import * as label from '@parley/contract/inbox/label_changes.ts';
import { listLabels } from '@parley/contract/inbox/labels.ts';
import * as link from '@parley/contract/inbox/link_previews.ts';
import { createNote, listReaders, removeNote } from '@parley/contract/inbox/notes.ts';
import * as present from '@parley/contract/inbox/presence.ts';
import * as reaction from '@parley/contract/inbox/reactions.ts';
import * as saved from '@parley/contract/inbox/responses.ts';
import * as rule from '@parley/contract/inbox/rules.ts';
import { listInboxViewCounts } from '@parley/contract/inbox/saved_views.ts';
import { getInboxSettings, updateInboxSettings } from '@parley/contract/inbox/settings.ts';
import * as team from '@parley/contract/inbox/teams.ts';
import { searchTexts } from '@parley/contract/inbox/text_search.ts';
import * as notices from '@parley/contract/inbox/view_notifications.ts';
import { type Implementation, implement, implementOutside } from '../kernel/http/endpoint.ts';
import * as assignments from './assignments.ts';
import { getDigest, saveDigest } from './digest/digest.ts';
import * as drafts from './drafts.ts';
import * as entries from './entries.ts';
import * as inbox from './inbox.ts';
import { listLabelRows as readLabels } from './label_queries.ts';
import * as labels from './labels.ts';
import * as notes from './notes.ts';
import { logCollision, reportPresence } from './presence/presence.ts';
import { getLinkPreview } from './previews/link_preview.ts';
import { listSenders } from './queries.ts';
import { react } from './reactions/reactions.ts';
import * as responses from './responses.ts';
import { listRuleRows as readRules } from './rules/rule_queries.ts';
import * as rules from './rules/rules.ts';
import { listTeamRows as readTeams } from './rules/team_queries.ts';
import * as teams from './rules/teams.ts';
import * as search from './search/search.ts';
import * as settings from './settings.ts';
import * as viewNotices from './view_notifications/view_notifications.ts';

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
  implement(notices.listViewNotifications, ({ tx, actor }) => viewNotices.listViewNotifications(tx, actor)),
  implement(notices.updateViewNotifications, ({ tx, actor }, { params, body }) =>
    viewNotices.saveViewNotifications(tx, actor, params.id, body),
  ),
  implement(notices.removeViewNotifications, async ({ tx, actor }, { params }) => {
    await viewNotices.removeViewNotifications(tx, actor, params.id);
    return null;
  }),
  implement(notices.getConversationNotifications, async ({ tx, actor }, { params }) => {
    await inbox.getConversation(tx, actor, params.id);
    return viewNotices.findOwnNotifications(tx, actor, params.id);
  }),
  implement(contract.getBadges, ({ tx, actor }) => inbox.getBadges(tx, actor)),
  implement(contract.listInboxSenders, ({ tx, actor }) => listSenders(tx, actor.account_id)),
  implement(listInboxUsers, ({ tx, actor }) => assignments.listInboxUsers(tx, actor.account_id)),
  implement(listAssignments, async ({ tx, actor }, { params, query }) => {
    await inbox.getConversation(tx, actor, params.id);
    return assignments.listAssignments(tx, actor, params.id, query);
  }),
  implement(listEntries, async ({ tx, actor }, { params, query }) => {
    await inbox.getConversation(tx, actor, params.id);
    return entries.listEntries(tx, actor.account_id, params.id, query);
  }),
  implement(createNote, ({ kernel, tx, actor }, { params, body }) =>
    notes.createNote(kernel, tx, actor, params.id, body),
  ),
  implement(removeNote, ({ tx, actor }, { params }) => notes.removeNote(tx, actor, params.id, params.note_id)),
  implement(listReaders, async ({ tx, actor }, { params }) =>
    notes.listReaders(tx, actor.account_id, await inbox.getConversation(tx, actor, params.id)),
  ),
  implement(reaction.setReaction, ({ tx, actor }, { params, body }) => react(tx, actor, params.id, body)),
  // Runs outside a transaction: no database connection is in use while the page is fetched.
  implementOutside(link.getLinkPreview, (ctx, { params, query }) => getLinkPreview(ctx, params.id, query.message_id)),
  implement(searchTexts, ({ tx, actor }, { query }) => search.searchTexts(tx, actor, query)),
  implement(present.reportPresence, ({ tx, actor }, { params, body }) =>
    reportPresence(tx, actor, params.id, body.state),
  ),
  implement(present.logCollision, ({ tx, actor }, { params, body }) =>
    logCollision(tx, actor, params.id, body.message_id),
  ),
  implement(listDrafts, ({ tx, actor }) => drafts.listDrafts(tx, actor)),
  implement(getDraft, ({ tx, actor }, { params }) => drafts.getDraft(tx, actor, params.id)),
  implement(saveDraft, ({ tx, actor }, { params, body }) => drafts.saveDraft(tx, actor, params.id, body)),
  implement(listLabels, ({ tx, actor }) => readLabels(tx, actor.account_id)),
  implement(label.createLabel, ({ tx, actor }, { body }) => labels.createLabel(tx, actor, body)),
  implement(label.updateLabel, ({ tx, actor }, { params, body }) => labels.updateLabel(tx, actor, params.id, body)),
  implement(label.removeLabel, ({ tx, actor }, { params }) => labels.removeLabel(tx, actor, params.id)),
  implement(label.addConversationLabel, ({ tx, actor }, { params }) =>
    labels.labelConversation(tx, actor, params.id, params.label_id),
  ),
  implement(label.removeConversationLabel, ({ tx, actor }, { params }) =>
    labels.unlabelConversation(tx, actor, params.id, params.label_id),
  ),
  implement(listInboxViewCounts, ({ tx, actor }) => inbox.countViews(tx, actor)),
  implement(getInboxSettings, ({ tx, actor }) => settings.getInboxSettings(tx, actor.account_id)),
  implement(updateInboxSettings, ({ tx, actor }, { body }) => settings.updateInboxSettings(tx, actor.account_id, body)),
  implement(getDigestSettings, ({ tx, actor }) => getDigest(tx, actor)),
  implement(updateDigestSettings, ({ tx, actor }, { body }) => saveDigest(tx, actor, body)),
  implement(team.listTeams, ({ tx, actor }) => readTeams(tx, actor.account_id)),
  implement(team.createTeam, ({ tx, actor }, { body }) => teams.createTeam(tx, actor, body)),
  implement(team.updateTeam, ({ tx, actor }, { params, body }) => teams.updateTeam(tx, actor, params.id, body)),
  implement(team.removeTeam, ({ tx, actor }, { params }) => teams.removeTeam(tx, actor, params.id)),
  implement(team.listAgents, ({ tx, actor }) => teams.listAgents(tx, actor.account_id)),
  implement(team.updateAgent, ({ tx, actor }, { params, body }) => teams.updateAgent(tx, actor, params.id, body)),
  implement(rule.listRules, ({ tx, actor }) => readRules(tx, actor.account_id)),
  implement(rule.createRule, ({ tx, actor }, { body }) => rules.createRule(tx, actor, body)),
  implement(rule.updateRule, ({ tx, actor }, { params, body }) => rules.updateRule(tx, actor, params.id, body)),
  implement(rule.removeRule, ({ tx, actor }, { params }) => rules.removeRule(tx, actor, params.id)),
  implement(rule.testRule, ({ tx, actor }, { body }) => rules.testRule(tx, actor, body.conditions, tx.now)),
  implement(saved.listResponses, ({ tx, actor }, { query }) => responses.listResponses(tx, actor, query)),
  implement(saved.createResponse, ({ tx, actor }, { body }) => responses.createResponse(tx, actor, body)),
  implement(saved.listResponseFolders, ({ tx, actor }) => responses.listResponseFolders(tx, actor)),
  implement(saved.updateResponse, ({ tx, actor }, { params, body }) =>
    responses.updateResponse(tx, actor, params.id, body),
  ),
  implement(saved.getResponse, ({ tx, actor }, { params }) => responses.getResponse(tx, actor, params.id)),
  implement(saved.removeResponse, ({ tx, actor }, { params }) => responses.removeResponse(tx, actor, params.id)),
  implement(saved.fillResponse, ({ tx, actor }, { params, body }) =>
    responses.fillResponse(tx, actor, params.id, body.conversation_id),
  ),
];
