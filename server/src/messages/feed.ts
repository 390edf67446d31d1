/**
 * Keeps one line busy. A turn is ONE transaction that writes down the answers that came and takes as many messages as the line has room for; only
 * after its commit do those leave. So what a crash can leave open is what stands in `submitting`: never more than one window.
 */
import type { Outcome } from '../channels/channel.ts';
import { type Db, sql, type Tx } from '../kernel/db.ts';
import { armed, failpoint } from '../kernel/failpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type Answered, recordAnswers } from './answers.ts';
import { type Backlog, type Claimed, claim, type Share } from './claim.ts';
import type { HeldLine } from './line.ts';
import { applyStatuses } from './status.ts';

/** How long the first answer waits for others to share its transaction. */
const GATHER_MS = 5;
/** Without a wake-up, how long until the queue is looked at again. */
const POLL_MS = 250;
const RETRY_MS = 500;

export interface FeedParts {
  kernel: Kernel;
  worker_id: string;
  backlog: Backlog;
  /** Messages of this worker between claim and answer, over all lines: what stands in `submitting` and is not here never left. */
  known: Set<string>;
}

export class Feed {
  private readonly parts: FeedParts;
  private readonly held: HeldLine;
  private answers: Answered[] = [];
  private answered_at = 0;
  private outstanding = 0;
  private failed = false;
  private nudge: () => void = () => {};
  /** When the line is closed and everything about it is written down. */
  readonly ended: Promise<void>;

  constructor(parts: FeedParts, held: HeldLine) {
    this.parts = parts;
    this.held = held;
    held.watch(() => this.nudge());
    this.ended = this.run();
    held.whenFed(this.ended);
  }

  wake(): void {
    this.nudge();
  }

  private async run(): Promise<void> {
    const { kernel } = this.parts;
    while (this.held.open || this.outstanding > 0 || this.answers.length > 0) {
      const pause = this.pause();
      if (pause > 0) {
        await this.wait(pause);
        continue;
      }
      try {
        if (this.failed) await this.reconcile();
        await this.turn();
      } catch (error) {
        this.failed = true;
        kernel.log.error({ err: error, connection: this.held.connection.name }, 'delivery turn');
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
    const { backlog } = this.parts;
    if (this.answers.length > 0) {
      const enough = this.outstanding === 0 || this.answers.length * 2 >= this.held.line.window;
      const waited = performance.now() - this.answered_at;
      return enough || waited >= GATHER_MS ? 0 : Math.ceil(GATHER_MS - waited);
    }
    return this.room > 0 && backlog.promising ? 0 : POLL_MS;
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
    try {
      const shares = this.room > 0 ? await backlog.deal(this.room) : [];
      if (answers.length === 0 && shares.length === 0) return;
      await kernel.db.tx(async (tx) => {
        if (answers.length > 0) await recordAnswers(tx, this.held.connection_id, answers);
        if (answers.length > 0) failpoint('before_sent_commit');
        claimed = shares.length > 0 ? await this.take(tx, shares) : [];
      }, 'by index');
    } catch (error) {
      // They are written down in a later turn: doing it twice changes nothing.
      this.answers = [...answers, ...this.answers];
      for (const row of claimed) this.parts.known.delete(row.message_id);
      backlog.wake();
      throw error;
    }
    for (const { row } of answers) this.parts.known.delete(row.message_id);
    if (answers.length > 0) failpoint('after_sent_commit');
    if (claimed.length > 0) this.submit(claimed);
  }

  /** Known before the commit, so that no other line can take them for orphans. */
  private async take(tx: Tx, shares: readonly Share[]): Promise<Claimed[]> {
    const rows = await claim(tx, this.held.connection_id, this.parts.worker_id, shares);
    failpoint('after_claim');
    const refused = rows.filter((row) => row.verdict !== null);
    if (refused.length > 0) await applyStatuses(tx, refused.map(refusal));
    const good = rows.filter((row) => row.verdict === null);
    for (const row of good) this.parts.known.add(row.message_id);
    return good;
  }

  private submit(rows: readonly Claimed[]): void {
    failpoint('after_submitting_commit');
    this.held.count(rows.length);
    for (const row of rows) {
      this.outstanding++;
      const { sender_address, number, text, reference, valid_seconds, sent_parts } = row;
      void this.held.line
        .send({ from: sender_address, to: number, text, reference, valid_seconds, sent_parts })
        .then((outcome) => this.answer(row, outcome));
    }
    // The socket is written when this turn of the event loop ends.
    if (armed('after_socket_write')) setTimeout(() => failpoint('after_socket_write'), 2);
  }

  private answer(row: Claimed, outcome: Outcome): void {
    this.outstanding--;
    if (this.answers.length === 0) this.answered_at = performance.now();
    this.answers.push({ row, outcome });
    this.nudge();
  }

  /** A commit whose answer was lost may have happened: rows we know nothing of were never sent, so they go back. */
  private async reconcile(): Promise<void> {
    const { kernel, worker_id, known } = this.parts;
    await requeueUnknown(kernel.db, this.held.connection_id, worker_id, [...known]);
    this.failed = false;
  }
}

const refusal = ({ account_id, message_id, verdict }: Claimed) => {
  if (verdict === 'expired')
    return {
      account_id,
      message_id,
      status: 'expired',
      source: 'worker',
      failure: 'expired',
      text: 'Not sent in time',
    } as const;
  if (verdict === 'blocked')
    return { account_id, message_id, status: 'blocked', source: 'worker', text: 'The account is blocked' } as const;
  return {
    account_id,
    message_id,
    status: 'unsubscribed',
    source: 'worker',
    failure: 'opted_out',
    text: 'The recipient has opted out',
  } as const;
};

const requeueUnknown = (db: Db, connection_id: string, worker_id: string, known: readonly string[]) =>
  db.run(sql`
    update dispatch set stage = 'queued', worker_id = null
    where connection_id = ${connection_id} and stage = 'submitting' and worker_id = ${worker_id}
      and message_id <> all(${known}::uuid[])`);
