/**
 * What a sequence of changes makes of a message with several ways to go: pure, so that it can be tried on every order of reports and times. One way is
 * in effect; each was begun at most once. The status of the message only rises, whichever way raised it; a way that failed counts for
 * nothing while another can follow. Money stays held until nothing can follow any more, and is then closed once.
 */
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import type { Content, MessageType, Purpose } from '@parley/contract/messages/content.ts';
import type { LegState, Trigger } from '@parley/contract/messages/fallbacks.ts';
import { RANK, type Status, type TimelineEntry } from '@parley/contract/messages/messages.ts';
import { Problem, type ProblemName, problemMessage } from '@parley/contract/problem.ts';
import type { Change } from './change.ts';
import { entryOf, type Folded, isLate, type Standing, TAKEN, TIMELINE_MOST, timelineTime } from './fold.ts';

export interface Leg {
  readonly channel: ChannelName;
  readonly sender_id: string;
  from: string;
  /** As the carrier knows the sender. */
  sender_address: string;
  connection_id: string | null;
  readonly text: string;
  readonly type: MessageType;
  content: Content | null;
  readonly template_id: string | null;
  readonly segments_count: number;
  readonly encoding: string;
  readonly mccmnc: string | null;
  /** Asked for; otherwise it follows from the conversation when its turn comes. */
  readonly asked: 'promotional' | 'transactional' | null;
  /** What it may cost, by what it may be sent for; `any` where that makes no difference. */
  readonly prices: Readonly<Partial<Record<Purpose | 'any', number>>>;
  price_micros: number;
  readonly trigger: Trigger | null;
  readonly wait_seconds: number | null;
  state: LegState;
  reason: string | null;
  /** How far it came by itself; null before its turn. */
  status: Status | null;
  /** Since when it could have left, in milliseconds; null before its turn. */
  queued: number | null;
  /** When the carrier had it, in milliseconds. */
  handed: number | null;
  /** It has to be paid for. */
  paid: boolean;
}

export interface Order {
  readonly legs: readonly Leg[];
  readonly current: number;
}

/** Of a way whose turn has come: how it goes, or why it cannot. */
export type Prospect =
  | { readonly refusal: string }
  | {
      readonly refusal: null;
      readonly purpose: Purpose | null;
      readonly price_micros: number;
      readonly connection_id: string | null;
      readonly from: string;
      readonly sender_address: string;
    };

export interface Circumstances {
  readonly now: Date;
  /** When the message is no longer worth delivering, in milliseconds. */
  readonly expires: number;
  /** By place; only of ways that wait. */
  readonly prospects: ReadonlyMap<number, Prospect>;
  /** What is in effect stands in the queue and can be taken out of it. */
  readonly recallable: boolean;
}

export interface OrderFolded {
  readonly folded: Folded;
  readonly order: Order;
  /** Another way than before is in effect. */
  readonly moved: boolean;
  /** What was held is settled: so much of it has to be paid. */
  readonly paid_micros: number | null;
}

/** So many entries are kept free for what the ways themselves tell. */
const LEG_LINES = 10;
const ARRIVED: readonly Status[] = ['delivered', 'read'];

export function foldOrder(
  order: Order,
  standing: Standing,
  changes: readonly Change[],
  around: Circumstances,
): OrderFolded {
  const legs = order.legs.map((leg) => ({ ...leg }));
  const state: State = {
    legs,
    current: order.current,
    folded: { ...standing, changed: false, entries: [] },
    around,
    recallable: around.recallable,
    paid_micros: null,
  };
  for (const change of changes) {
    if (change.due) whenDue(state);
    else if (change.refusal) whenRefused(state, change.refusal);
    else if (change.status === 'canceled') whenCanceled(state, change);
    else step(state, change);
    close(state);
  }
  const moved = state.current !== order.current;
  const closed = state.folded.charge !== standing.charge;
  return {
    folded: { ...state.folded, changed: state.folded.changed || moved || closed },
    order: { legs, current: state.current },
    moved,
    paid_micros: state.paid_micros,
  };
}

interface State {
  readonly legs: Leg[];
  current: number;
  folded: Folded;
  readonly around: Circumstances;
  recallable: boolean;
  paid_micros: number | null;
}

function step(state: State, change: Change): void {
  const place = placeOf(state, change);
  const leg = state.legs[place]!;
  const was = leg.status ?? 'enroute';
  const rises = RANK[change.status] > RANK[was];
  tell(state, change, place, !rises && isLate(was, change.status));
  if (change.possible_duplicate) state.folded = { ...state.folded, possible_duplicate: true };
  const { charged_at, carried_by } = channelRules(leg.channel);
  if (change.connection_id && carried_by === 'routes') leg.connection_id = change.connection_id;
  const taken = charged_at === 'sent' && (TAKEN.includes(change.status) || change.accepted === true);
  // What is told after that stays free.
  if (state.folded.charge === 'held' && (taken || ARRIVED.includes(change.status))) leg.paid = true;
  if (!rises) return;
  leg.status = change.status;
  if (TAKEN.includes(change.status) || change.accepted || change.failure === 'unknown')
    leg.handed ??= state.around.now.getTime();
  if (place === state.current && change.connection_id)
    state.folded = { ...state.folded, connection_id: change.connection_id };
  if (RANK[change.status] !== RANK.failed) {
    raise(state, change);
    if (ARRIVED.includes(change.status)) whenArrived(state, place, change.status);
    return;
  }
  if (place !== state.current) return;
  if (change.status === 'blocked') callOff(state, 'The account is blocked');
  else if (passOn(state, change.text ?? 'It failed')) return;
  raise(state, change);
}

/**
 * A carrier knows one way only, since no two are on one channel: what it says is about that one, whatever is in effect by now. What our own side says
 * is about what is in effect.
 */
function placeOf({ legs, current }: State, { connection_id }: Change): number {
  if (!connection_id) return current;
  const begun = (leg: Leg) => leg.status !== null;
  const known = legs.findIndex((leg) => begun(leg) && leg.connection_id === connection_id);
  if (known >= 0) return known;
  // Routes may have led it elsewhere meanwhile.
  const routed = legs.findIndex((leg) => begun(leg) && channelRules(leg.channel).carried_by === 'routes');
  return routed >= 0 ? routed : current;
}

function raise(state: State, change: Change): void {
  const { folded } = state;
  if (RANK[change.status] <= RANK[folded.status]) return;
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

/** What came of it is what was wanted: the others need not go, nor what has begun after it and has not left. */
function whenArrived(state: State, place: number, status: Status): void {
  const { legs, current } = state;
  const after = legs.slice(place + 1).find((leg) => leg.state !== 'skipped');
  if (after?.trigger === 'unread' && status !== 'read') return;
  const { label } = channelRules(legs[place]!.channel);
  const reason = status === 'read' ? `Read on ${label}` : `Delivered on ${label}`;
  callOff(state, reason);
  if (place >= current || legs[current]!.status !== 'enroute' || !state.recallable) return;
  const recalled = legs[current]!;
  Object.assign(recalled, { state: 'not_needed', reason, status: null });
  line(state, current, 'not_needed', `Taken back before it left: ${reason.toLowerCase()}`);
  Object.assign(legs[place]!, { state: 'in_effect', reason: null });
  state.current = place;
  state.folded = { ...state.folded, connection_id: legs[place]!.connection_id };
}

function whenDue(state: State): void {
  const { legs, current, around } = state;
  const due = dueOf({ legs, current }, around.expires);
  if (due === null || due > around.now.getTime()) return;
  const next = legs.find((leg) => leg.state === 'waiting')!;
  const within = `within ${next.wait_seconds} seconds`;
  if (isQueued({ legs, current })) {
    // On the brink of leaving it cannot be taken back any more: then it is looked at again.
    if (state.recallable) passOn(state, `Not taken by the carrier ${within}`);
    return;
  }
  passOn(state, next.trigger === 'unread' ? `Not read ${within}` : `Not delivered ${within}`);
}

function whenRefused(state: State, refusal: ProblemName): void {
  const words = problemMessage(refusal);
  line(state, state.current, 'skipped', words);
  if (!passOn(state, words, 'skipped')) throw new Problem(refusal);
}

function whenCanceled(state: State, change: Change): void {
  tell(state, change, state.current, false);
  callOff(state, 'Called off');
  Object.assign(state.legs[state.current]!, { state: 'not_needed', reason: 'Called off', status: 'canceled' });
  raise(state, change);
}

/** To the next that can go; false when there is none. */
function passOn(state: State, reason: string, left_as: LegState = 'passed_on'): boolean {
  const { legs, around } = state;
  if (around.now.getTime() >= around.expires) {
    callOff(state, 'It was too late');
    return false;
  }
  for (const [place, leg] of legs.entries()) {
    if (leg.state !== 'waiting') continue;
    const prospect = around.prospects.get(place) ?? { refusal: 'It cannot be sent' };
    if (prospect.refusal !== null) {
      Object.assign(leg, { state: 'skipped', reason: prospect.refusal });
      line(state, place, 'skipped', prospect.refusal);
      continue;
    }
    const { purpose, price_micros, connection_id, from, sender_address } = prospect;
    // What never left is as if its turn had not come.
    const left = isQueued({ legs, current: state.current }) ? { status: null } : {};
    Object.assign(legs[state.current]!, { state: left_as, reason, ...left });
    Object.assign(leg, { state: 'in_effect', status: 'enroute', price_micros, connection_id, from, sender_address });
    leg.queued = around.now.getTime();
    if (leg.content) leg.content = { ...leg.content, purpose };
    state.current = place;
    state.recallable = true;
    state.folded = { ...state.folded, connection_id };
    line(state, place, 'in_effect', reason);
    return true;
  }
  return false;
}

function callOff({ legs }: State, reason: string): void {
  for (const leg of legs) if (leg.state === 'waiting') Object.assign(leg, { state: 'not_needed', reason });
}

/** Until then something may follow, or what is in effect may still cost something. */
export function isOpen({ legs, current }: Order): boolean {
  const leg = legs[current]!;
  if (legs.some(({ state }) => state === 'waiting')) return true;
  if (leg.state !== 'in_effect' || leg.status === null) return false;
  return (
    RANK[leg.status] < RANK.sent || (leg.status === 'sent' && channelRules(leg.channel).charged_at === 'delivered')
  );
}

function close(state: State): void {
  const { folded, legs } = state;
  if (folded.charge !== 'held' || isOpen(state)) return;
  const paid = legs.filter((leg) => leg.paid).map((leg) => leg.price_micros);
  state.paid_micros = paid.length > 0 ? Math.max(...paid) : null;
  state.folded = { ...folded, charge: paid.length > 0 ? 'settled' : 'released' };
}

/** In the queue, or on the brink of leaving it. */
export const isQueued = ({ legs, current }: Order): boolean => {
  const { state, status } = legs[current]!;
  return state === 'in_effect' && status !== null && RANK[status] < RANK.sent;
};

/**
 * When what is in effect is passed on unless something is heard of it; a failure is waited for as long as the message is worth it. The wait begins when
 * the carrier has it; while none takes it, when it could have left: a carrier that is away must not keep what another could deliver.
 */
export function dueOf({ legs, current }: Order, expires: number): number | null {
  const next = legs.find(({ state }) => state === 'waiting');
  const { handed, queued, status } = legs[current]!;
  if (!next || status === null) return null;
  if (isQueued({ legs, current }))
    return next.wait_seconds === null || queued === null ? null : Math.min(expires, queued + next.wait_seconds * 1_000);
  if (handed === null) return null;
  return next.wait_seconds === null ? expires : Math.min(expires, handed + next.wait_seconds * 1_000);
}

function tell(state: State, change: Change, place: number, late: boolean): void {
  const { folded, around, legs } = state;
  const rises = RANK[change.status] > RANK[folded.status];
  if (!rises && folded.told + folded.entries.length >= TIMELINE_MOST) return;
  add(state, { ...entryOf(change, around.now, late), leg: place + 1, channel: legs[place]!.channel });
}

function line(state: State, place: number, leg_state: LegState, text: string): void {
  const { folded, around, legs } = state;
  if (folded.told + folded.entries.length >= TIMELINE_MOST + LEG_LINES) return;
  const at = timelineTime(around.now);
  const { channel } = legs[place]!;
  add(state, { at, status: 'enroute', source: 'worker', text, leg: place + 1, channel, leg_state });
}

const add = (state: State, entry: TimelineEntry): void => {
  state.folded = { ...state.folded, entries: [...state.folded.entries, entry] };
};
