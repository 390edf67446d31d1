/**
 * Delivers callbacks to services, oldest first, and repeats each one until the response is HTTP 200. The queue is in
 * memory: after a restart, the callbacks that are still pending are restored from the journal.
 */
import { Poster } from '../http/poster.ts';
import { Heap } from '../storage/heap.ts';
import type { Schedule } from '../storage/schedule.ts';
import { chance } from '../world/carrier.ts';
import { sign } from './callback_body.ts';
import type { ViberRule } from './magic.ts';
import type { Business } from './request.ts';
import type { ViberSettings } from './settings.ts';

export interface Callback {
  service_id: number;
  /**
   * The subject of the callback. Callbacks with the same subject are sent one after another; those with different
   * subjects are sent in parallel.
   */
  about: string;
  body: () => string;
  rule: ViberRule;
  /** Returns true when the callback is no longer needed. */
  gone: () => boolean;
  done: () => void;
}

interface Delivery extends Callback {
  order: number;
  attempts: number;
  copies: number;
  wrongSignatureFirst: boolean;
}

class Queue {
  readonly waiting = new Heap<Delivery>();
  in_flight = 0;
}

const maxInFlight = 20;
const maxHeld = 10;
const holdMs = 250;
const maxRetryDelay = 30_000;

export class CallbackQueue {
  sent = 0;
  acknowledged = 0;
  /** The number of callbacks with a wrong signature to which the business responded with HTTP 200. */
  wrong_accepted = 0;
  private readonly findBusiness: (service_id: number) => Business | undefined;
  private readonly settings: () => ViberSettings;
  private readonly schedule: Schedule;
  private readonly queues = new Map<number, Queue>();
  private readonly responses = new Map<number, { time: string; answer: string }>();
  private lastOrder = 0;
  /** The last attempt in progress for each `about`. */
  private readonly attempts = new Map<string, Promise<void>>();
  private held: Delivery[] = [];
  private readonly poster = new Poster();
  private closed = false;

  constructor(
    findBusiness: (service_id: number) => Business | undefined,
    settings: () => ViberSettings,
    schedule: Schedule,
  ) {
    this.findBusiness = findBusiness;
    this.settings = settings;
    this.schedule = schedule;
  }

  add(callback: Callback): void {
    const settings = this.settings();
    const isMagic = Object.keys(callback.rule).length > 0;
    const delivery: Delivery = {
      ...callback,
      order: ++this.lastOrder,
      attempts: 0,
      copies: callback.rule.twice || (!isMagic && chance(settings.callbacks_twice_percent)) ? 2 : 1,
      wrongSignatureFirst:
        callback.rule.wrong_signature === true || (!isMagic && chance(settings.bad_signature_percent)),
    };
    if (settings.out_of_order && !isMagic) this.hold(delivery);
    else this.enqueue(delivery);
  }

  /** Returns the service's response to its last callback. */
  lastResponse(service_id: number): { time: string; answer: string } | null {
    return this.responses.get(service_id) ?? null;
  }

  clear(): void {
    for (const queue of this.queues.values()) queue.waiting.clear();
    this.held = [];
    this.responses.clear();
    this.sent = 0;
    this.acknowledged = 0;
    this.wrong_accepted = 0;
  }

  close(): void {
    this.clear();
    this.closed = true;
    this.poster.close();
  }

  private enqueue(delivery: Delivery): void {
    if (this.closed) return;
    let queue = this.queues.get(delivery.service_id);
    if (!queue) {
      queue = new Queue();
      this.queues.set(delivery.service_id, queue);
    }
    queue.waiting.push(delivery.order, delivery);
    this.pump(queue);
  }

  private pump(queue: Queue): void {
    while (queue.in_flight < maxInFlight && queue.waiting.size > 0) {
      const delivery = queue.waiting.pop()!;
      if (delivery.gone()) continue;
      queue.in_flight += 1;
      const attempt = (this.attempts.get(delivery.about) ?? Promise.resolve()).then(() => this.send(delivery));
      this.attempts.set(delivery.about, attempt);
      attempt.finally(() => {
        if (this.attempts.get(delivery.about) === attempt) this.attempts.delete(delivery.about);
        queue.in_flight -= 1;
        this.pump(queue);
      });
    }
  }

  private async send(delivery: Delivery): Promise<void> {
    const business = this.findBusiness(delivery.service_id);
    // A service without a callback URL gets no callbacks.
    if (!business?.callback_url) return delivery.done();
    const body = delivery.body();
    if (delivery.wrongSignatureFirst) {
      delivery.wrongSignatureFirst = false;
      if (await this.post(business, body, sign(`not ${business.auth_token}`, body))) this.wrong_accepted += 1;
    }
    const accepted = await this.post(business, body, sign(business.auth_token, body));
    if (this.closed || delivery.gone()) return;
    if (accepted) {
      this.acknowledged += 1;
      delivery.done();
      delivery.copies -= 1;
      if (delivery.copies > 0) await this.post(business, body, sign(business.auth_token, body));
      return;
    }
    delivery.attempts += 1;
    const pause = Math.min(maxRetryDelay, 250 * 2 ** delivery.attempts);
    this.schedule.at(Date.now() + pause, () => this.enqueue(delivery));
  }

  /** Posts the callback once. Returns whether the response was HTTP 200. */
  private async post({ service_id, callback_url }: Business, body: string, signature: string): Promise<boolean> {
    this.sent += 1;
    const headers = { 'content-type': 'application/json', 'x-viber-content-signature': signature };
    const status = await this.poster.post(callback_url, headers, body).catch((error: Error) => error.message);
    const answer = typeof status === 'number' ? `HTTP ${status}` : status;
    if (!this.closed) this.responses.set(service_id, { time: new Date().toISOString(), answer });
    return status === 200;
  }

  /** Deliberately delivers out of order: holds a few callbacks for a moment and releases the newest first. */
  private hold(delivery: Delivery): void {
    this.held.push(delivery);
    if (this.held.length >= maxHeld) this.release();
    else if (this.held.length === 1) this.schedule.at(Date.now() + holdMs, () => this.release());
  }

  private release(): void {
    const held = this.held.reverse();
    this.held = [];
    const orders = held.map(({ order }) => order).sort((a, b) => a - b);
    held.forEach((delivery, at) => {
      delivery.order = orders[at]!;
      this.enqueue(delivery);
    });
  }
}
