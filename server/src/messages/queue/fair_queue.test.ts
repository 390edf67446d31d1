import { TRAFFIC_CLASSES, type TrafficClass } from '@parley/contract/messages/traffic_classes.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { PRIORITY } from '../model/traffic_class.ts';
import { type DuePair, FairQueue, type Share } from './fair_queue.ts';

const pair = (priority: number, account_id: string, due: number): DuePair => ({ priority, account_id, due });
const listShares = (shares: readonly Share[]) =>
  Object.fromEntries(shares.map(({ priority, account_id, share }) => [`${priority}${account_id}`, share]));
const total = (shares: readonly Share[]) => shares.reduce((sum, { share }) => sum + share, 0);

/** Claims one message at a time, as a slow connection does, and returns the order of the classes and accounts. */
function serve(pairs: readonly DuePair[], turns: number, segments: (account_id: string) => number = () => 1): string[] {
  const queue = new FairQueue();
  queue.fill(pairs);
  return Array.from({ length: turns }, () => {
    const shares = queue.deal(() => 1);
    const [share] = shares;
    if (!share) return '';
    const { priority, account_id } = share;
    queue.settle(shares, [{ priority, account_id, segments_count: segments(account_id) }]);
    return `${priority}${account_id}`;
  });
}
const countServed = (served: readonly string[], key: string) => served.filter((entry) => entry === key).length;

describe('free capacity', () => {
  test.each<[string, DuePair[], number, Record<string, number>]>([
    ['is assigned entirely to a single account', [pair(9, 'a', 500)], 50, { '9a': 50 }],
    ['is split evenly between accounts', [pair(9, 'a', 500), pair(9, 'b', 500)], 50, { '9a': 25, '9b': 25 }],
    [
      'is passed to other accounts when one does not need its share',
      [pair(9, 'a', 500), pair(9, 'b', 4)],
      50,
      { '9a': 46, '9b': 4 },
    ],
    [
      'is assigned to urgent messages first',
      [pair(9, 'a', 500), pair(1, 'b', 3), pair(5, 'c', 10)],
      50,
      { '1b': 3, '5c': 10, '9a': 37 },
    ],
    [
      'is assigned as one message per account when it is scarce',
      [pair(9, 'a', 9), pair(9, 'b', 9), pair(9, 'c', 9)],
      2,
      { '9a': 1, '9b': 1 },
    ],
    [
      'is assigned to throttled messages before new messages of the same account',
      [pair(8, 'a', 2), pair(9, 'a', 9), pair(9, 'b', 9)],
      8,
      { '8a': 2, '9a': 2, '9b': 4 },
    ],
    ['is not assigned when there are no accounts', [], 50, {}],
  ])('%s', (_, pairs, room, expected) => {
    const queue = new FairQueue();
    queue.fill(pairs);
    expect(listShares(queue.deal(() => room))).toEqual(expected);
  });

  test('is assigned up to the total need without exceeding the need of an account', () => {
    const anyPairs = fc.uniqueArray(
      fc.record({
        priority: fc.constantFrom(0, 1, 2, 3, 4, 5, 8, 9),
        account_id: fc.constantFrom(...'abcdefghij'),
        due: fc.integer({ min: 0, max: 40 }),
      }),
      { selector: ({ priority, account_id }) => `${priority}${account_id}` },
    );
    fc.assert(
      fc.property(anyPairs, fc.array(fc.integer({ min: 0, max: 100 }), { maxLength: 5 }), (pairs, rooms) => {
        const left = new Map(pairs.map(({ priority, account_id, due }) => [`${priority}${account_id}`, due]));
        const queue = new FairQueue();
        queue.fill(pairs);
        for (const room of rooms) {
          const need = [...left.values()].reduce((sum, due) => sum + due, 0);
          const shares = queue.deal(() => room);
          expect(total(shares)).toBe(Math.min(room, need));
          for (const [key, share] of Object.entries(listShares(shares))) {
            expect(share).toBeLessThanOrEqual(left.get(key)!);
            left.set(key, left.get(key)! - share);
          }
        }
      }),
    );
  });
});

describe('accounts of one class', () => {
  test.each([2, 20])('are served in turn when %i of them wait, even if one has a much longer queue', (count) => {
    const accounts = Array.from({ length: count }, (_, index) => `account${index}`);
    const pairs = accounts.map((id, index) => pair(9, id, index === 0 ? 100_000 : 50));
    const served = serve(pairs, count * 40);
    for (let turn = 0; turn < served.length; turn += count)
      expect(new Set(served.slice(turn, turn + count)).size).toBe(count);
  });

  test('get equal numbers of segments when one sends longer messages', () => {
    const served = serve([pair(5, 'long', 900), pair(5, 'short', 900)], 600, (id) => (id === 'long' ? 5 : 1));
    expect(countServed(served, '5long')).toBeGreaterThanOrEqual(95);
    expect(countServed(served, '5long')).toBeLessThanOrEqual(105);
  });

  test('are served next without extra turns when they were idle', () => {
    const queue = new FairQueue();
    queue.fill([pair(9, 'busy', 1_000)]);
    for (let turn = 0; turn < 300; turn++) queue.deal(() => 1);
    queue.fill([pair(9, 'busy', 700), pair(9, 'late', 700)]);
    const served = Array.from({ length: 40 }, () => queue.deal(() => 1)[0]!.account_id);
    expect(served.slice(0, 2)).toContain('late');
    expect(countServed(served, 'late')).toBe(20);
  });

  test('lose no share when their messages were not claimed or were throttled', () => {
    const queue = new FairQueue();
    queue.fill([pair(5, 'a', 100), pair(5, 'b', 100)]);
    const shares = queue.deal(() => 10);
    const claimed = Array.from({ length: 5 }, () => ({ priority: 5, account_id: 'b', segments_count: 1 }));
    queue.settle(shares, claimed);
    expect(listShares(queue.deal(() => 4))).toEqual({ '5a': 4 });
    for (const message of claimed.slice(0, 4)) queue.refund(message);
    expect(listShares(queue.deal(() => 2))).toEqual({ '5b': 2 });
  });
});

describe('classes', () => {
  const all = TRAFFIC_CLASSES.map((name) => pair(PRIORITY[name], 'a', 100_000));

  test('share capacity by weight when all wait, so that none starves', () => {
    const served = serve(all, 2_900);
    const counts = Object.fromEntries(TRAFFIC_CLASSES.map((name) => [name, countServed(served, `${PRIORITY[name]}a`)]));
    expect(counts).toEqual({ code: 1_600, conversation: 800, single: 400, campaign: 100 });
  });

  test('are served before less urgent ones when they arrive', () => {
    const queue = new FairQueue();
    queue.fill([pair(9, 'a', 100_000)]);
    queue.deal(() => 500);
    queue.fill([pair(1, 'b', 2), pair(5, 'c', 1), pair(9, 'a', 99_500)]);
    const order = Array.from({ length: 4 }, () => queue.deal(() => 1)[0]!.priority);
    expect(order).toEqual([1, 1, 5, 9]);
  });

  /**
   * Returns the number of other messages that a slow bind sends between the arrival of a code and the code itself. The
   * queue is read again when the code arrives, as a wake-up does.
   */
  function waitOfCode(busy: readonly DuePair[], before: number, segments: number): number {
    const queue = new FairQueue();
    const left = busy.map((entry) => ({ ...entry }));
    const serveOne = (): string => {
      const shares = queue.deal(() => 1);
      const { priority, account_id } = shares[0]!;
      left.find((entry) => entry.priority === priority && entry.account_id === account_id)!.due--;
      queue.settle(shares, [{ priority, account_id, segments_count: account_id === 'late' ? 1 : segments }]);
      return account_id;
    };
    queue.fill(left);
    for (let turn = 0; turn < before; turn++) serveOne();
    left.push(pair(PRIORITY.code, 'late', 1));
    queue.fill(left);
    let wait = 0;
    while (serveOne() !== 'late') wait++;
    return wait;
  }

  test('let a code wait for at most four messages when one company has queued 100,000 messages of all classes', () => {
    const counts = { code: 10_000, conversation: 5_000, single: 5_000, campaign: 80_000 };
    const busy = TRAFFIC_CLASSES.map((name) => pair(PRIORITY[name], 'busy', counts[name]));
    const anyBusy = fc.subarray(busy, { minLength: 1 });
    fc.assert(
      fc.property(anyBusy, fc.integer({ min: 0, max: 500 }), fc.constantFrom(1, 2, 8), (pairs, before, segments) => {
        expect(waitOfCode(pairs, before, segments)).toBeLessThanOrEqual(4);
      }),
      { numRuns: 150 },
    );
  });

  test('do not use capacity when it is reserved for more urgent classes', () => {
    const rooms: Record<TrafficClass, number> = { code: 10, conversation: 9, single: 8, campaign: 6 };
    const queue = new FairQueue();
    queue.fill([pair(9, 'a', 100), pair(5, 'b', 1)]);
    expect(listShares(queue.deal((name) => rooms[name]))).toEqual({ '5b': 1, '9a': 5 });
    queue.fill([pair(1, 'c', 100), pair(9, 'a', 100)]);
    expect(total(queue.deal((name) => rooms[name]))).toBe(10);
  });

  test('report the most urgent class when several wait', () => {
    const queue = new FairQueue();
    expect(queue.next).toBeNull();
    queue.fill([pair(4, 'a', 1), pair(9, 'a', 1), pair(1, 'a', 0)]);
    expect(queue.next).toBe('single');
    queue.deal(() => 1);
    expect(queue.next).toBe('campaign');
  });
});
