/** @vitest-environment happy-dom */
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { placeBeside } from '../layout/placement.ts';
import { Tooltip } from './Tooltip.tsx';

const drawButton = (onMouseEnter = () => {}) => {
  render(
    <Tooltip label="Save as CSV">
      <button type="button" onMouseEnter={onMouseEnter}>
        Save
      </button>
    </Tooltip>,
  );
  return screen.getByRole('button');
};

test('a tooltip describes its control while the pointer is on it, and Esc closes it', async () => {
  const entered = vi.fn();
  const button = drawButton(entered);
  expect(screen.queryByRole('tooltip')).toBeNull();
  fireEvent.mouseEnter(button);
  const tooltip = await screen.findByRole('tooltip');
  expect([tooltip.textContent, button.getAttribute('aria-describedby')]).toEqual(['Save as CSV', tooltip.id]);
  expect(entered).toHaveBeenCalledOnce();
  fireEvent.keyDown(document, { key: 'Escape' });
  expect(screen.queryByRole('tooltip')).toBeNull();
  expect(button.getAttribute('aria-describedby')).toBeNull();
});

test('a tooltip does not open when the pointer only passes over its control', async () => {
  const button = drawButton();
  fireEvent.mouseEnter(button);
  fireEvent.mouseLeave(button);
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test.each([
  ['above its control', 'top', [200, 100, 20, 20], { left: 160, top: 54 }],
  ['below a control at the top edge', 'top', [200, 10, 20, 20], { left: 160, top: 36 }],
  ['inside the window at the left edge', 'top', [0, 100, 20, 20], { left: 8, top: 54 }],
  ['left of a control at the right edge', 'right', [370, 100, 20, 20], { left: 264, top: 90 }],
] as const)('a box is placed %s', (_, side, [x, y, width, height], expected) => {
  const anchor = { left: x, top: y, right: x + width, bottom: y + height, width, height } as DOMRect;
  expect(placeBeside(anchor, { width: 100, height: 40 }, side, { width: 400, height: 300 })).toEqual(expected);
});
