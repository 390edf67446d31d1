import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ThemeProvider } from '../theme/ThemeProvider.tsx';
import { PhoneInput } from './PhoneInput.tsx';

async function drawn(country = 'DE') {
  const heard = vi.fn();
  render(
    <ThemeProvider>
      <PhoneInput label="Phone number" country={country} onChange={heard} />
    </ThemeProvider>,
  );
  // The rules come a moment later.
  await waitFor(() =>
    expect((screen.getByRole('combobox', { name: 'Country' }) as HTMLInputElement).value).toMatch(/\(\+/),
  );
  const field = screen.getByLabelText('Phone number') as HTMLInputElement;
  const type = (value: string) => {
    field.focus();
    // As it is typed: with the caret behind the last character.
    Object.defineProperty(field, 'selectionStart', { configurable: true, get: () => field.value.length });
    fireEvent.change(field, { target: { value } });
  };
  return { heard, field, type };
}

test('a number as it is dialled at home is grouped, and told in its international form', async () => {
  const { heard, field, type } = await drawn();
  type('017604069014');
  expect(field.value).toBe('0176 04069014');
  expect(heard).toHaveBeenLastCalledWith('+4917604069014');
});

test('one that begins with + chooses its country', async () => {
  const { heard, field, type } = await drawn();
  type('+447400900901');
  expect(field.value).toBe('+44 7400 900901');
  expect((screen.getByRole('combobox', { name: 'Country' }) as HTMLInputElement).value).toBe('United Kingdom (+44)');
  expect(heard).toHaveBeenLastCalledWith('+447400900901');
});

test('what cannot be a number goes to the server as it is: it says what is wrong', async () => {
  const { heard, type } = await drawn();
  type('1');
  expect(heard).toHaveBeenLastCalledWith('1');
});
