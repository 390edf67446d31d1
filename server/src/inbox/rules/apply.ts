/**
 * Applies the rules to a conversation that a contact has opened. All changes are one transaction, which holds the lock
 * of the conversation and marks its opening message as handled, so parallel and repeated runs change nothing.
 */

import type { ChannelName } from '@parley/contract/channels/names.ts';
import { parseTimestamp } from '@parley/contract/common.ts';
import { conversationUpdated } from '@parley/contract/inbox/inbox.ts';
import type { InboxRule } from '@parley/contract/inbox/rules.ts';
import { Problem, problemMessage } from '@parley/contract/problem.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { accept } from '../../messages/messages.ts';
import { setAssignee } from '../assignment_queries.ts';
import { ASSIGNABLE, recordAssignments } from '../assignments.ts';
import { addEntry } from '../entries.ts';
import { addLabel, keepLabel } from '../label_queries.ts';
import { findConversation as readConversation } from '../queries.ts';
import { setStatus } from '../status_queries.ts';
import { withLanguages } from './language.ts';
import { choose, hasCapacity, matches } from './matching.ts';
import * as queries from './rule_queries.ts';
import * as team from './team_queries.ts';

interface Work {
  account_id: string;
  conversation_id: string;
}

interface ReplyWork extends Work {
  /** The message to which the rule replies. */
  message_id: string;
  rule_name: string;
  text: string;
}

export const ruleReplyJob = job<ReplyWork>('inbox.rule_reply', { concurrency: 2 });

export async function applyRules({ db }: Kernel, { account_id, conversation_id }: Work): Promise<void> {
  await db.tx(async (tx) => {
    const opened = await queries.lockOpened(tx, account_id, conversation_id);
    if (!opened) return;
    await queries.markApplied(tx, account_id, conversation_id);
    const rules = (await queries.listRuleRows(tx, account_id)).filter(({ enabled }) => enabled);
    const office = await queries.readOffice(tx, account_id);
    const asked = rules.map(({ conditions }) => conditions);
    const [opening] = await withLanguages(asked, [{ ...opened, at: parseTimestamp(opened.at) }]);
    const rule = rules.find(({ conditions }) => matches(conditions, opening!, office));
    if (rule) await applyRule(tx, account_id, opened, rule);
  });
}

async function applyRule(tx: Tx, account_id: string, opened: queries.OpenedConversation, rule: InboxRule) {
  const { label_ids, reply, close } = rule.actions;
  const { assignee_id, unavailable } = await assignByRule(tx, account_id, opened, rule);
  let labels = 0;
  for (const id of label_ids)
    if (await keepLabel(tx, account_id, id)) labels += await addLabel(tx, account_id, opened.id, id);
  const closes = close && opened.status !== 'closed';
  if (closes) await setStatus(tx, account_id, opened.id, 'closed', null);
  await addEntry(
    tx,
    account_id,
    { id: opened.id, assignee_id },
    {
      kind: 'rule',
      user_id: null,
      detail: { rule: { name: rule.name, unavailable, labels, closed: closes, refusal: null } },
    },
  );
  if (reply !== null)
    await enqueue(tx, ruleReplyJob, {
      ...{ account_id, conversation_id: opened.id, message_id: opened.message_id },
      ...{ rule_name: rule.name, text: reply },
    });
  await announce(tx, account_id, opened.id);
}

/** Users keep the conversations that they have. */
async function assignByRule(
  tx: Tx,
  account_id: string,
  { id, assignee_id, channel }: queries.OpenedConversation,
  { name, actions: { assign } }: InboxRule,
): Promise<{ assignee_id: string | null; unavailable: string | null }> {
  if (!assign || assignee_id !== null) return { assignee_id, unavailable: null };
  // One assignment at a time in an account, so that turns and capacities are exact.
  await queries.lockRules(tx, account_id);
  const chosen =
    assign.team_id === null
      ? await chooseUser(tx, account_id, assign.user_id!, channel)
      : await chooseFrom(tx, account_id, assign.team_id, assign.method, channel);
  if (chosen.user_id === null) return { assignee_id: null, unavailable: chosen.among };
  await setAssignee(tx, account_id, id, chosen.user_id);
  await recordAssignments(tx, account_id, [
    { conversation_id: id, from_user_id: null, to_user_id: chosen.user_id, by_user_id: null, rule_name: name },
  ]);
  return { assignee_id: chosen.user_id, unavailable: null };
}

async function chooseFrom(
  tx: Tx,
  account_id: string,
  team_id: string,
  method: 'round_robin' | 'least_busy',
  channel: ChannelName,
): Promise<{ user_id: string | null; among: string }> {
  const among = (await team.listTeamRows(tx, account_id)).find((one) => one.id === team_id)?.name ?? 'a deleted team';
  const user_id = choose(await team.listCandidates(tx, account_id, team_id, ASSIGNABLE), method, channel);
  if (user_id !== null) await team.markChosen(tx, account_id, team_id, user_id);
  return { user_id, among };
}

async function chooseUser(tx: Tx, account_id: string, user_id: string, channel: ChannelName) {
  const [agent] = await team.listAgents(tx, account_id, ASSIGNABLE, user_id);
  const isFree = agent !== undefined && !agent.away && hasCapacity(agent, channel);
  return { user_id: isFree ? user_id : null, among: agent?.full_name ?? 'a deleted user' };
}

async function announce(tx: Tx, account_id: string, id: string): Promise<void> {
  const row = await readConversation(tx, account_id, id);
  if (row) emit(tx, conversationUpdated, account_id, row);
}

/** The reply and its mark are one transaction, so a repeated run sends nothing. */
export async function replyByRule(kernel: Kernel, work: ReplyWork): Promise<void> {
  const { account_id, conversation_id, message_id, text } = work;
  try {
    await kernel.db.tx(async (tx) => {
      const state = await queries.lockForReply(tx, account_id, conversation_id, message_id);
      if (!state || (await queries.markReplied(tx, account_id, conversation_id, message_id)) === 0) return;
      if (state.skips) return;
      const { channel, sender_id, number, waiting_since } = state;
      await accept(tx, kernel, {
        account_id,
        channel: channel as ChannelName,
        from: sender_id,
        recipients: [{ to: number, text }],
        source: 'reply',
        refusal: 'throw',
      });
      await queries.restoreWaiting(tx, account_id, conversation_id, waiting_since);
      await announce(tx, account_id, conversation_id);
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    await recordRefusal(kernel, work, problemMessage(error.name));
  }
}

const recordRefusal = (
  { db }: Kernel,
  { account_id, conversation_id, message_id, rule_name }: ReplyWork,
  why: string,
) =>
  db.tx(async (tx) => {
    const state = await queries.lockForReply(tx, account_id, conversation_id, message_id);
    if (!state || (await queries.markReplied(tx, account_id, conversation_id, message_id)) === 0) return;
    await addEntry(
      tx,
      account_id,
      { id: conversation_id, assignee_id: state.assignee_id },
      {
        kind: 'rule',
        user_id: null,
        detail: { rule: { name: rule_name, unavailable: null, labels: 0, closed: false, refusal: why } },
      },
    );
  });
