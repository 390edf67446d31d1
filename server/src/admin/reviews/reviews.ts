/**
 * The queue of messages that content rules have held. A decision is stored in the transaction that queues or fails the
 * message, so after a crash, the message is either still waiting or sent exactly once.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type {
  decideMessageReviews,
  listMessageReviews,
  MessageReview,
  ReviewDecision,
} from '@parley/contract/guard/message_reviews.ts';
import { messageReviewsChanged, messagesRejected } from '@parley/contract/guard/review_events.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, sql, type Tx } from '../../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../../kernel/db/list.ts';
import { failpoint } from '../../kernel/failpoint.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import { enqueue, type JobWork, job, work } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import { type Acting, record } from '../../kernel/security/audit.ts';
import { lockWaiting, type MessageKey, rejectMessages, releaseMessages } from '../../messages/messages.ts';
import * as queries from './review_queries.ts';

export async function listReviews(
  db: Queryable,
  query: Parsed<typeof listMessageReviews>['query'],
): Promise<Paged<MessageReview>> {
  const page = readPage(query);
  const filter = { state: 'waiting' as const, ...query.filter };
  filter.state ??= 'waiting';
  const [rows, total] = await runTogether(queries.listReviewRows(db, filter, page), queries.countReviews(db, filter));
  return paged(page, rows, total);
}

export async function getReview(db: Queryable, id: string): Promise<MessageReview> {
  const review = await queries.findReview(db, id);
  if (!review) throw new Problem('MESSAGE_REVIEW_NOT_FOUND');
  return review;
}

/** Decides the other waiting messages of a group. */
const groupJob = job<GroupDecision>('reviews.decide_group', { retry: 20, concurrency: 1 });
export const jobs: readonly JobWork[] = [work(groupJob, decideGroup)];

interface GroupDecision {
  readonly group: queries.ReviewGroup;
  readonly until: string;
  readonly decision: ReviewDecision;
  readonly reason: string;
  readonly acting: Acting['actor'];
}

type Body = Parsed<typeof decideMessageReviews>['body'];

/** Throws MESSAGE_REVIEW_NOT_FOUND for an unknown ID, and MESSAGE_REVIEW_DECIDED if none of the messages waits. */
export async function decideReviews(ctx: Ctx, { ids, decision, reason, like }: Body): Promise<{ decided: number }> {
  const { tx, actor } = ctx;
  const reviews = await queries.findReviews(tx, ids);
  if (reviews.length < new Set(ids).size) throw new Problem('MESSAGE_REVIEW_NOT_FOUND');
  const decided = await decide(tx, ctx, reviews, decision, reason);
  if (decided === 0) throw new Problem('MESSAGE_REVIEW_DECIDED');
  if (like) {
    const groups = new Map(
      reviews.map(({ account_id, rule_id, campaign_id }) => [
        `${account_id} ${rule_id} ${campaign_id}`,
        { account_id, rule_id, campaign_id },
      ]),
    );
    const acting = { account_id: actor.account_id, user_id: actor.user_id, real_user_id: actor.real_user_id ?? null };
    for (const group of groups.values())
      await enqueue(tx, groupJob, { group, until: tx.now.toISOString(), decision, reason, acting });
  }
  failpoint('before_review_commit');
  tx.afterCommit(() => failpoint('after_review_commit'));
  return { decided };
}

/** Returns the number of messages that still waited. */
async function decide(
  tx: Tx,
  acting: Acting,
  messages: readonly MessageKey[],
  decision: ReviewDecision,
  reason: string,
): Promise<number> {
  const waiting = await lockWaiting(tx, messages);
  if (waiting.length === 0) return 0;
  const state = decision === 'release' ? 'released' : 'rejected';
  await queries.storeDecision(tx, waiting, { state, reason, reviewer_id: acting.actor.user_id });
  if (decision === 'release') await releaseMessages(tx, waiting);
  else await rejectMessages(tx, waiting, reason);
  const [first] = waiting;
  record(tx, acting, {
    action: `message_review.${state}`,
    target: { type: 'message_review', id: first!.message_id, name: `${waiting.length} messages` },
    detail: { reason, messages: waiting.length, ids: waiting.slice(0, 20).map(({ message_id }) => message_id) },
  });
  if (decision === 'reject')
    for (const [account_id, rejected] of Map.groupBy(waiting, (message) => message.account_id))
      emit(tx, messagesRejected, account_id, {
        ...{ count: rejected.length, reason },
        message_ids: rejected.slice(0, 100).map(({ message_id }) => message_id),
      });
  for (const { id } of await tx.rows<{ id: string }>(sql`select id from accounts where kind = 'OPERATOR'`))
    emit(tx, messageReviewsChanged, id, { held: 0 });
  return waiting.length;
}

const BATCH = 500;

/** A repeated run continues with the messages that are still waiting. */
async function decideGroup({ db }: Kernel, data: GroupDecision, signal: AbortSignal): Promise<void> {
  const { group, until, decision, reason, acting } = data;
  for (let found = BATCH; found === BATCH && !signal.aborted; )
    found = await db.tx(async (tx) => {
      const messages = await queries.listWaitingInGroup(tx, group, new Date(until), BATCH);
      if (messages.length > 0) await decide(tx, { actor: acting }, messages, decision, reason);
      return messages.length;
    });
}
