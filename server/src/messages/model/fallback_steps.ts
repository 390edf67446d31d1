/**
 * Folds a sequence of changes into the fallback plan of a message. The function is pure, so that tests can try every
 * order of reports and timers. One step is in effect at a time, and each step starts at most once. The status follows
 * the same tables as that of any other message, and a failed step fails the message only when no other step can
 * follow. The money stays held until no step can follow, and the hold is closed once.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { CardType } from '@parley/contract/messages/cards.ts';
import type { Content, MessageType, Purpose } from '@parley/contract/messages/content.ts';
import type { TimelineEntry } from '@parley/contract/messages/details.ts';
import { RANK, type Status } from '@parley/contract/messages/statuses.ts';
import type { FallbackStepState, Trigger } from '@parley/contract/messages/triggers.ts';
import { Problem, type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import type { Change } from './change.ts';
import {
  ACCEPTED,
  canReplace,
  type Folded,
  isLate,
  MAX_TIMELINE_ENTRIES,
  type MessageState,
  timelineEntry,
  timelineTime,
} from './status_fold.ts';

export interface FallbackStep {
  readonly channel: ChannelName;
  readonly sender_id: string;
  from: string;
  /** The sender's address at the carrier. */
  sender_address: string;
  connection_id: string | null;
  readonly text: string;
  readonly type: MessageType | CardType;
  content: Content | null;
  readonly template_id: string | null;
  readonly segments_count: number;
  readonly encoding: string;
  readonly mccmnc: string | null;
  /**
   * The purpose that the caller requested. If it is null, the purpose is derived from the conversation when the step
   * starts.
   */
  readonly asked: 'promotional' | 'transactional' | null;
  /** The possible prices by purpose, with the key `any` if the purpose makes no difference. */
  readonly prices: Readonly<Partial<Record<Purpose | 'any', number>>>;
  price_micros: number;
  readonly trigger: Trigger | null;
  readonly wait_seconds: number | null;
  state: FallbackStepState;
  reason: string | null;
  /** The status of this step alone. Null before the step starts. */
  status: Status | null;
  /** The time when the step entered the queue, in milliseconds. Null before the step starts. */
  queued: number | null;
  /** The time when the carrier accepted the step, in milliseconds. Null before that. */
  handed: number | null;
  /** True if this step has to be charged. */
  paid: boolean;
  /** True if the step was given up because its outcome was unknown. */
  unknown?: boolean;
}

export interface FallbackPlan {
  readonly steps: readonly FallbackStep[];
  readonly current: number;
}

/** The result of checking whether and how a waiting step can be sent now. */
export type StepCheck =
  | { readonly refusal: string }
  | {
      readonly refusal: null;
      readonly purpose: Purpose | null;
      readonly price_micros: number;
      readonly connection_id: string | null;
      readonly from: string;
      readonly sender_address: string;
    };

interface FoldContext {
  readonly now: Date;
  /** The time when the message expires, in milliseconds. */
  readonly expires: number;
  /** The check results for the waiting steps, by step index. */
  readonly checks: ReadonlyMap<number, StepCheck>;
  /** True if the step in effect is still queued and can be withdrawn. */
  readonly can_recall: boolean;
}

export interface FoldedPlan {
  readonly folded: Folded;
  readonly plan: FallbackPlan;
  /** True if another step has taken effect. */
  readonly moved: boolean;
  /** The part of the hold to settle, or null. */
  readonly paid_micros: number | null;
}

/** The number of timeline entries reserved for step changes, in addition to MAX_TIMELINE_ENTRIES. */
const MAX_STEP_ENTRIES = 10;
const DELIVERED: readonly Status[] = ['delivered', 'read'];

export function foldPlan(
  plan: FallbackPlan,
  message: MessageState,
  changes: readonly Change[],
  context: FoldContext,
): FoldedPlan {
  const steps = plan.steps.map((step) => ({ ...step }));
  const state: FoldState = {
    steps,
    current: plan.current,
    folded: { ...message, changed: false, entries: [] },
    context,
    can_recall: context.can_recall,
    paid_micros: null,
  };
  for (const change of changes) {
    if (change.due) passOnDueStep(state);
    else if (change.refusal) skipRefusedStep(state, change.refusal);
    else if (change.status === 'canceled') cancelPlan(state, change);
    else applyChange(state, change);
    closeCharge(state);
  }
  const moved = state.current !== plan.current;
  const isClosed = state.folded.charge !== message.charge;
  return {
    folded: { ...state.folded, changed: state.folded.changed || moved || isClosed },
    plan: { steps, current: state.current },
    moved,
    paid_micros: state.paid_micros,
  };
}

interface FoldState {
  readonly steps: FallbackStep[];
  current: number;
  folded: Folded;
  readonly context: FoldContext;
  can_recall: boolean;
  paid_micros: number | null;
}

function applyChange(state: FoldState, change: Change): void {
  const index = findStep(state, change);
  const step = state.steps[index]!;
  const was = step.status ?? 'enroute';
  const rises = canReplace({ status: was, failure: step.unknown ? 'unknown' : null }, change);
  addChange(state, change, index, !rises && isLate(was, change.status));
  if (change.possible_duplicate) state.folded = { ...state.folded, possible_duplicate: true };
  const { charged_at, carried_by } = channelRules(step.channel);
  if (change.connection_id && carried_by === 'routes') step.connection_id = change.connection_id;
  const isAccepted = charged_at === 'sent' && (ACCEPTED.includes(change.status) || change.accepted === true);
  // A settled charge is final. A released charge is settled again only if evidence proves that the step did not fail.
  const { charge } = state.folded;
  const isOpenCharge = charge === 'held' || (charge === 'released' && (rises || step.unknown === true));
  if (isOpenCharge && (isAccepted || DELIVERED.includes(change.status))) step.paid = true;
  if (!rises) return;
  step.status = change.status;
  step.unknown = change.failure === 'unknown';
  if (ACCEPTED.includes(change.status) || change.accepted || change.failure === 'unknown')
    step.handed ??= state.context.now.getTime();
  if (index === state.current && change.connection_id)
    state.folded = { ...state.folded, connection_id: change.connection_id };
  if (RANK[change.status] !== RANK.failed) {
    raise(state, change);
    if (DELIVERED.includes(change.status)) stopAfterDelivery(state, index, change.status);
    return;
  }
  if (index !== state.current) return;
  if (change.status === 'blocked') dropWaiting(state, 'The account is blocked');
  else if (change.ends) dropWaiting(state, change.ends);
  else if (passOn(state, change.text ?? 'Sending failed')) return;
  raise(state, change);
}

/**
 * Finds the step that a change is about. A carrier's change belongs to the step on that carrier's connection, even if
 * another step is in effect, because no two steps share a channel. Our own changes belong to the step in effect.
 */
function findStep({ steps, current }: FoldState, { connection_id }: Change): number {
  if (!connection_id) return current;
  const hasStarted = (step: FallbackStep) => step.status !== null;
  const byConnection = steps.findIndex((step) => hasStarted(step) && step.connection_id === connection_id);
  if (byConnection >= 0) return byConnection;
  // A reroute may have changed the connection in the meantime.
  const routed = steps.findIndex((step) => hasStarted(step) && channelRules(step.channel).carried_by === 'routes');
  return routed >= 0 ? routed : current;
}

function raise(state: FoldState, change: Change): void {
  const { folded } = state;
  if (!canReplace(folded, change)) return;
  const failed = RANK[change.status] === RANK.failed;
  state.folded = {
    ...folded,
    status: change.status,
    failure: failed ? (change.failure ?? null) : null,
    carrier_code: failed ? (change.code ?? null) : null,
    status_details: failed ? (change.text ?? null) : null,
    changed: true,
  };
}

/** After a delivery, drops the steps that are no longer needed and withdraws a later step that is still queued. */
function stopAfterDelivery(state: FoldState, index: number, status: Status): void {
  const { steps, current } = state;
  const next = steps.slice(index + 1).find((step) => step.state !== 'skipped');
  if (next?.trigger === 'unread' && status !== 'read') return;
  const { label } = channelRules(steps[index]!.channel);
  const reason = status === 'read' ? `Read on ${label}` : `Delivered on ${label}`;
  dropWaiting(state, reason);
  if (index >= current || steps[current]!.status !== 'enroute' || !state.can_recall) return;
  const recalled = steps[current]!;
  Object.assign(recalled, { state: 'not_needed', reason, status: null });
  addStepEntry(state, current, 'not_needed', `Withdrawn before it was sent: ${reason.toLowerCase()}`);
  Object.assign(steps[index]!, { state: 'in_effect', reason: null });
  state.current = index;
  state.folded = { ...state.folded, connection_id: steps[index]!.connection_id };
}

function passOnDueStep(state: FoldState): void {
  const { steps, current, context } = state;
  const due = dueTime({ steps, current }, context.expires);
  if (due === null || due > context.now.getTime()) return;
  const next = steps.find((step) => step.state === 'waiting')!;
  const within = `within ${next.wait_seconds} seconds`;
  if (isQueued({ steps, current })) {
    // A step that a worker has claimed cannot be withdrawn; the next run checks it again.
    if (state.can_recall) passOn(state, `Not accepted by the carrier ${within}`);
    return;
  }
  passOn(state, next.trigger === 'unread' ? `Not read ${within}` : `Not delivered ${within}`);
}

function skipRefusedStep(state: FoldState, refusal: ProblemName): void {
  const text = problemMessage(refusal);
  addStepEntry(state, state.current, 'skipped', text);
  if (!passOn(state, text, 'skipped')) throw new Problem(refusal);
}

function cancelPlan(state: FoldState, change: Change): void {
  addChange(state, change, state.current, false);
  dropWaiting(state, 'Canceled');
  Object.assign(state.steps[state.current]!, { state: 'not_needed', reason: 'Canceled', status: 'canceled' });
  raise(state, change);
}

/** Starts the next step that can be sent. Returns false if no step can be sent. */
function passOn(state: FoldState, reason: string, oldState: FallbackStepState = 'passed_on'): boolean {
  const { steps, context } = state;
  if (context.now.getTime() >= context.expires) {
    dropWaiting(state, 'The message expired');
    return false;
  }
  for (const [index, step] of steps.entries()) {
    if (step.state !== 'waiting') continue;
    const check = context.checks.get(index) ?? { refusal: 'It could not be sent' };
    if (check.refusal !== null) {
      Object.assign(step, { state: 'skipped', reason: check.refusal });
      addStepEntry(state, index, 'skipped', check.refusal);
      continue;
    }
    const { purpose, price_micros, connection_id, from, sender_address } = check;
    // A step that was never sent is recorded as if it had not started.
    const unsent = isQueued({ steps, current: state.current }) ? { status: null } : {};
    Object.assign(steps[state.current]!, { state: oldState, reason, ...unsent });
    Object.assign(step, { state: 'in_effect', status: 'enroute', price_micros, connection_id, from, sender_address });
    step.queued = context.now.getTime();
    if (step.content) step.content = { ...step.content, purpose };
    state.current = index;
    state.can_recall = true;
    state.folded = { ...state.folded, connection_id };
    addStepEntry(state, index, 'in_effect', reason);
    return true;
  }
  return false;
}

function dropWaiting({ steps }: FoldState, reason: string): void {
  for (const step of steps) if (step.state === 'waiting') Object.assign(step, { state: 'not_needed', reason });
}

/** True while another step can follow, or while the step in effect can still incur a charge. */
export function isOpen({ steps, current }: FallbackPlan): boolean {
  const step = steps[current]!;
  if (steps.some(({ state }) => state === 'waiting')) return true;
  if (step.state !== 'in_effect' || step.status === null) return false;
  return (
    RANK[step.status] < RANK.sent || (step.status === 'sent' && channelRules(step.channel).charged_at === 'delivered')
  );
}

function closeCharge(state: FoldState): void {
  const { folded, steps } = state;
  if (folded.charge !== 'held' && folded.charge !== 'released') return;
  const paid = steps.filter((step) => step.paid).map((step) => step.price_micros);
  if (folded.charge === 'held' ? isOpen(state) : paid.length === 0) return;
  state.paid_micros = paid.length > 0 ? Math.max(...paid) : null;
  state.folded = { ...folded, charge: paid.length > 0 ? 'settled' : 'released' };
}

/** True while the step in effect is queued or claimed. */
export const isQueued = ({ steps, current }: FallbackPlan): boolean => {
  const { state, status } = steps[current]!;
  return state === 'in_effect' && status !== null && RANK[status] < RANK.sent;
};

/**
 * Returns the time, in milliseconds, at which the message moves on to its next step if the step in effect gets no
 * response. The wait starts when the carrier accepts the step. While the step is queued, the wait counts from the time
 * when it was queued, so that an unreachable carrier cannot hold back a message that another carrier could deliver. A
 * step that waits for a failure is due when the message expires.
 */
export function dueTime({ steps, current }: FallbackPlan, expires: number): number | null {
  const next = steps.find(({ state }) => state === 'waiting');
  const { handed, queued, status } = steps[current]!;
  if (!next || status === null) return null;
  if (isQueued({ steps, current }))
    return next.wait_seconds === null || queued === null ? null : Math.min(expires, queued + next.wait_seconds * 1_000);
  if (handed === null) return null;
  return next.wait_seconds === null ? expires : Math.min(expires, handed + next.wait_seconds * 1_000);
}

function addChange(state: FoldState, change: Change, index: number, isLateEntry: boolean): void {
  const { folded, context, steps } = state;
  const rises = RANK[change.status] > RANK[folded.status];
  if (!rises && folded.timeline_length + folded.entries.length >= MAX_TIMELINE_ENTRIES) return;
  addEntry(state, {
    ...timelineEntry(change, context.now, isLateEntry),
    leg: index + 1,
    channel: steps[index]!.channel,
  });
}

function addStepEntry(state: FoldState, index: number, leg_state: FallbackStepState, text: string): void {
  const { folded, context, steps } = state;
  if (folded.timeline_length + folded.entries.length >= MAX_TIMELINE_ENTRIES + MAX_STEP_ENTRIES) return;
  const at = timelineTime(context.now);
  const { channel } = steps[index]!;
  addEntry(state, { at, status: 'enroute', source: 'worker', text, leg: index + 1, channel, leg_state });
}

const addEntry = (state: FoldState, entry: TimelineEntry): void => {
  state.folded = { ...state.folded, entries: [...state.folded.entries, entry] };
};
