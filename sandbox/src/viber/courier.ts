// What Viber owes its services: callbacks, oldest first, each posted again until the answer is HTTP 200. Knows how to post, sign and
// wait; what is owed outlives a restart in the world's journal, never here.
import { chance } from '../carrier.ts';
import { Heap } from '../heap.ts';
import { Poster } from '../poster.ts';
import type { Schedule } from '../schedule.ts';
import { signatureOf } from './callbacks.ts';
import type { ViberRule } from './magic.ts';
import type { Moods } from './moods.ts';
import type { Business } from './request.ts';

export interface Callback {
  service_id: number;
  /** What is told about one thing is told one after another; about several, at once. */
  about: string;
  body: () => string;
  rule: ViberRule;
  /** No longer worth telling. */
  gone: () => boolean;
  done: () => void;
}

interface Delivery extends Callback {
  order: number;
  attempts: number;
  copies: number;
  wrongFirst: boolean;
}

class Queue {
  waiting = new Heap<Delivery>();
  in_flight = 0;
}

const atOnce = 20;
const heldAtMost = 10;
const heldFor = 250;
const slowestRetry = 30_000;

export class Courier {
  sent = 0;
  acknowledged = 0;
  /** Wrongly signed callbacks that were answered 200 all the same. */
  wrong_accepted = 0;
  #find: (service_id: number) => Business | undefined;
  #moods: () => Moods;
  #schedule: Schedule;
  #queues = new Map<number, Queue>();
  #answers = new Map<number, { time: string; answer: string }>();
  #orders = 0;
  /** The last attempt about each thing that is under way. */
  #turns = new Map<string, Promise<void>>();
  #held: Delivery[] = [];
  #poster = new Poster();
  #closed = false;

  constructor(find: (service_id: number) => Business | undefined, moods: () => Moods, schedule: Schedule) {
    this.#find = find;
    this.#moods = moods;
    this.#schedule = schedule;
  }

  owe(callback: Callback): void {
    const moods = this.#moods();
    const magic = Object.keys(callback.rule).length > 0;
    const delivery: Delivery = {
      ...callback,
      order: ++this.#orders,
      attempts: 0,
      copies: callback.rule.twice || (!magic && chance(moods.callbacks_twice_percent)) ? 2 : 1,
      wrongFirst: callback.rule.wrong_signature === true || (!magic && chance(moods.bad_signature_percent)),
    };
    if (moods.out_of_order && !magic) this.#hold(delivery);
    else this.#enqueue(delivery);
  }

  /** How the last callback of a service was answered. */
  lastAnswer(service_id: number): { time: string; answer: string } | null {
    return this.#answers.get(service_id) ?? null;
  }

  clear(): void {
    for (const queue of this.#queues.values()) queue.waiting.clear();
    this.#held = [];
    this.#answers.clear();
    this.sent = 0;
    this.acknowledged = 0;
    this.wrong_accepted = 0;
  }

  close(): void {
    this.clear();
    this.#closed = true;
    this.#poster.close();
  }

  #enqueue(delivery: Delivery): void {
    if (this.#closed) return;
    let queue = this.#queues.get(delivery.service_id);
    if (!queue) {
      queue = new Queue();
      this.#queues.set(delivery.service_id, queue);
    }
    queue.waiting.push(delivery.order, delivery);
    this.#pump(queue);
  }

  #pump(queue: Queue): void {
    while (queue.in_flight < atOnce && queue.waiting.size > 0) {
      const delivery = queue.waiting.pop()!;
      if (delivery.gone()) continue;
      queue.in_flight += 1;
      const turn = (this.#turns.get(delivery.about) ?? Promise.resolve()).then(() => this.#send(delivery));
      this.#turns.set(delivery.about, turn);
      turn.finally(() => {
        if (this.#turns.get(delivery.about) === turn) this.#turns.delete(delivery.about);
        queue.in_flight -= 1;
        this.#pump(queue);
      });
    }
  }

  async #send(delivery: Delivery): Promise<void> {
    const business = this.#find(delivery.service_id);
    // Whoever has no address any more is owed nothing.
    if (!business?.callback_url) return delivery.done();
    const body = delivery.body();
    if (delivery.wrongFirst) {
      delivery.wrongFirst = false;
      if (await this.#post(business, body, signatureOf(`not ${business.auth_token}`, body))) this.wrong_accepted += 1;
    }
    const taken = await this.#post(business, body, signatureOf(business.auth_token, body));
    if (this.#closed || delivery.gone()) return;
    if (taken) {
      this.acknowledged += 1;
      delivery.done();
      delivery.copies -= 1;
      if (delivery.copies > 0) await this.#post(business, body, signatureOf(business.auth_token, body));
      return;
    }
    delivery.attempts += 1;
    const pause = Math.min(slowestRetry, 250 * 2 ** delivery.attempts);
    this.#schedule.at(Date.now() + pause, () => this.#enqueue(delivery));
  }

  /** Whether the answer was HTTP 200. */
  async #post({ service_id, callback_url }: Business, body: string, signature: string): Promise<boolean> {
    this.sent += 1;
    const headers = { 'content-type': 'application/json', 'x-viber-content-signature': signature };
    const status = await this.#poster.post(callback_url, headers, body).catch((error: Error) => error.message);
    const answer = typeof status === 'number' ? `HTTP ${status}` : status;
    if (!this.#closed) this.#answers.set(service_id, { time: new Date().toISOString(), answer });
    return status === 200;
  }

  /** Out of order on purpose: a handful is held back a moment and leaves last come, first served. */
  #hold(delivery: Delivery): void {
    this.#held.push(delivery);
    if (this.#held.length >= heldAtMost) this.#release();
    else if (this.#held.length === 1) this.#schedule.at(Date.now() + heldFor, () => this.#release());
  }

  #release(): void {
    const held = this.#held.reverse();
    this.#held = [];
    const orders = held.map(({ order }) => order).sort((a, b) => a - b);
    held.forEach((delivery, at) => {
      delivery.order = orders[at]!;
      this.#enqueue(delivery);
    });
  }
}
