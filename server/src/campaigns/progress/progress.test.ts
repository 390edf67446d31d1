import { expect, test } from 'vitest';
import { pauseAfter } from './progress.ts';

test('the pause after a count lasts 1 to 3 seconds, or longer when the count is slow', () => {
  expect([1, 50, 100, 149, 1_000, 1_500, 2_500].map(pauseAfter)).toEqual([
    1_000, 1_000, 2_000, 2_980, 3_000, 3_000, 5_000,
  ]);
});
