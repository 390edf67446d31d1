import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDirectory } from '../test/box.ts';
import { Heap } from './heap.ts';
import { Journal } from './journal.ts';
import { Schedule } from './schedule.ts';
import { Sequence } from './sequence.ts';

test('a heap returns the lowest rank first after any sequence of pushes and pops', () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.integer(), { nil: null })), (steps) => {
      const heap = new Heap<number>();
      let model: number[] = [];
      for (const rank of steps) {
        if (rank === null) {
          model.sort((a, b) => a - b);
          expect(heap.pop()).toBe(model.shift());
        } else {
          heap.push(rank, rank);
          model.push(rank);
        }
        expect(heap.size).toBe(model.length);
        expect(heap.lowest).toBe(Math.min(...model));
      }
      model = model.sort((a, b) => a - b);
      expect(Array.from({ length: model.length }, () => heap.pop())).toEqual(model);
    }),
  );
});

test('a sequence finds, pages, and drops items like a sorted array', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 3 }), { maxLength: 400 }), fc.nat({ max: 900 }), (steps, at) => {
      const sequence = new Sequence<{ seq: number }>();
      const model: { seq: number }[] = [];
      let seq = 0;
      for (const step of steps) {
        if (step === 0) expect(sequence.shift()).toBe(model.shift());
        else {
          seq += step;
          const item = { seq };
          sequence.push(item);
          model.push(item);
        }
      }
      expect(sequence.length).toBe(model.length);
      expect(sequence.oldest).toBe(model[0]);
      expect(sequence.newest).toBe(model.at(-1));
      expect(sequence.find(at)).toBe(model.find((item) => item.seq === at));
      expect([...sequence.after(at)]).toEqual(model.filter((item) => item.seq > at));
      expect([...sequence.before(at)]).toEqual(model.filter((item) => item.seq < at).reverse());
    }),
  );
});

test('a schedule runs actions in chronological order and keeps the order of simultaneous actions', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const schedule = new Schedule();
  onTestFinished(() => schedule.close());
  const completed: string[] = [];
  const start = Date.now();
  schedule.at(start + 60, () => completed.push('late'));
  for (const name of ['a', 'b', 'c']) schedule.at(start + 30, () => completed.push(name));
  schedule.at(start - 1000, () => {
    completed.push('at once');
    schedule.at(Date.now(), () => completed.push('and then'));
  });
  expect(completed).toEqual([]);
  vi.advanceTimersByTime(60);
  expect(completed).toEqual(['at once', 'and then', 'a', 'b', 'c', 'late']);
});

test('a journal writes all lines from one turn at once and resolves them together', async () => {
  const directory = createDirectory();
  const journal = new Journal<{ n: number }>({ directory, head: () => [], replay: () => undefined });
  const first = journal.append({ n: 1 });
  expect(journal.append({ n: 2 })).toBe(first);
  await first;
  expect(journal.append({ n: 3 })).not.toBe(first);
  journal.close();
  await expect(journal.append({ n: 4 })).rejects.toThrow('closed');
  const records: number[] = [];
  const again = new Journal<{ n: number }>({ directory, head: () => [], replay: ({ n }) => void records.push(n) });
  again.clear();
  again.close();
  expect(records).toEqual([1, 2, 3]);
  new Journal<{ n: number }>({ directory, head: () => [], replay: ({ n }) => void records.push(n) }).close();
  expect(records).toEqual([1, 2, 3]);
});

test('a journal starts a new segment after 32 MB by default and drops only whole segments', async () => {
  const directory = createDirectory();
  const head = () => [{ n: -1, text: 'head' }];
  const options = { directory, head, replay: () => undefined, segment_bytes: undefined };
  const journal = new Journal<{ n: number; text: string }>(options);
  onTestFinished(() => journal.close());
  const megabyte = 'x'.repeat(1024 * 1024);
  for (let n = 1; n <= 34; n += 1) await journal.append({ n, text: megabyte }, n);
  expect(readdirSync(directory)).toHaveLength(2);
  expect(readFileSync(join(directory, readdirSync(directory)[1]!), 'utf8')).toMatch(/^\{"n":-1,"text":"head"\}\n/);
  journal.dropBefore(30);
  expect(readdirSync(directory)).toHaveLength(2);
  journal.dropBefore(34);
  expect(readdirSync(directory)).toHaveLength(1);
});
