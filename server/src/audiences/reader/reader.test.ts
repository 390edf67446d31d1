import { readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { runTask } from './reader.ts';

const PEOPLE = 'Number,First name\n+12025550123,Ann\n';
const company = (account_id: string) => ({ account_id, verified: true });
const preview = (account_id: string, open: () => Promise<Readable>, signal?: AbortSignal) =>
  runTask(
    { kind: 'preview', options: { country: 'US', max_rows: 100_000 } },
    { tenant: company(account_id), open, limit_ms: 20_000, ...(signal ? { signal } : {}) },
  );
const people = async () => Readable.from([Buffer.from(PEOPLE)]);

const readers = (): string[] =>
  readdirSync('/proc/self/task')
    .flatMap((task) => readFileSync(`/proc/self/task/${task}/children`, 'utf8').trim().split(' '))
    .filter((pid) => pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('reader_process'));

// Only Linux lists the child processes of a process.
test.runIf(process.platform === 'linux')(
  'a reader process ends with its file and never reads a second one',
  async () => {
    const seen: string[][] = [];
    const watched = async () => {
      seen.push(readers());
      return people();
    };
    for (const account_id of ['a', 'b']) {
      expect(await preview(account_id, watched)).toMatchObject({ row_count: 1 });
      expect(readers()).toEqual([]);
    }
    expect(seen[0]).toHaveLength(1);
    expect(seen.at(-1)).toHaveLength(1);
    expect(seen.at(-1)).not.toEqual(seen[0]);
  },
);

test('a company with many files waits for its own reader while other companies continue', async () => {
  const abort = new AbortController();
  const stalled = async () => new Readable({ read() {} });
  const waiting = Array.from({ length: 5 }, () => preview('a', stalled, abort.signal).catch((error) => error));
  await expect(preview('a', people)).rejects.toMatchObject({ name: 'RATE_LIMIT_EXCEEDED', status: 429 });
  expect(await preview('b', people)).toMatchObject({ row_count: 1 });
  abort.abort(new Error('canceled'));
  for (const result of await Promise.all(waiting)) expect(result.message).toBe('canceled');
  expect(await preview('a', people)).toMatchObject({ row_count: 1 });
});
