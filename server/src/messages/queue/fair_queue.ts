/**
 * Divides a connection's free capacity among the traffic classes and, within each class, equally among the accounts
 * (weighted fair queueing). Each class and each account has a tag: the service it has received, in segments divided by
 * its weight. The lowest tag is served next. A class or account that was idle starts at the lowest tag of the others,
 * so it saves up no turns and does not wait for their queues.
 */
import { TRAFFIC_CLASSES, type TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import { trafficClass } from '../model/traffic_class.ts';

/** The due rows of one account at one priority, counted up to a limit. */
export interface DuePair {
  priority: number;
  account_id: string;
  due: number;
}

export interface Share {
  priority: number;
  account_id: string;
  share: number;
}

/** Returns the number of messages that may be claimed if none of them is below this class. */
export type Room = (traffic_class: TrafficClass) => number;

/** A claimed message, and the capacity it uses. */
export interface Usage {
  priority: number;
  account_id: string;
  segments_count: number;
}

/** The ratio in which waiting classes share capacity. A class that needs less than its share gets all it needs. */
const WEIGHTS: Readonly<Record<TrafficClass, number>> = { code: 16, conversation: 8, single: 4, campaign: 1 };

/** The service that each class or account has received. */
class Tags<K> {
  private readonly tags = new Map<K, number>();
  private waiting: ReadonlySet<K> = new Set();

  read(key: K): number {
    return this.tags.get(key) ?? 0;
  }

  /** Records service. A negative cost undoes it. */
  add(key: K, cost: number): void {
    const tag = this.tags.get(key);
    if (tag !== undefined) this.tags.set(key, tag + cost);
  }

  /** Raises the tags of idle keys to the lowest tag of the others. If all were idle, all tags are reset. */
  wait(keys: ReadonlySet<K>): void {
    const continuing = [...keys].filter((key) => this.waiting.has(key));
    if (continuing.length === 0) this.tags.clear();
    const floor = continuing.reduce((least, key) => Math.min(least, this.read(key)), Number.POSITIVE_INFINITY);
    const start = Number.isFinite(floor) ? floor : 0;
    for (const key of keys) if (!this.waiting.has(key)) this.tags.set(key, Math.max(this.read(key), start));
    for (const [key, tag] of this.tags) if (!keys.has(key) && tag <= start) this.tags.delete(key);
    this.waiting = keys;
  }
}

/** The due rows of one account in one class, by priority. */
interface Line {
  account_id: string;
  due: { priority: number; count: number }[];
}

export class FairQueue {
  private readonly classes = new Tags<TrafficClass>();
  private readonly accounts = new Map(TRAFFIC_CLASSES.map((name) => [name, new Tags<string>()]));
  private lines = new Map<TrafficClass, Line[]>();
  /** True if the last deal used up all counted rows of a pair. */
  hasEmptied = false;

  /** Replaces the waiting rows. */
  fill(pairs: readonly DuePair[]): void {
    this.lines = new Map();
    const byKey = new Map<string, Line>();
    for (const { priority, account_id, due } of pairs) {
      if (due <= 0) continue;
      const name = trafficClass(priority);
      const key = `${name} ${account_id}`;
      const line = byKey.get(key);
      if (line) {
        line.due.push({ priority, count: due });
        line.due.sort((a, b) => a.priority - b.priority);
      } else {
        const added = { account_id, due: [{ priority, count: due }] };
        byKey.set(key, added);
        const lines = this.lines.get(name);
        if (lines) lines.push(added);
        else this.lines.set(name, [added]);
      }
    }
    this.classes.wait(new Set(this.lines.keys()));
    for (const name of TRAFFIC_CLASSES)
      this.accounts.get(name)!.wait(new Set(this.lines.get(name)?.map(({ account_id }) => account_id)));
  }

  /** The most urgent class that has waiting rows. */
  get next(): TrafficClass | null {
    return TRAFFIC_CLASSES.find((name) => this.lines.has(name)) ?? null;
  }

  /** Assigns capacity and removes the assigned rows from the waiting ones. */
  deal(room: Room): Share[] {
    const shares = new Map<string, Share>();
    const limits = new Map(TRAFFIC_CLASSES.map((name) => [name, room(name)]));
    const orders = new Map([...this.lines].map(([name, lines]) => [name, this.sortLines(name, lines)]));
    this.hasEmptied = false;
    for (let used = 0; ; used++) {
      const name = this.nextClass(orders, (candidate) => used < limits.get(candidate)!);
      if (name === null) break;
      this.classes.add(name, 1 / WEIGHTS[name]);
      const { priority, account_id } = this.takeTurn(name, orders.get(name)!);
      const key = `${priority} ${account_id}`;
      const share = shares.get(key);
      if (share) share.share++;
      else shares.set(key, { priority, account_id, share: 1 });
    }
    for (const [name, order] of orders) {
      if (order.length > 0) this.lines.set(name, order);
      else this.lines.delete(name);
    }
    return [...shares.values()];
  }

  /** Replaces the estimated cost of the shares with the cost of the claimed messages. */
  settle(shares: readonly Share[], claimed: readonly Usage[]): void {
    for (const { priority, account_id, share } of shares) this.adjust(priority, account_id, -share);
    for (const { priority, account_id, segments_count } of claimed) this.adjust(priority, account_id, segments_count);
  }

  /** Undoes the cost of a message that the carrier throttled. */
  refund({ priority, account_id, segments_count }: Usage): void {
    this.adjust(priority, account_id, -segments_count);
  }

  private adjust(priority: number, account_id: string, cost: number): void {
    const name = trafficClass(priority);
    this.classes.add(name, cost / WEIGHTS[name]);
    this.accounts.get(name)!.add(account_id, cost);
  }

  private sortLines(name: TrafficClass, lines: readonly Line[]): Line[] {
    const tags = this.accounts.get(name)!;
    return [...lines].sort((a, b) => tags.read(a.account_id) - tags.read(b.account_id));
  }

  /** Chooses the class whose next message would finish first. If several are equal, the most urgent one wins. */
  private nextClass(
    orders: ReadonlyMap<TrafficClass, readonly Line[]>,
    isOpen: (name: TrafficClass) => boolean,
  ): TrafficClass | null {
    let next: TrafficClass | null = null;
    let least = Number.POSITIVE_INFINITY;
    for (const name of TRAFFIC_CLASSES) {
      const end = this.classes.read(name) + 1 / WEIGHTS[name];
      if (end >= least || !orders.get(name)?.length || !isOpen(name)) continue;
      next = name;
      least = end;
    }
    return next;
  }

  /** Serves the first account and moves it to its new place in the order. */
  private takeTurn(name: TrafficClass, order: Line[]): { priority: number; account_id: string } {
    const tags = this.accounts.get(name)!;
    const line = order[0]!;
    const { account_id } = line;
    const first = line.due[0]!;
    tags.add(account_id, 1);
    if (--first.count === 0) {
      line.due.shift();
      this.hasEmptied = true;
    }
    if (line.due.length === 0) order.shift();
    else if (order.length > 1) moveBack(order, (other) => tags.read(other.account_id) <= tags.read(account_id));
    return { priority: first.priority, account_id };
  }
}

/** Moves the first item behind all items that come before it, in a list that is otherwise sorted. */
function moveBack<T>(order: T[], isBefore: (item: T) => boolean): void {
  let low = 1;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(order[middle]!)) low = middle + 1;
    else high = middle;
  }
  const [first] = order.splice(0, 1);
  order.splice(low - 1, 0, first!);
}
