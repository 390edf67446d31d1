import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { longFile } from './long_file.ts';

async function* portions(requested: number[], count: number) {
  for (let index = 0; index < count; index++) {
    requested.push(index);
    yield Array.from({ length: 250 }, (_, line) => `${index}.${line}\n`);
  }
}

it('all lines arrive in order', async () => {
  const lines = (await text(longFile('whole', portions([], 3)))).trimEnd().split('\n');
  expect([lines.length, lines[0], lines[250], lines.at(-1)]).toEqual([750, '0.0', '1.0', '2.249']);
});

it('the next portion is requested after the previous one is read, and a paused client is disconnected', async () => {
  const requested: number[] = [];
  const file = longFile('sleeping', portions(requested, 50), 20);
  file.read(0);
  const [error] = (await once(file, 'error')) as [Error];
  expect(error.message).toBe('the client stopped reading the file');
  expect(requested).toEqual([0]);
});

it('an account can download two files at a time, and a finished or canceled download frees a slot', async () => {
  const first = longFile('busy', portions([], 1));
  const second = longFile('busy', portions([], 1));
  expect(() => longFile('busy', portions([], 1))).toThrow(expect.objectContaining({ name: 'EXPORT_LIMIT_REACHED' }));
  const other = longFile('other', portions([], 1));
  other.destroy();
  // No line from this file was ever requested.
  second.destroy();
  await once(second, 'close');
  const third = longFile('busy', portions([], 1));
  expect(() => longFile('busy', portions([], 1))).toThrow(expect.objectContaining({ name: 'EXPORT_LIMIT_REACHED' }));
  await text(first);
  const fourth = longFile('busy', portions([], 1));
  await Promise.all([third, fourth].map((file) => text(file)));
});
