import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi } from '../../../test/draw.tsx';
import { DateField } from './DateField.tsx';

const onSend = vi.fn<(value: string) => void>();
beforeEach(() => {
  onSend.mockClear();
  stubApi(sessionStub());
});
afterEach(() => vi.unstubAllGlobals());

function Start() {
  const [value, setValue] = useState('2026-11-28T14:30');
  return (
    <>
      <DateField
        kind="datetime"
        label="Start"
        value={value}
        onChange={(next) => {
          setValue(next);
          onSend(next);
        }}
      />
      <button type="button" onClick={() => setValue('2027-01-01T08:00')}>
        Reset
      </button>
    </>
  );
}

test('typed text becomes the value, and text that is not a date is reported at the field', async () => {
  await draw(Start);
  const input = screen.getByLabelText<HTMLInputElement>('Start');
  expect(input.value).toBe('28-11-2026 14:30');
  fireEvent.change(input, { target: { value: '1 feb 2027 9pm' } });
  expect(onSend).toHaveBeenLastCalledWith('2027-02-01T21:00');
  fireEvent.blur(input);
  expect(input.value).toBe('01-02-2027 21:00');
  fireEvent.change(input, { target: { value: 'soon' } });
  expect(onSend).toHaveBeenLastCalledWith('soon');
  fireEvent.blur(input);
  expect(screen.getByText('Enter a date as DD-MM-YYYY HH:mm')).toBeTruthy();
  fireEvent.click(screen.getByText('Reset'));
  expect(input.value).toBe('01-01-2027 08:00');
  expect(screen.queryByText('Enter a date as DD-MM-YYYY HH:mm')).toBeNull();
});

test('the box offers days and times, and Esc returns to the field', async () => {
  await draw(Start);
  const input = screen.getByLabelText<HTMLInputElement>('Start');
  fireEvent.keyDown(input, { key: 'ArrowDown', altKey: true });
  fireEvent.click(await screen.findByRole('button', { name: '30 November 2026' }));
  expect(onSend).toHaveBeenLastCalledWith('2026-11-30T14:30');
  fireEvent.keyDown(screen.getByRole('button', { name: '16:00' }), { key: 'Escape' });
  expect(screen.queryByRole('dialog')).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Open calendar' }));
  fireEvent.click(await screen.findByRole('button', { name: '16:00' }));
  expect(onSend).toHaveBeenLastCalledWith('2026-11-30T16:00');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(document.activeElement).toBe(input);
});
