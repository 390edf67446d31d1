import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import type { Kernel } from '../kernel/kernel.ts';
import { type OpenConnection, shareOpenings } from './connections.ts';

/** A database whose reads end when the test ends them. Each read returns its number as the name. */
function startReads() {
  const reads: ((row: object | null) => void)[] = [];
  const maybeOne = () => new Promise((resolve) => reads.push(resolve));
  const end = (number: number) =>
    reads[number - 1]!({ name: `read ${number}`, channel: 'SMS', adapter: 'smpp', settings: {} });
  const begun = (count: number) => vi.waitFor(() => expect(reads).toHaveLength(count));
  return { kernel: { db: { maybeOne } } as unknown as Kernel, reads, begun, end };
}
const readName = (connection: OpenConnection | null) => connection?.name;

test('callers that arrive during a read share the next one', async () => {
  const { kernel, reads, begun, end } = startReads();
  const open = shareOpenings(kernel);
  const first = [open('a'), open('a')];
  await begun(1);
  const later = [open('a'), open('a'), open('a')];
  // Longer than the time for which callers wait for others.
  await pause(50);
  expect(reads).toHaveLength(1);
  end(1);
  expect((await Promise.all(first)).map(readName)).toEqual(['read 1', 'read 1']);
  await begun(2);
  end(2);
  expect((await Promise.all(later)).map(readName)).toEqual(['read 2', 'read 2', 'read 2']);
});

test('connections do not wait for each other, and a failed read fails only its own callers', async () => {
  const { kernel, reads, begun, end } = startReads();
  const open = shareOpenings(kernel);
  const slow = open('a');
  const other = open('b');
  await begun(2);
  end(2);
  expect(readName(await other)).toBe('read 2');
  const next = open('a');
  reads[0]!({ name: 'bad', channel: 'SMS', adapter: 'unknown', settings: {} });
  await expect(slow).rejects.toThrow();
  await begun(3);
  end(3);
  expect(readName(await next)).toBe('read 3');
});
