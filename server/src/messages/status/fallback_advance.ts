/**
 * Applies changes to messages with fallbacks. They are processed one at a time, because they are few and each needs the
 * gate's checks for its next step.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import { NO_CONTENT } from '@parley/contract/messages/content.ts';
import { RANK } from '@parley/contract/messages/statuses.ts';
import { isProblemName, Problem, problemMessage } from '@parley/contract/problem.ts';
import { listStoppedNumbers } from '../../audiences/audiences.ts';
import { blocksCountry, loadGuard } from '../../guard/guard.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { resolveSender } from '../../senders/senders.ts';
import type { Change } from '../model/change.ts';
import { type FallbackRow, type FallbackWrite, lockQueued, writePlan } from '../model/fallback_rows.ts';
import { type FallbackStep, type FoldedPlan, foldPlan, type StepCheck } from '../model/fallback_steps.ts';
import type { MessageState } from '../model/status_fold.ts';
import { assignOrigins, type Origin } from '../routing/number_pool.ts';
import { resolvePurposes } from '../routing/purposes.ts';
import { leaveConversation, touchConversations } from '../thread/conversations.ts';

type CheckedStep = StepCheck & { readonly origin?: Origin | null };

/** `origin` is the pool member that sends the new step. */
type AdvancedPlan = FoldedPlan & { readonly origin: Origin | null };

/**
 * Stores the plan. The message's status, timeline, and charge are written together with those of all other messages.
 */
export async function advancePlan(
  tx: Tx,
  row: FallbackRow,
  message: MessageState,
  changes: readonly Change[],
): Promise<AdvancedPlan> {
  const canPass = changes.some(({ due, status }) => due || RANK[status] === RANK.failed);
  const canRecall = changes.some(({ due, status }) => due || status === 'delivered' || status === 'read');
  const checks = canPass ? await checkWaiting(tx, row) : new Map<number, CheckedStep>();
  const result = foldPlan(row, message, changes, {
    now: tx.now,
    expires: row.expires,
    checks: checks,
    can_recall: canRecall && (await lockQueued(tx, row)),
  });
  const write: FallbackWrite = { row, ...result };
  await writePlan(tx, write);
  if (result.moved) await moveConversation(tx, row, result);
  const origin = (result.moved && checks.get(result.plan.current)?.origin) || null;
  return { ...result, origin };
}

/** Moves the message from the old step's conversation to the new step's. */
async function moveConversation(tx: Tx, row: FallbackRow, { folded, plan }: FoldedPlan): Promise<void> {
  const { account_id, message_id: id, number, source, create_date } = row;
  const { channel, sender_id, text, content, status } = plan.steps[plan.current]!;
  const counted = status === 'enroute' ? content : null;
  await touchConversations(tx, [
    {
      ...{ account_id, id, channel, sender_id, number, direction: 'MT', text, status: folded.status },
      ...{ create_date, source, content: counted },
    },
  ]);
  await leaveConversation(tx, { account_id, sender_id: row.steps[row.current]!.sender_id, number }, id);
}

async function checkWaiting(tx: Tx, row: FallbackRow): Promise<Map<number, CheckedStep>> {
  const checks = new Map<number, CheckedStep>();
  for (const [index, step] of row.steps.entries())
    if (step.state === 'waiting') checks.set(index, await checkStep(tx, row, step));
  return checks;
}

async function checkStep(tx: Tx, row: FallbackRow, step: FallbackStep): Promise<CheckedStep> {
  try {
    return await checkSending(tx, row, step);
  } catch (error) {
    if (error instanceof Problem) return { refusal: error.message };
    throw error;
  }
}

/** Checks a step as the gate would now. Its price is one of the prices that the hold covers. */
async function checkSending(
  tx: Tx,
  { account_id, number, country }: FallbackRow,
  step: FallbackStep,
): Promise<CheckedStep> {
  const { channel, sender_id, text, content, asked: purpose } = step;
  const { closed } = await tx.one<{ closed: boolean }>(
    sql`select close_date is not null as closed from accounts where id = ${account_id}`,
  );
  if (closed) return { refusal: 'The account is closed' };
  const sender = await resolveSender(tx, account_id, channel, sender_id, { allowShared: true });
  if ((await listStoppedNumbers(tx, account_id, sender_id, [number])).has(number))
    return { refusal: problemMessage('RECIPIENT_BLOCKED') };
  if (blocksCountry(await loadGuard(tx, account_id), country)) return { refusal: problemMessage('COUNTRY_BLOCKED') };
  let { connection_id, from, sender_address } = step;
  if (channelRules(channel).carried_by === 'sender') {
    const connection = await tx.maybeOne<{ id: string; address: string }>(sql`
      select c.id, coalesce(s.carrier_address, s.code) as address
      from senders s join connections c on c.id = s.connection_id and c.enabled and c.channel = s.channel
      where s.account_id = ${account_id} and s.id = ${sender_id}`);
    if (!connection) return { refusal: problemMessage('ROUTE_NOT_FOUND') };
    connection_id = connection.id;
    sender_address = connection.address;
  }
  const message = { text, content: content ?? NO_CONTENT, template_id: step.template_id, purpose };
  const request = { account_id, sender_id, channel, numbers: [number], send_date: tx.now };
  const purposeOrProblem = (await resolvePurposes(tx, message, request))?.(number) ?? null;
  if (isProblemName(purposeOrProblem)) return { refusal: problemMessage(purposeOrProblem) };
  const price_micros = step.prices[purposeOrProblem ?? 'any'] ?? step.price_micros;
  // The person may have written to another pool member in the meantime, or the member chosen at the gate may have left.
  const member = (await assignOrigins(tx, sender, [{ number, country }]))?.[0];
  const origin = member ? { account_id, pool_id: sender.id, sender_id: member.sender_id } : null;
  if (channelRules(channel).carried_by === 'routes') from = sender_address = member?.code ?? sender.code;
  return { refusal: null, purpose: purposeOrProblem, price_micros, connection_id, from, sender_address, origin };
}
