/** @vitest-environment happy-dom */
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useVisibleRows } from './visible_rows.ts';

const HEIGHTS = Array.from({ length: 1_000 }, (_, index) => (index === 0 ? 96 : 62));

function drawRows() {
  const element = document.createElement('div');
  Object.defineProperty(element, 'clientHeight', { value: 620 });
  const scroller = { current: element };
  return { element, hook: renderHook(() => useVisibleRows(scroller, HEIGHTS)) };
}

test('a list renders only the rows in view and a few around them', () => {
  const { element, hook } = drawRows();
  expect(hook.result.current).toMatchObject({ first: 0, offset: 0, height: 96 + 999 * 62 });
  expect(hook.result.current.end).toBeLessThan(30);
  element.scrollTop = 31_000;
  act(() => void element.dispatchEvent(new Event('scroll')));
  const { first, end, offset } = hook.result.current;
  expect(offset).toBe(96 + (first - 1) * 62);
  expect(offset).toBeLessThan(31_000);
  expect(96 + (end - 1) * 62).toBeGreaterThan(31_620);
  expect(end - first).toBeLessThan(40);
});

test('a list scrolls to a row only when the row is out of view', () => {
  const { element, hook } = drawRows();
  hook.result.current.scrollTo(3);
  expect(element.scrollTop).toBe(0);
  hook.result.current.scrollTo(20);
  expect(element.scrollTop).toBe(96 + 20 * 62 - 620);
  hook.result.current.scrollTo(0);
  expect(element.scrollTop).toBe(0);
});
