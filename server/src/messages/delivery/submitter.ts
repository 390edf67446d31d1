/**
 * Keeps one bind busy. Each cycle is a single transaction that records the responses and claims as many messages as the
 * bind can accept. The messages are sent only after the commit, so a crash leaves at most one window of messages in
 * `submitting`.
 */
import { hash, randomUUID } from 'node:crypto';
import type { TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import type { Outcome } from '../../channels/channel.ts';
import { type Db, sql, type Tx } from '../../kernel/db/db.ts';
import { failpoint, isArmed } from '../../kernel/failpoint.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { metrics } from '../../kernel/metrics.ts';
import type { Change } from '../model/change.ts';
import { countDailyUse, fitDailyLimit, readDailyLimit } from '../model/daily_limit.ts';
import { readContent, readText } from '../model/sealed_text.ts';
import type { CarrierRecorder } from '../payloads/recorder.ts';
import type { Backlog } from '../queue/backlog.ts';
import { awaitWindows, type Claimed, type Claimer, claim } from '../queue/claim.ts';
import type { Share, Usage } from '../queue/fair_queue.ts';
import type { Pace } from '../queue/pace.ts';
import { countOutcome } from '../routing/connection_health.ts';
import { applyStatuses } from '../status/status.ts';
import type { HeldBind } from './bind.ts';
import { type CycleMemory, requireCertainEpoch } from './epoch_watch.ts';
import { loadPayloads } from './outgoing.ts';
import { recordResponses, type SubmitResponse } from './responses.ts';
import { LEASE_MS } from './worker_lease.ts';

const submitDuration = metrics.histogram(
  'submit_duration_seconds',
  'Time from submitting a message to the carrier’s response or the timeout',
  ['channel'],
);

const throttledTotal = metrics.counter('submit_throttled_total', 'Messages that a carrier throttled', ['connection']);

/** The share of the window that each class reserves for more urgent classes. */
const RESERVE: Readonly<Record<TrafficClass, number>> = { code: 0, conversation: 0.02, single: 0.05, campaign: 0.1 };

/** The time that the first response waits for more responses to share its transaction. */
const BATCH_MS = 5;
/** The time until a paced bind with little free capacity is checked again. */
const PACE_MS = 20;
/** The time until the queue is checked again if no wake-up occurs. */
const POLL_MS = 250;
const RETRY_MS = 500;
/** The time until a connection whose daily limit is reached checks it again. */
const LIMITED_MS = 5_000;
/**
 * A closing bind stops retrying after this many failed cycles. Its unrecorded responses are then lost, and evidence
 * settles the submissions.
 */
const MAX_CLOSING_FAILURES = 3;

/** A claimed message with its real text and content, unless they cannot be opened. */
type OpenRow = Claimed & { readonly opened: boolean };

interface SubmitterParts {
  kernel: Kernel;
  worker_id: string;
  backlog: Backlog;
  /** Shared by the worker's binds to the connection, like the backlog. */
  pace: Pace;
  memory: CycleMemory;
  recorder: CarrierRecorder;
}

export class Submitter {
  /** Settles when the bind is closed and every response is recorded. */
  readonly ended: Promise<void>;
  private readonly parts: SubmitterParts;
  private readonly held: HeldBind;
  private readonly claimer: Claimer;
  /** Messages whose claim is committed and whose response is not recorded yet. */
  private readonly in_progress = new Set<string>();
  private responses: SubmitResponse[] = [];
  private first_response_at = 0;
  private outstanding = 0;
  private failures = 0;
  /** While sending is held, the queue is checked at the usual interval although messages are due. */
  private held_until = 0;
  private nudge: () => void = () => {};

  constructor(parts: SubmitterParts, held: HeldBind) {
    this.parts = parts;
    this.held = held;
    this.claimer = { connection_id: held.connection_id, worker_id: parts.worker_id, bind_id: randomUUID() };
    held.joinPace(parts.pace);
    held.watch(() => this.nudge());
    this.ended = this.run().finally(() => parts.memory.end(this.claimer.bind_id));
    held.whenDrained(this.ended);
  }

  wake(): void {
    this.nudge();
  }

  private async run(): Promise<void> {
    const { log } = this.parts.kernel;
    while (this.held.open || this.outstanding > 0 || this.responses.length > 0) {
      const pause = this.pauseMs();
      if (pause > 0) {
        await this.wait(pause);
        continue;
      }
      try {
        if (this.failures > 0) {
          // Missing rows prove nothing if the database was replaced, because the messages may have been sent.
          await requireCertainEpoch(this.parts.kernel.db);
          await requeueOrphans(this.parts.kernel.db, this.claimer, [...this.in_progress]);
        }
        await this.runCycle();
        this.failures = 0;
      } catch (error) {
        log.error({ err: error, connection: this.held.connection.name }, 'delivery cycle failed');
        if (++this.failures >= MAX_CLOSING_FAILURES && !this.held.open) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  /** Returns the number of messages that may be claimed if none is below this class. */
  private room(traffic_class: TrafficClass): number {
    const { bind, open } = this.held;
    if (!open) return 0;
    const limit = Math.max(1, Math.floor(bind.window * (1 - RESERVE[traffic_class])));
    const free = Math.min(bind.free, limit - this.outstanding);
    return free > 0 ? Math.min(free, this.parts.pace.available(traffic_class)) : 0;
  }

  /** Returns the milliseconds to wait until the next cycle is worth a transaction; 0 means now. */
  private pauseMs(): number {
    const { bind } = this.held;
    const { backlog } = this.parts;
    if (this.responses.length > 0) {
      const enough = this.outstanding === 0 || this.responses.length * 2 >= bind.window;
      const waited = performance.now() - this.first_response_at;
      return enough || waited >= BATCH_MS ? 0 : Math.ceil(BATCH_MS - waited);
    }
    if (performance.now() < this.held_until) return POLL_MS;
    if (!this.held.up) return POLL_MS;
    const next = backlog.isStale ? 'campaign' : backlog.next;
    if (next === null) return POLL_MS;
    const room = this.room(next);
    // A paced bind frees capacity for one message at a time, so it waits until several messages can share one
    // transaction. Urgent messages are claimed immediately.
    const isWorthIt = this.outstanding === 0 || room * 4 >= bind.burst || next === 'code' || next === 'conversation';
    return (room > 0 && isWorthIt) || this.mayFindUrgent ? 0 : PACE_MS;
  }

  /** True if there is capacity for the most urgent waiting class. */
  private get mayClaim(): boolean {
    const { isStale, next } = this.parts.backlog;
    return this.room(isStale ? 'campaign' : (next ?? 'campaign')) > 0 || this.mayFindUrgent;
  }

  /** True if a message with reserved capacity may have been queued. */
  private get mayFindUrgent(): boolean {
    return this.parts.backlog.isUrgent && this.room('code') > 0;
  }

  private wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.nudge = () => {
        clearTimeout(timer);
        this.nudge = () => {};
        resolve();
      };
    });
  }

  private async runCycle(): Promise<void> {
    const { kernel, backlog, pace } = this.parts;
    const responses = this.responses;
    this.responses = [];
    let claimed: OpenRow[] = [];
    let payloads: Payload[] = [];
    let shares: Share[] = [];
    let cycle: Cycle | null = null as Cycle | null;
    const startedAt = performance.now();
    try {
      const most = Math.ceil(this.held.bind.window / 2);
      if (this.mayClaim) shares = await backlog.deal((name) => Math.min(most, this.room(name)));
      pace.take(countMessages(shares));
      if (responses.length === 0 && shares.length === 0) return;
      await kernel.db.tx(async (tx) => {
        if (responses.length > 0) await recordResponses(tx, this.held.connection_id, responses);
        if (responses.length > 0) failpoint('before_sent_commit');
        // Claims come last to avoid a deadlock: an operation that pauses queued messages waits for the rows claimed
        // here, and recording responses after that would wait for the rows of that operation.
        cycle = await this.parts.memory.stamp(tx, {
          ...{ connection_id: this.held.connection_id, slot: this.held.slot },
          ...{ worker_id: this.parts.worker_id, submitter_id: this.claimer.bind_id },
        });
        const { fitting, count } = await this.fitLimit(tx, responses, shares);
        claimed = fitting.length > 0 && cycle.may_send ? await this.claimRows(tx, fitting) : [];
        await count(claimed.length);
        payloads = claimed.some(({ content }) => content !== null) ? await loadPayloads(kernel, tx, claimed) : [];
      }, 'by index');
    } catch (error) {
      // A later cycle records these responses again; recording them twice changes nothing.
      this.responses = [...responses, ...this.responses];
      backlog.settle(shares, []);
      pace.take(-countMessages(shares));
      backlog.wake();
      throw error;
    }
    const usages = claimed.map(toUsage);
    backlog.settle(shares, usages);
    pace.take(usages.reduce((sum, { segments_count }) => sum + segments_count, 0) - countMessages(shares));
    if (responses.some(isThrottled)) backlog.wake(true);
    cycle?.committed();
    if (cycle?.may_send === false) this.held_until = performance.now() + POLL_MS;
    for (const { row } of responses) this.in_progress.delete(row.message_id);
    for (const row of claimed) this.in_progress.add(row.message_id);
    if (responses.length > 0) failpoint('after_sent_commit');
    if (claimed.length === 0) return;
    // If this worker stalled for its whole lease, another worker may have taken over these messages to settle them, so
    // they must not be sent.
    if (performance.now() - startedAt < LEASE_MS) {
      this.submit(claimed, payloads);
      return;
    }
    const { connection_id } = this.held;
    kernel.log.warn({ connection_id, claimed: claimed.length }, 'worker lease expired before submit');
    for (const row of claimed) this.addResponse(row, LEASE_EXPIRED);
  }

  /** Applies the daily limit of the connection, if it has one. Messages that were not sent do not count. */
  private async fitLimit(tx: Tx, responses: readonly SubmitResponse[], shares: readonly Share[]) {
    const { connection_id, connection } = this.held;
    const limit = readDailyLimit(connection.settings);
    if (limit === null) return { fitting: shares, count: async () => {} };
    const fitting = await fitDailyLimit(tx, connection_id, limit, shares);
    if (fitting.length === 0 && shares.length > 0) this.held_until = performance.now() + LIMITED_MS;
    const unsent = responses.filter(({ outcome: { failure } }) => failure && failure.kind !== 'unknown').length;
    return { fitting, count: (claimed: number) => countDailyUse(tx, connection_id, claimed - unsent) };
  }

  /** Ends the messages that must not be sent. Messages outside their windows wait for the next one. */
  private async claimRows(tx: Tx, shares: readonly Share[]): Promise<OpenRow[]> {
    const rows = await claim(tx, this.claimer, shares);
    failpoint('after_claim');
    const late = rows.filter(({ verdict }) => verdict === 'outside_windows');
    const refused = rows.filter(({ verdict }) => verdict !== 'outside_windows');
    await applyStatuses(tx, [...refused, ...(await awaitWindows(tx, late))].flatMap(toRefusals));
    return rows.filter((row) => row.verdict === null).map((row) => this.open(row));
  }

  /** `payloads` contains the payload of each row; it is empty if no row has one. */
  private submit(rows: readonly OpenRow[], payloads: readonly Payload[]): void {
    failpoint('after_submitting_commit');
    this.held.countSent(rows.length);
    const durations = submitDuration.labels(this.held.connection.channel);
    const startedAt = performance.now();
    rows.forEach((row, index) => {
      this.outstanding++;
      const { sender_address, number, reference, valid_seconds, sent_parts } = row;
      const { content, lost } = payloads[index] ?? NO_PAYLOAD;
      const { text, opened } = row;
      if (lost || !opened) {
        this.finish(row, lost ? FILE_GONE : TEXT_GONE);
        return;
      }
      void this.held.bind
        .send({
          from: sender_address,
          to: number,
          text,
          content,
          reference,
          key: toKey(row),
          valid_seconds,
          sent_parts,
          ...this.parts.recorder.watch(this.held.connection_id, row, content),
        })
        .then((outcome) => {
          durations.observe((performance.now() - startedAt) / 1_000);
          this.adaptPace({ row, outcome }, startedAt);
          countOutcome(this.parts.kernel.db, this.held.connection_id, outcome, performance.now() - startedAt);
          this.finish(row, outcome);
        });
    });
    // The data is written to the socket at the end of this turn of the event loop.
    if (isArmed('after_socket_write')) setTimeout(() => failpoint('after_socket_write'), 2);
  }

  /** Fails if the text was sealed with a key that this installation no longer has. */
  private open(row: Claimed): OpenRow {
    const { kernel } = this.parts;
    try {
      return { ...row, text: readText(kernel.seals, row), content: readContent(kernel.seals, row), opened: true };
    } catch (error) {
      kernel.log.error({ err: error, message_id: row.message_id }, 'a sealed text cannot be opened');
      return { ...row, opened: false };
    }
  }

  private finish(row: Claimed, outcome: Outcome): void {
    this.outstanding--;
    this.addResponse(row, outcome);
  }

  /** Adapts the pace of the connection to the carrier's response. */
  private adaptPace(response: SubmitResponse, submittedAt: number): void {
    const { row, outcome } = response;
    const { backlog, pace } = this.parts;
    if (outcome.accepted.length > 0) pace.countAccepted(outcome.accepted.length);
    if (!isThrottled(response)) return;
    this.held.countThrottled();
    throttledTotal.inc({ connection: this.held.connection.name });
    backlog.refund(toUsage(row));
    pace.slowDown(submittedAt);
  }

  private addResponse(row: Claimed, outcome: Outcome): void {
    if (this.responses.length === 0) this.first_response_at = performance.now();
    this.responses.push({ row, outcome });
    this.nudge();
  }
}

/** A retry by a user has a new hold, so it is another message for the carrier. */
const toKey = ({ message_id, hold_id }: Claimed): string =>
  hash('sha256', `${message_id} ${hold_id ?? ''}`).slice(0, 32);

const countMessages = (shares: readonly Share[]): number => shares.reduce((sum, { share }) => sum + share, 0);

/** Skips parts that the carrier already has. */
const toUsage = ({ account_id, priority, segments_count, sent_parts }: Claimed): Usage => ({
  account_id,
  priority,
  segments_count: Math.max(1, segments_count - sent_parts.length),
});

/** True if the carrier limits the connection, not only this sender or recipient. */
const isThrottled = ({ outcome: { failure } }: SubmitResponse): boolean =>
  failure?.kind === 'throttled' && !failure.narrow;

type Cycle = Awaited<ReturnType<CycleMemory['stamp']>>;
type Payload = Awaited<ReturnType<typeof loadPayloads>>[number];
const NO_PAYLOAD: Payload = { content: null, lost: false };
const FILE_GONE: Outcome = {
  parts: 1,
  accepted: [],
  failure: { kind: 'invalid', code: '', text: 'The file of this message was deleted' },
  detail: {},
};
const TEXT_GONE: Outcome = {
  parts: 1,
  accepted: [],
  failure: { kind: 'invalid', code: '', text: 'The text of this message can no longer be read' },
  detail: {},
};

const LEASE_EXPIRED: Outcome = {
  parts: 1,
  accepted: [],
  failure: {
    kind: 'connection',
    code: '',
    text: 'Sending was delayed',
    internal: 'The worker lease expired before submit',
  },
  detail: {},
};

const REFUSALS: Record<NonNullable<Claimed['verdict']>, Pick<Change, 'status' | 'failure' | 'text'>> = {
  expired: { status: 'expired', failure: 'expired', text: 'The message expired before it could be sent' },
  blocked: { status: 'blocked', text: 'The account is blocked' },
  unsubscribed: { status: 'unsubscribed', failure: 'opted_out', text: 'The recipient has opted out' },
  outside_windows: {
    status: 'expired',
    failure: 'expired',
    text: 'The message could not be sent within its delivery windows',
  },
};

const toRefusals = ({ account_id, message_id, verdict }: Claimed): Change[] =>
  verdict === null ? [] : [{ account_id, message_id, source: 'worker', ...REFUSALS[verdict] }];

/**
 * A commit may have succeeded although its response was lost. The messages claimed by that commit were never sent, so
 * they return to the queue.
 */
const requeueOrphans = (db: Db, { connection_id, bind_id }: Claimer, knownIds: readonly string[]) =>
  db.run(sql`
    update dispatch set stage = 'queued', worker_id = null, bind_id = null
    where connection_id = ${connection_id} and stage = 'submitting' and bind_id = ${bind_id}
      and message_id <> all(${knownIds}::uuid[])`);
