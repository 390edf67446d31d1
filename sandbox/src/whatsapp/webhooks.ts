// Webhooks on their way: signed over the bytes that leave, repeated with growing pauses until they are answered 200. What is owed about
// messages is known by their steps, other news by facts, so nothing is lost in a restart. Loses, doubles and delays by setting only.
import { createHmac } from 'node:crypto';
import { chance } from '../carrier.ts';
import { Poster } from '../poster.ts';
import type { World } from '../world.ts';
import type { Account } from './account.ts';
import { type EventNews, envelope, type News } from './envelope.ts';
import type { WhatsappSettings } from './settings.ts';

export interface Delivery {
  at: string;
  fields: string[];
  items: number;
  attempts: number;
  /** Of the last answer; 0 when there was none. */
  status: number;
  body: string;
}

const mostAtOnce = 16;
const longestPause = 60_000;
const givenUpAfter = 7 * 24 * 3_600_000;
const logged = 100;
const held = 10;
const heldFor = 250;
const prefix = 'whatsapp:event:';

interface Post {
  news: News[];
  first: number;
  attempts: number;
  entry: Delivery;
}

export class Webhooks {
  log: Delivery[] = [];
  #world: World;
  #account: Account;
  #settings: () => WhatsappSettings;
  #waiting: News[] = [];
  #held: News[] = [];
  #open = 0;
  #pumping = false;
  #gathering = false;
  #events = 0;
  #era = 0;
  #closed = false;
  #poster = new Poster();

  constructor(world: World, account: Account, settings: () => WhatsappSettings) {
    this.#world = world;
    this.#account = account;
    this.#settings = settings;
  }

  /** After a restart; what is owed about messages comes by their steps. */
  resume(): void {
    for (const event of this.#world.facts.list<EventNews>(prefix)) {
      this.#events = Math.max(this.#events, Number(event.id));
      this.owe(event);
    }
  }

  event(field: string, value: Record<string, unknown>): void {
    const id = String(++this.#events);
    const event: EventNews = { kind: 'event', id, field, value };
    this.#world.facts.put(`${prefix}${id}`, event);
    this.owe(event);
  }

  owe(news: News): void {
    const settings = this.#settings();
    if (chance(settings.webhooks_lost_percent)) {
      this.#acknowledge([news]);
      return;
    }
    const late = settings.webhooks_late_ms;
    const era = this.#era;
    if (late === 0) this.#take(news);
    else {
      this.#world.schedule.at(Date.now() + late, () => {
        if (era === this.#era) this.#take(news);
      });
    }
  }

  /** There is an address now, or another one. */
  pump(): void {
    if (this.#pumping || this.#closed) return;
    this.#pumping = true;
    setImmediate(() => {
      this.#pumping = false;
      this.#send();
    });
  }

  reset(): void {
    this.#era += 1;
    this.#waiting = [];
    this.#held = [];
    this.#events = 0;
    this.log = [];
  }

  close(): void {
    this.#closed = true;
    this.reset();
    this.#poster.close();
  }

  #take(news: News): void {
    const { webhooks_out_of_order, webhook_gather_ms } = this.#settings();
    if (webhooks_out_of_order) {
      this.#hold(news);
      return;
    }
    this.#waiting.push(news);
    if (webhook_gather_ms === 0) this.pump();
    else if (!this.#gathering) {
      this.#gathering = true;
      this.#world.schedule.at(Date.now() + webhook_gather_ms, () => {
        this.#gathering = false;
        this.pump();
      });
    }
  }

  /** A handful is held back a moment and leaves last come, first served, each on its own. */
  #hold(news: News): void {
    this.#held.push(news);
    const release = () => {
      this.#waiting.push(...this.#held.reverse());
      this.#held = [];
      this.pump();
    };
    if (this.#held.length >= held) release();
    else if (this.#held.length === 1) this.#world.schedule.at(Date.now() + heldFor, release);
  }

  #send(): void {
    const settings = this.#settings();
    if (this.#gathering && this.#waiting.length < settings.webhook_batch) return;
    // One at a time when the order is to be wrong: several at once would put it right again, or not.
    const most = settings.webhooks_out_of_order ? 1 : mostAtOnce;
    while (this.#waiting.length > 0 && this.#open < most && this.#account.subscription?.callback) {
      const batch = this.#waiting.splice(0, settings.webhooks_out_of_order ? 1 : settings.webhook_batch);
      const news = batch.filter((one) => one.kind === 'event' || !one.chat.gone);
      if (news.length === 0) continue;
      const fields = [...new Set(news.map((one) => (one.kind === 'event' ? one.field : 'messages')))];
      const at = new Date().toISOString();
      const entry: Delivery = { at, fields, items: news.length, attempts: 0, status: 0, body: '' };
      this.log.unshift(entry);
      this.log.length = Math.min(this.log.length, logged);
      void this.#post({ news, first: Date.now(), attempts: 0, entry });
    }
  }

  async #post(post: Post): Promise<void> {
    const era = this.#era;
    const callback = this.#account.subscription?.callback;
    if (!callback || this.#closed) {
      this.#waiting.unshift(...post.news);
      return;
    }
    const { config } = this.#account;
    const body = wireJson(
      envelope(post.news, {
        waba_id: config.waba_id,
        number: (id) => this.#account.number(id),
        profile: (digits) => this.#world.messages.phones.profileOf(digits),
      }),
    );
    const { webhooks_bad_signature_percent, webhooks_twice_percent } = this.#settings();
    const secret = chance(webhooks_bad_signature_percent) ? `not ${config.app_secret}` : config.app_secret;
    this.#open += 1;
    let status = await this.#attempt(callback, body, secret);
    if (status === 200 && chance(webhooks_twice_percent)) status = await this.#attempt(callback, body, secret);
    this.#open -= 1;
    if (era !== this.#era || this.#closed) return;
    post.attempts += 1;
    Object.assign(post.entry, { attempts: post.attempts, status, body });
    if (status === 200) this.#acknowledge(post.news);
    else if (Date.now() - post.first < givenUpAfter) {
      const pause = Math.min(longestPause, this.#settings().webhook_retry_ms * 2 ** (post.attempts - 1));
      this.#world.schedule.at(Date.now() + pause, () => {
        if (era === this.#era) void this.#post(post);
      });
    }
    this.pump();
  }

  #attempt(callback: string, body: string, secret: string): Promise<number> {
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'facebookexternalua',
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    };
    return this.#poster.post(callback, headers, body).catch(() => 0);
  }

  #acknowledge(news: News[]): void {
    for (const one of news) {
      if (one.kind === 'event') this.#world.facts.remove(`${prefix}${one.id}`);
      else this.#world.chats.acknowledged(one.chat, one.n);
    }
  }
}

/** As the real one writes it: pure ASCII, slashes escaped. Whoever checks the signature over parsed and rewritten JSON fails here too. */
function wireJson(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('/', '\\/')
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
