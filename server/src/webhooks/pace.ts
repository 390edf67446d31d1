/**
 * How many deliveries of each webhook, each account, and each kind of webhook may be claimed and in progress. A webhook
 * whose server responds quickly gets more with each response. One that fails, responds slowly, or has not responded yet
 * gets few, and all webhooks of such a kind share only a part. So servers that never respond take no capacity from
 * those that do.
 */
import type { Target } from './claim.ts';

const LIMITS = {
  /** Requests to one webhook. A proven one gets one more with each response, up to `most`. */
  webhook: { unproven: 2, failing: 1, slow: 2, most: 20 },
  /** Requests to all webhooks of an account. */
  account: 60,
  /** Requests to all proven webhooks. */
  proven: 300,
  /** Claimed deliveries of all webhooks of a kind. */
  claimed: { unproven: 100, failing: 100, slow: 100, proven: 2_000 },
  claimed_of_account: 300,
} as const;
const SLOW_MS = 2_000;
/** How many deliveries of a proven webhook are claimed, for each request that it may have in progress. */
const CLAIMED_PER_REQUEST = 5;
/** The number of webhooks whose pace is kept. A webhook that was forgotten is unproven. */
const KEPT = 5_000;

export type Kind = keyof (typeof LIMITS)['claimed'];
type Webhook = Pick<Target, 'id' | 'account_id' | 'failures'>;

class Counts {
  private readonly counts = new Map<string, number>();
  get(name: string): number {
    return this.counts.get(name) ?? 0;
  }
  add(names: readonly string[], change: number): void {
    for (const name of names) {
      const count = this.get(name) + change;
      if (count === 0) this.counts.delete(name);
      else this.counts.set(name, count);
    }
  }
}

export class Pace {
  private readonly states = new Map<string, { kind: Kind; limit: number }>();
  private readonly running = new Counts();
  private readonly claimed = new Counts();
  /** The webhooks with claimed deliveries. */
  private readonly active = new Map<string, Webhook>();

  private state({ id, failures }: Webhook): { kind: Kind; limit: number } {
    const state = this.states.get(id);
    if (state && (failures === 0 || state.kind === 'failing')) return state;
    const kind = failures > 0 ? 'failing' : 'unproven';
    return { kind, limit: LIMITS.webhook[kind] };
  }

  kind(webhook: Webhook): Kind {
    return this.state(webhook).kind;
  }

  private capacity(webhook: Webhook): number {
    const { kind, limit } = this.state(webhook);
    return kind === 'proven' ? limit * CLAIMED_PER_REQUEST : limit;
  }

  /** Returns how many more deliveries of each webhook may be claimed in one claim, which leaves less to the next. */
  planRooms(): (webhook: Webhook) => number {
    const planned = new Counts();
    return (webhook) => {
      const kind = this.kind(webhook);
      const left = (name: string, limit: number) => limit - this.claimed.get(name) - planned.get(name);
      const room = Math.min(
        left(webhook.id, this.capacity(webhook)),
        left(webhook.account_id, LIMITS.claimed_of_account),
        left(kind, LIMITS.claimed[kind]),
      );
      if (room > 0) planned.add([webhook.account_id, kind], room);
      return room;
    };
  }

  /** False while a webhook has more than half of the deliveries that it may have, so that claims are few and large. */
  needsMore(webhook: Webhook): boolean {
    return this.claimed.get(webhook.id) * 2 <= this.capacity(webhook);
  }

  /** The webhooks and accounts that can have no more deliveries now. */
  full(): { full_webhooks: string[]; full_accounts: string[] } {
    const webhooks = [...this.active.values()];
    const accounts = new Set(webhooks.map(({ account_id }) => account_id));
    return {
      full_webhooks: webhooks.filter((webhook) => !this.needsMore(webhook)).map(({ id }) => id),
      full_accounts: [...accounts].filter((id) => this.claimed.get(id) >= LIMITS.claimed_of_account),
    };
  }

  isFull(kind: Kind): boolean {
    return this.claimed.get(kind) >= LIMITS.claimed[kind];
  }

  /** Counts a claimed delivery. `kind` is the kind of its webhook at that time. */
  addClaimed(webhook: Webhook, kind: Kind, change: 1 | -1): void {
    const { id, account_id } = webhook;
    this.claimed.add([id, account_id, kind], change);
    if (this.claimed.get(id) > 0) this.active.set(id, webhook);
    else this.active.delete(id);
  }

  canStart(webhook: Webhook): boolean {
    return this.running.get(webhook.id) < this.state(webhook).limit && !this.isShareFull(webhook);
  }

  /** True if a request of another webhook can start only after one that shares its limits has ended. */
  isShareFull({ account_id }: Webhook): boolean {
    return this.running.get(account_id) >= LIMITS.account || this.running.get('proven') >= LIMITS.proven;
  }

  /** Counts a request in progress. */
  addRunning({ id, account_id }: Webhook, kind: Kind, change: 1 | -1): void {
    this.running.add([id, account_id, kind], change);
  }

  /** Adapts the pace of a webhook to a response. */
  record({ id }: Webhook, ok: boolean, ms: number): void {
    const before = this.states.get(id);
    this.states.delete(id);
    if (!ok) this.states.set(id, { kind: 'failing', limit: LIMITS.webhook.failing });
    else if (ms >= SLOW_MS) this.states.set(id, { kind: 'slow', limit: LIMITS.webhook.slow });
    else
      this.states.set(id, {
        kind: 'proven',
        limit: Math.min((before?.limit ?? LIMITS.webhook.unproven) + 1, LIMITS.webhook.most),
      });
    if (this.states.size > KEPT) this.states.delete(this.states.keys().next().value!);
  }

  /** A webhook's failure has been stored with it, so claims read it there. */
  forgetFailure(id: string): void {
    if (this.states.get(id)?.kind === 'failing') this.states.delete(id);
  }

  /** The IDs of the webhooks that are known to be of these kinds. */
  ids(...kinds: readonly Kind[]): string[] {
    return [...this.states].filter(([, { kind }]) => kinds.includes(kind)).map(([id]) => id);
  }
}
