/**
 * Keeps one line busy. A turn is ONE transaction that writes down the answers that came and takes as many messages as the line has room for; only
 * after its commit do those leave. So what a crash can leave open is what stands in `submitting`: never more than one window.
 */
import { randomUUID } from 'node:crypto';
import type { Outcome } from '../channels/channel.ts';
import { type Db, sql, type Tx } from '../kernel/db/db.ts';
import { armed, failpoint } from '../kernel/failpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { metrics } from '../kernel/metrics.ts';
import { type Answered, recordAnswers } from './answers.ts';
import type { Change } from './change.ts';
import { type Backlog, type Claimed, claim, type Share, type Taker } from './claim.ts';
import { LEASE_MS } from './lease.ts';
import type { HeldLine } from './line.ts';
import { outgoingOf } from './outgoing.ts';
import { applyStatuses } from './status.ts';

const submitDuration = metrics.histogram(
  'submit_duration_seconds',
  'From handing a message to its line to the answer of the carrier, or to giving up on it',
  ['channel'],
);

/** How long the first answer waits for others to share its transaction. */
const GATHER_MS = 5;
/** While a paced line has little room, how soon it is looked at again. */
const PACE_MS = 20;
/** Without a wake-up, how long until the queue is looked at again. */
const POLL_MS = 250;
const RETRY_MS = 500;
/** Of a line that is being closed: then its answers are lost, and evidence must settle what they said. */
const TRIES_AT_THE_END = 3;

export interface FeedParts {
  kernel: Kernel;
  worker_id: string;
  backlog: Backlog;
}

export class Feed {
  /** Settles when the line is closed and everything about it is written down. */
  readonly ended: Promise<void>;
  private readonly parts: FeedParts;
  private readonly held: HeldLine;
  private readonly taker: Taker;
  /** Between the commit that took them and the one that wrote down their answer. */
  private readonly known = new Set<string>();
  private answers: Answered[] = [];
  private answered_at = 0;
  private outstanding = 0;
  private failures = 0;
  private nudge: () => void = () => {};

  constructor(parts: FeedParts, held: HeldLine) {
    this.parts = parts;
    this.held = held;
    this.taker = { connection_id: held.connection_id, worker_id: parts.worker_id, line_id: randomUUID() };
    held.watch(() => this.nudge());
    this.ended = this.run();
    held.whenFed(this.ended);
  }

  wake(): void {
    this.nudge();
  }

  private async run(): Promise<void> {
    const { log } = this.parts.kernel;
    while (this.held.open || this.outstanding > 0 || this.answers.length > 0) {
      const pause = this.pause();
      if (pause > 0) {
        await this.wait(pause);
        continue;
      }
      try {
        if (this.failures > 0) await requeueOrphans(this.parts.kernel.db, this.taker, [...this.known]);
        await this.turn();
        this.failures = 0;
      } catch (error) {
        log.error({ err: error, connection: this.held.connection.name }, 'delivery turn');
        if (++this.failures >= TRIES_AT_THE_END && !this.held.open) return;
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  private get room(): number {
    if (!this.held.open) return 0;
    return Math.min(this.held.line.free, this.held.line.window - this.outstanding);
  }

  /** Milliseconds until a turn is worth its transaction; 0 for now. */
  private pause(): number {
    const { line } = this.held;
    if (this.answers.length > 0) {
      const enough = this.outstanding === 0 || this.answers.length * 2 >= line.window;
      const waited = performance.now() - this.answered_at;
      return enough || waited >= GATHER_MS ? 0 : Math.ceil(GATHER_MS - waited);
    }
    if (!this.held.up || !this.parts.backlog.promising) return POLL_MS;
    // A line that sends so many a second has room for one again and again: several together cost one transaction.
    return this.room > 0 && (this.outstanding === 0 || this.room * 4 >= line.burst) ? 0 : PACE_MS;
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

  private async turn(): Promise<void> {
    const { kernel, backlog } = this.parts;
    const answers = this.answers;
    this.answers = [];
    let claimed: Claimed[] = [];
    let carried: Carried[] = [];
    const began = performance.now();
    try {
      const room = Math.min(this.room, Math.ceil(this.held.line.window / 2));
      const shares = room > 0 ? await backlog.deal(room) : [];
      if (answers.length === 0 && shares.length === 0) return;
      await kernel.db.tx(async (tx) => {
        if (answers.length > 0) await recordAnswers(tx, this.held.connection_id, answers);
        if (answers.length > 0) failpoint('before_sent_commit');
        // Not before: whoever holds back what is queued would wait for the rows taken here, and the answers for theirs.
        claimed = shares.length > 0 ? await this.take(tx, shares) : [];
        carried = claimed.some(({ content }) => content !== null) ? await outgoingOf(kernel, tx, claimed) : [];
      }, 'by index');
    } catch (error) {
      // They are written down in a later turn: doing it twice changes nothing.
      this.answers = [...answers, ...this.answers];
      backlog.wake();
      throw error;
    }
    for (const { row } of answers) this.known.delete(row.message_id);
    for (const row of claimed) this.known.add(row.message_id);
    if (answers.length > 0) failpoint('after_sent_commit');
    if (claimed.length === 0) return;
    // A worker that stood still for its whole lease may have lost these to another, which is settling them: they must not leave now.
    if (performance.now() - began < LEASE_MS) this.submit(claimed, carried);
    else for (const row of claimed) this.answered(row, TOO_LATE);
  }

  /** What must not be sent after all ends here. */
  private async take(tx: Tx, shares: readonly Share[]): Promise<Claimed[]> {
    const rows = await claim(tx, this.taker, shares);
    failpoint('after_claim');
    await applyStatuses(tx, rows.flatMap(refusalOf));
    return rows.filter((row) => row.verdict === null);
  }

  /** `carried`: of each, what it carries; empty when none carries anything. */
  private submit(rows: readonly Claimed[], carried: readonly Carried[]): void {
    failpoint('after_submitting_commit');
    this.held.count(rows.length);
    const durations = submitDuration.labels(this.held.connection.channel);
    const began = performance.now();
    rows.forEach((row, index) => {
      this.outstanding++;
      const { sender_address, number, text, reference, valid_seconds, sent_parts } = row;
      const { content, lost } = carried[index] ?? BARE;
      if (lost) {
        this.answer(row, LOST);
        return;
      }
      void this.held.line
        .send({ from: sender_address, to: number, text, content, reference, valid_seconds, sent_parts })
        .then((outcome) => {
          durations.observe((performance.now() - began) / 1_000);
          this.answer(row, outcome);
        });
    });
    // The socket is written when this turn of the event loop ends.
    if (armed('after_socket_write')) setTimeout(() => failpoint('after_socket_write'), 2);
  }

  private answer(row: Claimed, outcome: Outcome): void {
    this.outstanding--;
    this.answered(row, outcome);
  }

  private answered(row: Claimed, outcome: Outcome): void {
    if (this.answers.length === 0) this.answered_at = performance.now();
    this.answers.push({ row, outcome });
    this.nudge();
  }
}

type Carried = Awaited<ReturnType<typeof outgoingOf>>[number];
const BARE: Carried = { content: null, lost: false };
const LOST: Outcome = {
  parts: 1,
  accepted: [],
  failure: { kind: 'invalid', code: '', text: 'The file of the message is no longer there' },
  detail: {},
};

const TOO_LATE: Outcome = {
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
  expired: { status: 'expired', failure: 'expired', text: 'Not sent in time' },
  blocked: { status: 'blocked', text: 'The account is blocked' },
  unsubscribed: { status: 'unsubscribed', failure: 'opted_out', text: 'The recipient has opted out' },
};

const refusalOf = ({ account_id, message_id, verdict }: Claimed): Change[] =>
  verdict === null ? [] : [{ account_id, message_id, source: 'worker', ...REFUSALS[verdict] }];

/** A commit whose answer was lost may have happened all the same: what this line took and knows nothing of was never sent, so it goes back. */
const requeueOrphans = (db: Db, { connection_id, line_id }: Taker, known: readonly string[]) =>
  db.run(sql`
    update dispatch set stage = 'queued', worker_id = null, line_id = null
    where connection_id = ${connection_id} and stage = 'submitting' and line_id = ${line_id} and message_id <> all(${known}::uuid[])`);
