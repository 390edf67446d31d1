/** @vitest-environment happy-dom */
import { MantineProvider } from '@mantine/core';
import { fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Chart } from './Chart.tsx';

const ROWS = [
  { day: '21-11', delivered: 30, failed: 10 },
  { day: '22-11', delivered: 0, failed: 0 },
];
beforeEach(() => vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(600));
afterEach(() => vi.restoreAllMocks());

const drawChart = (rows = ROWS) =>
  render(
    <MantineProvider>
      <Chart
        title="Delivery by day"
        kind="bar"
        stacked
        rows={rows}
        x={{ key: 'day', label: 'Day' }}
        series={[
          { key: 'delivered', label: 'Delivered', color: 'var(--ok-mark)' },
          { key: 'failed', label: 'Failed', color: 'var(--fail-mark)' },
        ]}
        file="delivery"
        empty="Nothing sent"
      />
    </MantineProvider>,
  ).container;

test('a stacked bar has one part for each value above zero, on top of each other', () => {
  const bars = [...drawChart().querySelectorAll('svg rect')];
  expect(bars).toHaveLength(2);
  const [delivered, failed] = bars.map((bar) => Number(bar.getAttribute('height')));
  expect(delivered! / failed!).toBeCloseTo(3);
  expect(Number(bars[1]!.getAttribute('y')) + failed!).toBeCloseTo(Number(bars[0]!.getAttribute('y')));
});

test('pointing at a bar shows its figures with their total', () => {
  drawChart();
  const move = new MouseEvent('pointermove', { bubbles: true, clientX: 100 });
  fireEvent(screen.getByRole('img'), move);
  expect(screen.getByText('Total').nextElementSibling?.textContent).toBe('40');
});

test('a chart without values shows its empty state', () => {
  drawChart([{ day: '21-11', delivered: 0, failed: 0 }]);
  expect(screen.getByText('Nothing sent')).toBeTruthy();
});
