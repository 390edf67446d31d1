/**
 * Sends webhooks: signs the exact bytes and repeats each webhook with growing pauses until the response is HTTP 200.
 * Pending statuses are stored as steps of messages and pending events as facts, so nothing is lost in a restart.
 * Webhooks are lost, repeated, or delayed only if the settings require it.
 */
import { createHmac } from 'node:crypto';
import { Poster } from '../http/poster.ts';
import { chance } from '../world/carrier.ts';
import type { World } from '../world/world.ts';
import type { Account } from './account.ts';
import { type EventItem, envelope, type WebhookItem } from './envelope.ts';
import type { WhatsappSettings } from './settings.ts';

/** A webhook as it appears in the log on the page. */
export interface Delivery {
  at: string;
  fields: string[];
  items: number;
  attempts: number;
  /** The HTTP status of the last response; 0 if there was none. */
  status: number;
  body: string;
}

const maxInFlight = 16;
const maxPause = 60_000;
const giveUpAfter = 7 * 24 * 3_600_000;
const maxLogged = 100;
const maxHeld = 10;
const holdMs = 250;
const prefix = 'whatsapp:event:';

interface Post {
  items: WebhookItem[];
  first: number;
  attempts: number;
  entry: Delivery;
}

export class Webhooks {
  log: Delivery[] = [];
  private readonly world: World;
  private readonly account: Account;
  private settings: () => WhatsappSettings;
  private waiting: WebhookItem[] = [];
  private held: WebhookItem[] = [];
  private inFlight = 0;
  private pumping = false;
  private gathering = false;
  private lastEvent = 0;
  /** Counts resets, so that deliveries that began before a reset can be stopped. */
  private era = 0;
  private closed = false;
  private readonly poster = new Poster();

  constructor(world: World, account: Account, settings: () => WhatsappSettings) {
    this.world = world;
    this.account = account;
    this.settings = settings;
  }

  /** Queues the pending events after a restart. Pending statuses are restored from the steps of messages. */
  resume(): void {
    for (const event of this.world.facts.list<EventItem>(prefix)) {
      this.lastEvent = Math.max(this.lastEvent, Number(event.id));
      this.add(event);
    }
  }

  addEvent(field: string, value: Record<string, unknown>): void {
    const id = String(++this.lastEvent);
    const event: EventItem = { kind: 'event', id, field, value };
    this.world.facts.put(`${prefix}${id}`, event);
    this.add(event);
  }

  add(item: WebhookItem): void {
    const settings = this.settings();
    if (chance(settings.webhooks_lost_percent)) {
      this.acknowledge([item]);
      return;
    }
    const late = settings.webhooks_late_ms;
    const era = this.era;
    if (late === 0) this.enqueue(item);
    else {
      this.world.schedule.at(Date.now() + late, () => {
        if (era === this.era) this.enqueue(item);
      });
    }
  }

  /** Sends the waiting items, for example after the callback URL has changed. */
  pump(): void {
    if (this.pumping || this.closed) return;
    this.pumping = true;
    setImmediate(() => {
      this.pumping = false;
      this.send();
    });
  }

  reset(): void {
    this.era += 1;
    this.waiting = [];
    this.held = [];
    this.lastEvent = 0;
    this.log = [];
  }

  close(): void {
    this.closed = true;
    this.reset();
    this.poster.close();
  }

  private enqueue(item: WebhookItem): void {
    const { webhooks_out_of_order, webhook_gather_ms } = this.settings();
    if (webhooks_out_of_order) {
      this.hold(item);
      return;
    }
    this.waiting.push(item);
    if (webhook_gather_ms === 0) this.pump();
    else if (!this.gathering) {
      this.gathering = true;
      this.world.schedule.at(Date.now() + webhook_gather_ms, () => {
        this.gathering = false;
        this.pump();
      });
    }
  }

  /**
   * Deliberately sends out of order: holds a few items for a moment and releases the newest first, each in its own
   * webhook.
   */
  private hold(item: WebhookItem): void {
    this.held.push(item);
    const release = () => {
      this.waiting.push(...this.held.reverse());
      this.held = [];
      this.pump();
    };
    if (this.held.length >= maxHeld) release();
    else if (this.held.length === 1) this.world.schedule.at(Date.now() + holdMs, release);
  }

  private send(): void {
    const settings = this.settings();
    if (this.gathering && this.waiting.length < settings.webhook_batch) return;
    // Out-of-order webhooks are sent one at a time, because parallel requests could restore the order by chance.
    const limit = settings.webhooks_out_of_order ? 1 : maxInFlight;
    while (this.waiting.length > 0 && this.inFlight < limit && this.account.subscription?.callback) {
      const batch = this.waiting.splice(0, settings.webhooks_out_of_order ? 1 : settings.webhook_batch);
      const items = batch.filter((item) => item.kind === 'event' || !item.chat.gone);
      if (items.length === 0) continue;
      const fields = [...new Set(items.map((item) => (item.kind === 'event' ? item.field : 'messages')))];
      const at = new Date().toISOString();
      const entry: Delivery = { at, fields, items: items.length, attempts: 0, status: 0, body: '' };
      this.log.unshift(entry);
      this.log.length = Math.min(this.log.length, maxLogged);
      void this.post({ items, first: Date.now(), attempts: 0, entry });
    }
  }

  private async post(post: Post): Promise<void> {
    const era = this.era;
    const callback = this.account.subscription?.callback;
    if (!callback || this.closed) {
      this.waiting.unshift(...post.items);
      return;
    }
    const { config } = this.account;
    const body = wireJson(
      envelope(post.items, {
        waba_id: config.waba_id,
        number: (id) => this.account.number(id),
        profile: (digits) => this.world.messages.phones.getProfile(digits),
      }),
    );
    const { webhooks_bad_signature_percent, webhooks_twice_percent } = this.settings();
    const secret = chance(webhooks_bad_signature_percent) ? `not ${config.app_secret}` : config.app_secret;
    this.inFlight += 1;
    let status = await this.attempt(callback, body, secret);
    if (status === 200 && chance(webhooks_twice_percent)) status = await this.attempt(callback, body, secret);
    this.inFlight -= 1;
    if (era !== this.era || this.closed) return;
    post.attempts += 1;
    Object.assign(post.entry, { attempts: post.attempts, status, body });
    if (status === 200) this.acknowledge(post.items);
    else if (Date.now() - post.first < giveUpAfter) {
      const pause = Math.min(maxPause, this.settings().webhook_retry_ms * 2 ** (post.attempts - 1));
      this.world.schedule.at(Date.now() + pause, () => {
        if (era === this.era) void this.post(post);
      });
    }
    this.pump();
  }

  private attempt(callback: string, body: string, secret: string): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return this.poster.post(callback, headers, body).catch(() => 0);
  }

  private acknowledge(items: WebhookItem[]): void {
    for (const item of items) {
      if (item.kind === 'event') this.world.facts.remove(`${prefix}${item.id}`);
      else this.world.chats.acknowledge(item.chat, item.n);
    }
  }
}

/**
 * Writes JSON as the real API does, in pure ASCII with escaped slashes. As with the real API, signature checks fail in
 * clients that verify re-serialized JSON.
 */
function wireJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
