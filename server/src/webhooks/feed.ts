/**
 * The event feed: a program without a public URL fetches the events that a webhook would send. The program keeps the
 * cursor, so the feed stores nothing, and a program that was offline continues where it stopped. A waiting call runs no
 * statement until the position of the events moves, holds no connection, and takes no slot of the account.
 */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { AnyEventType, Viewer } from '@parley/contract/event.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { seesSpend } from '@parley/contract/spend.ts';
import { WEBHOOK_EVENTS } from '@parley/contract/webhooks/catalogue.ts';
import { type EventPage, feedExampleCreated, type listFeed } from '@parley/contract/webhooks/feed.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { readCredential } from '../kernel/http/authenticate.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import type { Live } from '../kernel/live/live.ts';
import type { Actor, Gate } from '../kernel/security/auth.ts';
import { compose, EVENT_TYPES, type StoredEvent, TEST_STATUS } from './bodies.ts';
import { readEchoes, testEcho } from './fanout.ts';
import { type FeedRow, listFeedRows, readFeedPosition } from './feed_queries.ts';

/** Calls of an account that may wait at the same time. */
const MAX_WAITING = 20;
/** The shortest time between two reads of a waiting call, because the events of other accounts move the position. */
const READ_EVERY_MS = 1_000;

const EXAMPLE = feedExampleCreated.id;
const TYPES = [...EVENT_TYPES, EXAMPLE];

export class Feed {
  private readonly waiting = new Map<string, number>();
  private readonly stops = new Set<() => void>();
  private readonly live: Live;
  private readonly gate: Gate;
  private isStopped = false;

  constructor(live: Live, gate: Gate) {
    this.live = live;
    this.gate = gate;
  }

  async list(ctx: Ctx, { after, wait_seconds = 0 }: Parsed<typeof listFeed>['query']): Promise<EventPage> {
    const seen = this.live.at;
    const page = await readPage(ctx.kernel.db, ctx.actor, after);
    if (page.events.length > 0 || page.has_more || wait_seconds === 0) return page;
    return this.wait(ctx, page, seen, Date.now() + wait_seconds * 1_000);
  }

  /** Waiting calls return immediately, and later calls do not wait. */
  stop(): void {
    this.isStopped = true;
    for (const stop of this.stops) stop();
  }

  /** `position` is that of `Live` before the page was read. */
  private async wait(ctx: Ctx, before: EventPage, position: string, until: number): Promise<EventPage> {
    const leave = this.enter(ctx.actor.account_id);
    let page = before;
    let seen = position;
    try {
      let readAt = Date.now();
      while (Date.now() < until && !this.isStopped && !ctx.reply.raw.destroyed) {
        if (this.live.at === seen) await this.waitForMove(ctx, until);
        await this.pause(Math.min(readAt + READ_EVERY_MS, until) - Date.now());
        readAt = Date.now();
        seen = this.live.at;
        page = await readPage(ctx.kernel.db, ctx.actor, page.cursor);
        if (page.events.length > 0) return await readPage(ctx.kernel.db, await this.readActor(ctx), before.cursor);
      }
      return page;
    } finally {
      leave();
    }
  }

  /** Resolves on new events of any account, at the given time, if the client disconnects, or if the server stops. */
  private waitForMove(ctx: Ctx, until: number): Promise<void> {
    return new Promise((resolve) => {
      const { raw } = ctx.reply;
      const end = () => {
        clearTimeout(timer);
        cancel();
        raw.off('close', end);
        this.stops.delete(end);
        resolve();
      };
      const timer = setTimeout(end, until - Date.now());
      const cancel = this.live.onMove(end);
      raw.once('close', end);
      this.stops.add(end);
      if (this.isStopped || raw.destroyed) end();
    });
  }

  private pause(ms: number): Promise<void> {
    if (ms <= 0 || this.isStopped) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.stops.delete(end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      this.stops.add(end);
    });
  }

  /** A key that was revoked while the call waited gets no events. */
  private async readActor({ kernel, reply, actor }: Ctx): Promise<Actor> {
    const credential = readCredential(kernel, reply.request);
    const current =
      credential?.kind === 'key'
        ? await this.gate.key(credential.text, reply.request.ip)
        : credential && (await this.gate.bearer(credential.text, { unattended: true }));
    if (!current || current.account_id !== actor.account_id) throw new Problem('TOKEN_INVALID');
    return current;
  }

  private enter(account_id: string): () => void {
    const count = this.waiting.get(account_id) ?? 0;
    if (count >= MAX_WAITING) throw new Problem('STREAMS_LIMIT_EXCEEDED', { retry_after: 30 });
    this.waiting.set(account_id, count + 1);
    return () => {
      const rest = this.waiting.get(account_id)! - 1;
      if (rest > 0) this.waiting.set(account_id, rest);
      else this.waiting.delete(account_id);
    };
  }
}

/** Reads with the actor's permissions. The cursor moves past events that the actor may not view. */
async function readPage(db: Queryable, actor: Actor, given: string | undefined): Promise<EventPage> {
  // Everything up to this position can be read, so the cursor of an account without events also moves.
  const { after, at, is_expired } = await readFeedPosition(db, given);
  if (is_expired) throw new Problem('WEBHOOK_EVENTS_EXPIRED');
  const types = actor.test ? [TEST_STATUS, EXAMPLE] : TYPES;
  const { rows, is_last } = await listFeedRows(db, actor.account_id, after, types);
  const stored = rows.filter(({ is_listed }) => is_listed).flatMap(spread);
  const echoes = await readEchoes(db, stored);
  const events = stored.flatMap((event) => {
    const body = show(actor, event, echoes.get(String(event.payload.id)) ?? testEcho(event));
    return body === null ? [] : [{ id: event.id, cursor: event.published_at, ...body }];
  });
  const last = rows.at(-1)?.published_at ?? after;
  return { events, cursor: is_last && at > last ? at : last, has_more: !is_last };
}

/** An event that is stored together with others gets an ID of its own. */
function spread({ many, is_listed: _, ...row }: FeedRow): (StoredEvent & { id: string })[] {
  if (row.type === EXAMPLE) return [readExample(row)];
  if (!many) return [row];
  const payloads = row.payload as unknown as StoredEvent['payload'][];
  return payloads.map((payload, index) => ({ ...row, payload, id: `${row.id}_${index}` }));
}

function readExample(row: StoredEvent & { id: string }): StoredEvent & { id: string } {
  const { event, payload } = row.payload as { event: string; payload: StoredEvent['payload'] };
  const type = WEBHOOK_EVENTS.find(({ name }) => name === event)?.type.id ?? row.type;
  return { ...row, type, payload };
}

type Body = Pick<EventPage['events'][number], 'type' | 'timestamp' | 'data'>;

function show(actor: Actor, event: StoredEvent, echo: string | null): Body | null {
  const viewer: Viewer = { user_id: actor.user_id, permissions: actor.pending ? {} : actor.permissions };
  const visible = WEBHOOK_EVENTS.filter(({ type }) => mayView(type, viewer, event.payload));
  const to = {
    ...{ account_id: actor.account_id, id: '', event: null, events: visible.map(({ name }) => name) },
    ...{ channels: [], sender_ids: [], sees_spend: seesSpend(actor.permissions) },
  };
  const composed = compose(to, { ...event, published_at: event.published_at.slice(0, 23) }, echo);
  return composed && (JSON.parse(composed.body) as Body);
}

/** Examples have no fields that restrict who may view them. */
const mayView = (type: AnyEventType, viewer: Viewer, payload: StoredEvent['payload']): boolean =>
  permits(viewer.permissions, type.needs) &&
  (payload.example === true || !type.visible || type.visible(payload, viewer));
