// What the carrier owes its customers: receipts and replies of phones, oldest first, until a receiver of that system_id says it has
// them. Nothing is given up but with the message itself; what is in flight when a line breaks goes again on the next one.
import type { CarrierSettings } from './carrier.ts';
import { Heap } from './heap.ts';
import { isAcked, type Sms } from './message.ts';
import type { Schedule } from './schedule.ts';

/** A bound session that can receive. */
export interface Line {
  system_id: string;
  in_flight: number;
  /** Resolves with the command_status of the answer, rejects when none came. */
  deliver(message: Sms, n: number): Promise<number>;
}

interface Delivery {
  message: Sms;
  n: number;
  order: number;
  attempts: number;
}

class Queue {
  waiting = new Heap<Delivery>();
  lines: Line[] = [];
  turn = 0;
}

const anyone = '';
const heldAtMost = 10;
const heldFor = 250;
const slowestRetry = 30_000;

export class Outbox {
  sent = { receipts: 0, replies: 0 };
  #settings: () => CarrierSettings;
  #schedule: Schedule;
  #acked: (message: Sms, n: number) => void;
  #queues = new Map<string, Queue>();
  #orders = 0;
  #held: Delivery[] = [];

  constructor(settings: () => CarrierSettings, schedule: Schedule, acked: (message: Sms, n: number) => void) {
    this.#settings = settings;
    this.#schedule = schedule;
    this.#acked = acked;
  }

  add(message: Sms, n: number): void {
    const delivery: Delivery = { message, n, order: ++this.#orders, attempts: 0 };
    if (message.kind === 'submission' && this.#settings().out_of_order) this.#hold(delivery);
    else this.#enqueue(delivery);
  }

  opened(line: Line): void {
    const queue = this.#queue(line.system_id);
    queue.lines.push(line);
    const unclaimed = this.#queues.get(anyone);
    while (unclaimed && unclaimed.waiting.size > 0) {
      const delivery = unclaimed.waiting.pop()!;
      queue.waiting.push(delivery.order, delivery);
    }
    this.pump(line.system_id);
  }

  closed(line: Line): void {
    const queue = this.#queue(line.system_id);
    queue.lines = queue.lines.filter((other) => other !== line);
    if (queue.lines.length === 0 && queue.waiting.size === 0) this.#queues.delete(line.system_id);
  }

  /** Gives every line of this system_id as much as its window takes. */
  pump(system_id: string): void {
    const queue = this.#queues.get(system_id);
    if (!queue) return;
    while (queue.waiting.size > 0) {
      const line = this.#nextLine(queue);
      if (!line) return;
      const delivery = queue.waiting.pop()!;
      if (!delivery.message.gone && !isAcked(delivery.message, delivery.n)) this.#send(line, delivery);
    }
  }

  clear(): void {
    for (const queue of this.#queues.values()) queue.waiting.clear();
    this.#held = [];
    this.sent = { receipts: 0, replies: 0 };
  }

  async #send(line: Line, delivery: Delivery): Promise<void> {
    const { message, n } = delivery;
    line.in_flight += 1;
    if (message.kind === 'reply') this.sent.replies += 1;
    else this.sent.receipts += 1;
    const status = await line.deliver(message, n).catch(() => undefined);
    line.in_flight -= 1;
    if (status === 0) this.#acked(message, n);
    else if (status === undefined && !this.#queue(line.system_id).lines.includes(line)) this.#enqueue(delivery);
    else {
      // Refused or unanswered on a line that stands: the others must not wait behind it.
      delivery.attempts += 1;
      const pause = Math.min(slowestRetry, 250 * 2 ** delivery.attempts);
      this.#schedule.at(Date.now() + pause, () => this.#enqueue(delivery));
    }
    this.pump(line.system_id);
  }

  #enqueue(delivery: Delivery): void {
    if (delivery.message.gone) return;
    const system_id = delivery.message.system_id ?? this.#anyReceiver();
    this.#queue(system_id).waiting.push(delivery.order, delivery);
    this.pump(system_id);
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
    const orders = held.map((delivery) => delivery.order).sort((a, b) => a - b);
    held.forEach((delivery, at) => {
      delivery.order = orders[at]!;
      this.#enqueue(delivery);
    });
  }

  #anyReceiver(): string {
    for (const [system_id, queue] of this.#queues) if (queue.lines.length > 0) return system_id;
    return anyone;
  }

  #queue(system_id: string): Queue {
    let queue = this.#queues.get(system_id);
    if (!queue) {
      queue = new Queue();
      this.#queues.set(system_id, queue);
    }
    return queue;
  }

  #nextLine(queue: Queue): Line | undefined {
    const window = this.#settings().window;
    for (let tried = 0; tried < queue.lines.length; tried += 1) {
      queue.turn = (queue.turn + 1) % queue.lines.length;
      const line = queue.lines[queue.turn]!;
      if (line.in_flight < window) return line;
    }
    return undefined;
  }
}
