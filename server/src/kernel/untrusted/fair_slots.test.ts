import { Problem } from '@parley/contract/problem.ts';
import { describe, expect, test } from 'vitest';
import { fairSlots } from './fair_slots.ts';

const LIMITS = { total: 2, per_tenant: 1, unverified: 1, waiting_per_tenant: 3 };
const company = (account_id: string, verified = true) => ({ account_id, verified });

/** Records the order in which tasks start, and ends them on demand. */
function tasks(limits = LIMITS) {
  const slots = fairSlots(limits);
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    started,
    add: (name: string, tenant = company(name[0]!), signal?: AbortSignal) =>
      slots.run(
        tenant,
        () => {
          started.push(name);
          return new Promise<void>((resolve) => ends.set(name, resolve));
        },
        signal,
      ),
    async end(name: string) {
      ends.get(name)!();
      await new Promise(setImmediate);
    },
  };
}

describe('fair slots', () => {
  test('give a tenant with many files one slot and the other slot to the next tenant', async () => {
    const { add, end, started } = tasks();
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) void add(name);
    await new Promise(setImmediate);
    expect(started).toEqual(['a1', 'b1']);
    await end('a1');
    expect(started).toEqual(['a1', 'b1', 'a2']);
    await end('a2');
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1']);
    await end('b1');
    await end('c1');
    expect(started).toEqual(['a1', 'b1', 'a2', 'c1', 'a3', 'c2']);
  });

  test('keep a slot free for approved companies when many unverified companies wait', async () => {
    const { add, end, started } = tasks();
    for (const name of ['x', 'y', 'z']) void add(name, company(name, false));
    void add('a1');
    await new Promise(setImmediate);
    expect(started).toEqual(['x', 'a1']);
    await end('a1');
    expect(started).toEqual(['x', 'a1']);
    await end('x');
    expect(started).toEqual(['x', 'a1', 'y']);
  });

  test('reject the files of a tenant that has too many waiting', async () => {
    const { add } = tasks();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void add(name);
    await expect(add('a5')).rejects.toMatchObject({ name: 'RATE_LIMIT_EXCEEDED', retry_after: 5 });
    await expect(add('a6')).rejects.toThrow(Problem);
  });

  test('never start a task that was aborted while it waited', async () => {
    const { add, end, started } = tasks();
    const abort = new AbortController();
    void add('a1');
    const aborted = add('a2', company('a'), abort.signal);
    void add('a3');
    abort.abort(new Error('canceled'));
    await expect(aborted).rejects.toThrow('canceled');
    await end('a1');
    expect(started).toEqual(['a1', 'a3']);
  });

  test('are free again when a task fails', async () => {
    const slots = fairSlots({ ...LIMITS, total: 1 });
    await expect(slots.run(company('a'), () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await slots.run(company('a'), async () => 1)).toBe(1);
  });
});
