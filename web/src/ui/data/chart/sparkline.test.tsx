/** @vitest-environment happy-dom */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { drawLine, Sparkline } from './Sparkline.tsx';

test('a sparkline spans its values from the bottom to the top', () => {
  expect(drawLine([0, 10, 5], 0, 10)).toEqual([
    [2, 22],
    [48, 2],
    [94, 12],
  ]);
});

test('a sparkline is a line at the bottom when its figure never changes', () => {
  expect(drawLine([7, 7], 7, 7).map(([, y]) => y)).toEqual([22, 22]);
  render(<Sparkline values={[7, 7]} period="Last hour" />);
  expect(screen.getByRole('img', { name: 'Last hour: always 7' })).toBeTruthy();
});

test('a sparkline is hidden when there are fewer than two values', () => {
  const { container } = render(<Sparkline values={[7]} period="Last hour" />);
  expect(container.childElementCount).toBe(0);
});
