/** @vitest-environment happy-dom */

import { fireEvent, render, screen } from '@testing-library/react';
import type { ComponentProps } from 'react';
import { expect, test, vi } from 'vitest';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { Pagination } from './Pagination.tsx';

const draw = (props: Partial<ComponentProps<typeof Pagination>>) =>
  render(
    <ThemeProvider>
      <Pagination number={1} size={10} total={undefined} noun="messages" onPage={vi.fn()} onSize={vi.fn()} {...props} />
    </ThemeProvider>,
  );
const range = () => screen.getAllByRole('status')[0]?.textContent;
const isDisabled = (label: string) => (screen.getByLabelText(label) as HTMLButtonElement).disabled;

test('the footer names no number while the list loads', () => {
  draw({});
  expect(range()).toBe('Loading messages…');
  expect(screen.getByText('Page 1')).toBeTruthy();
  expect(isDisabled('Next page')).toBe(true);
});

test('the footer shows that nothing is loaded when the list failed, and keeps the Previous button enabled', () => {
  draw({ isFailed: true, number: 3 });
  expect(range()).toBe('No messages loaded');
  expect([isDisabled('Previous page'), isDisabled('Next page')]).toEqual([false, true]);
});

test('the footer states the range and the pages when all rows were counted', () => {
  draw({ number: 3, total: 25 });
  expect(range()).toBe('21–25 of 25');
  expect(screen.getByText('3 / 3')).toBeTruthy();
  expect(isDisabled('Next page')).toBe(true);
});

test('the footer offers to count exactly when there are more rows than were counted', () => {
  const onCount = vi.fn();
  draw({ number: 2, total: 10_000, isMore: true, hasNext: true, onCount });
  expect(range()).toBe('11–20 of more than 10,000');
  expect(screen.getByText('Page 2')).toBeTruthy();
  expect(isDisabled('Next page')).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Count exactly' }));
  expect(onCount).toHaveBeenCalledOnce();
});

test('the footer offers Retry when the rows could not be updated', () => {
  const onRetry = vi.fn();
  draw({ total: 3, onRetry });
  expect(screen.getByText('The last update failed.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(onRetry).toHaveBeenCalledOnce();
});
