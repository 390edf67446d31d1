import { expect, test } from 'vitest';
import { ID_MARGIN_MS, idAt, newId } from './clock.ts';

const HOUR_MS = 3_600_000;

test('ids are in order of creation, even within one millisecond and when the clock is set back a little', () => {
  const now = Date.now() + HOUR_MS;
  const ids = Array.from({ length: 10_000 }, (_, index) => newId(now - (index % 3)));
  expect(ids).toEqual([...new Set(ids)].sort());
});

test('ids follow the clock when it is set back by hours', () => {
  const now = Date.now() + 2 * HOUR_MS;
  newId(now + HOUR_MS);
  const id = newId(now);
  expect(id > idAt(now - ID_MARGIN_MS) && id < idAt(now + ID_MARGIN_MS)).toBe(true);
});

test('ids for now do not follow an id for a later time', () => {
  const now = Date.now();
  const later = newId(now + 60_000);
  const [first, second] = [newId(), newId()];
  expect(first < later && first < idAt(Date.now() + 1_000) && first < second).toBe(true);
});
