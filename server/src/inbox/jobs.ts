/**
 * The jobs of the inbox: unassigning the conversations of a removed user in batches, with an event for each; deleting
 * private responses, mentions, and drafts; waking snoozed conversations; closing idle ones; removing deleted labels;
 * recording missed targets; sending digests; and adding earlier episodes.
 */
import { conversationUpdated } from '@parley/contract/inbox/inbox.ts';
import type { Db } from '../kernel/db/db.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { applyRules as applyRulesJob } from '../messages/messages.ts';
import { unassignConversations } from '../team/team.ts';
import { recordAssignments } from './assignments.ts';
import { digestJob, sendDigests } from './digest/digest.ts';
import { deleteDigest } from './digest/digest_queries.ts';
import { deleteAllDrafts } from './draft_queries.ts';
import { addEarlierEpisodes, earlierEpisodesJob } from './episodes/earlier_episodes.ts';
import { removeEverywhere, unlabelJob } from './labels.ts';
import { deleteAllMentions } from './mention_queries.ts';
import { prunePresence } from './presence/presence.ts';
import * as queries from './queries.ts';
import { deletePrivateResponses } from './response_queries.ts';
import { applyRules, replyByRule, ruleReplyJob } from './rules/apply.ts';
import { removeUser } from './rules/team_queries.ts';
import { closeIdle, sweepSnoozed, wakeConversations, wakeJob } from './statuses.ts';
import { clocksJob, missedJob, missedSweepJob, recordMissed, setClocks, sweepMissed } from './targets/targets.ts';
import { deleteOptOuts } from './unsubscribing/unsubscribing.ts';

const PORTION = 200;

const sweepJob = job<object>('inbox.sweep_snoozed', { cron: '2-59/5 * * * *', retry: 0 });
const autoCloseJob = job<object>('inbox.auto_close', { cron: '11 * * * *', retry: 0, expire_seconds: 3_000 });

async function unassign(db: Db, account_id: string, user_id: string, signal: AbortSignal): Promise<void> {
  await db.tx(async (tx) => {
    await deletePrivateResponses(tx, account_id, user_id);
    await deleteAllMentions(tx, account_id, user_id);
    await deleteAllDrafts(tx, account_id, user_id);
    await removeUser(tx, account_id, user_id);
    await deleteDigest(tx, account_id, user_id);
    await deleteOptOuts(tx, account_id, user_id);
  });
  for (let hasMore = true; hasMore && !signal.aborted; ) {
    hasMore = await db.tx(async (tx) => {
      const ids = await queries.unassign(tx, account_id, user_id, PORTION);
      const rows = ids.length > 0 ? await queries.listConversationsById(tx, account_id, ids) : [];
      await recordAssignments(
        tx,
        account_id,
        ids.map((id) => ({ conversation_id: id, from_user_id: user_id, to_user_id: null, by_user_id: null })),
      );
      for (const row of rows) emit(tx, conversationUpdated, account_id, row);
      return ids.length === PORTION;
    });
  }
}

export const jobs: readonly JobWork[] = [
  work(unassignConversations, ({ db }, { account_id, user_id }, signal) => unassign(db, account_id, user_id, signal)),
  work(wakeJob, (kernel, { account_id }, signal) => wakeConversations(kernel, account_id, signal)),
  work(unlabelJob, removeEverywhere),
  work(applyRulesJob, applyRules),
  work(ruleReplyJob, replyByRule),
  work(sweepJob, async (kernel) => {
    await sweepSnoozed(kernel);
    await prunePresence(kernel.db);
  }),
  work(earlierEpisodesJob, (kernel, _, signal) => addEarlierEpisodes(kernel, signal)),
  work(missedSweepJob, (kernel) => sweepMissed(kernel)),
  work(missedJob, (kernel, { account_id }, signal) => recordMissed(kernel, account_id, signal)),
  work(clocksJob, (kernel, { account_id }, signal) => setClocks(kernel, account_id, signal)),
  work(digestJob, (kernel, _, signal) => sendDigests(kernel, signal)),
  work(autoCloseJob, (kernel, _, signal) => closeIdle(kernel, signal)),
];
