/** @vitest-environment happy-dom */
import { MAX_UNDO_SECONDS } from '@parley/contract/messages/undo.ts';
import { afterEach, expect, test } from 'vitest';
import { readUndoSeconds, saveUndoSeconds, UNDO_TIMES } from './undo_time.ts';

afterEach(() => localStorage.clear());

test('replies wait five seconds unless the user chooses another time', () => {
  expect(readUndoSeconds()).toBe(5);
  for (const seconds of UNDO_TIMES) {
    saveUndoSeconds(seconds);
    expect(readUndoSeconds()).toBe(seconds);
  }
  expect(Math.max(...UNDO_TIMES)).toBe(MAX_UNDO_SECONDS);
});

test.each(['', 'soon', '31', '-5', '5.0'])('a stored time that is not offered (%j) counts as the default', (stored) => {
  localStorage.setItem('parley.undo_seconds', stored);
  expect(readUndoSeconds()).toBe(5);
});
