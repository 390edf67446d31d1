/**
 * Delivers receipts and replies to the carrier's customers, oldest first, until a receiver with the system_id
 * acknowledges each one. A delivery is retried for as long as its message is stored. If a bind breaks while a delivery
 * is in flight, the delivery is sent again on the next bind.
 */
import { Heap } from '../storage/heap.ts';
import type { Schedule } from '../storage/schedule.ts';
import type { CarrierSettings } from './carrier.ts';
import { isAcked, type Sms } from './message.ts';

/** A bind that can receive deliver_sm. */
export interface Receiver {
  system_id: string;
  in_flight: number;
  /** True if the receiver gets only items of its system_id, and no replies without an owner. */
  owned_only?: boolean;
  /** Resolves with the command_status of the response; rejects if there is no response. */
  deliver(message: Sms, n: number): Promise<number>;
}

interface Delivery {
  message: Sms;
  n: number;
  order: number;
  attempts: number;
}

class Queue {
  readonly waiting = new Heap<Delivery>();
  receivers: Receiver[] = [];
  next = 0;
}

/** The key of the queue for deliveries that any receiver may get. */
const anyone = '';
const maxHeld = 10;
const holdMs = 250;
const maxRetryDelay = 30_000;

export class Outbox {
  sent = { receipts: 0, replies: 0 };
  private readonly settings: () => CarrierSettings;
  private readonly schedule: Schedule;
  private readonly acknowledge: (message: Sms, n: number) => void;
  private readonly queues = new Map<string, Queue>();
  private lastOrder = 0;
  private held: Delivery[] = [];

  constructor(settings: () => CarrierSettings, schedule: Schedule, acknowledge: (message: Sms, n: number) => void) {
    this.settings = settings;
    this.schedule = schedule;
    this.acknowledge = acknowledge;
  }

  add(message: Sms, n: number): void {
    const delivery: Delivery = { message, n, order: ++this.lastOrder, attempts: 0 };
    if (message.kind === 'submission' && this.settings().out_of_order) this.hold(delivery);
    else this.enqueue(delivery);
  }

  addReceiver(receiver: Receiver): void {
    const queue = this.queue(receiver.system_id);
    queue.receivers.push(receiver);
    const unclaimed = receiver.owned_only ? undefined : this.queues.get(anyone);
    while (unclaimed && unclaimed.waiting.size > 0) {
      const delivery = unclaimed.waiting.pop()!;
      queue.waiting.push(delivery.order, delivery);
    }
    this.pump(receiver.system_id);
  }

  removeReceiver(receiver: Receiver): void {
    const queue = this.queue(receiver.system_id);
    queue.receivers = queue.receivers.filter((other) => other !== receiver);
    if (queue.receivers.length === 0 && queue.waiting.size === 0) this.queues.delete(receiver.system_id);
  }

  /** Sends as many deliveries to the receivers for this system_id as their windows allow. */
  pump(system_id: string): void {
    const queue = this.queues.get(system_id);
    if (!queue) return;
    while (queue.waiting.size > 0) {
      const receiver = this.nextReceiver(queue);
      if (!receiver) return;
      const delivery = queue.waiting.pop()!;
      if (!delivery.message.gone && !isAcked(delivery.message, delivery.n)) this.send(receiver, delivery);
    }
  }

  clear(): void {
    for (const queue of this.queues.values()) queue.waiting.clear();
    this.held = [];
    this.sent = { receipts: 0, replies: 0 };
  }

  private async send(receiver: Receiver, delivery: Delivery): Promise<void> {
    const { message, n } = delivery;
    receiver.in_flight += 1;
    if (message.kind === 'reply') this.sent.replies += 1;
    else this.sent.receipts += 1;
    const status = await receiver.deliver(message, n).catch(() => undefined);
    receiver.in_flight -= 1;
    if (status === 0) this.acknowledge(message, n);
    else if (status === undefined && !this.queue(receiver.system_id).receivers.includes(receiver))
      this.enqueue(delivery);
    else {
      // The delivery was refused or got no response on an open bind. It is retried later, so that other deliveries do
      // not wait.
      delivery.attempts += 1;
      const pause = Math.min(maxRetryDelay, 250 * 2 ** delivery.attempts);
      this.schedule.at(Date.now() + pause, () => this.enqueue(delivery));
    }
    this.pump(receiver.system_id);
  }

  private enqueue(delivery: Delivery): void {
    if (delivery.message.gone) return;
    const system_id = delivery.message.system_id ?? this.anyReceiver();
    this.queue(system_id).waiting.push(delivery.order, delivery);
    this.pump(system_id);
  }

  /** Deliberately delivers out of order: holds a few deliveries for a moment and releases the newest first. */
  private hold(delivery: Delivery): void {
    this.held.push(delivery);
    if (this.held.length >= maxHeld) this.release();
    else if (this.held.length === 1) this.schedule.at(Date.now() + holdMs, () => this.release());
  }

  private release(): void {
    const held = this.held.reverse();
    this.held = [];
    const orders = held.map((delivery) => delivery.order).sort((a, b) => a - b);
    held.forEach((delivery, at) => {
      delivery.order = orders[at]!;
      this.enqueue(delivery);
    });
  }

  private anyReceiver(): string {
    for (const [system_id, queue] of this.queues)
      if (queue.receivers.some(({ owned_only }) => !owned_only)) return system_id;
    return anyone;
  }

  private queue(system_id: string): Queue {
    let queue = this.queues.get(system_id);
    if (!queue) {
      queue = new Queue();
      this.queues.set(system_id, queue);
    }
    return queue;
  }

  private nextReceiver(queue: Queue): Receiver | undefined {
    const window = this.settings().window;
    for (let tried = 0; tried < queue.receivers.length; tried += 1) {
      queue.next = (queue.next + 1) % queue.receivers.length;
      const receiver = queue.receivers[queue.next]!;
      if (receiver.in_flight < window) return receiver;
    }
    return undefined;
  }
}
