import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { ThemeProvider } from '../../theme/ThemeProvider.tsx';
import { PhoneInput } from './PhoneInput.tsx';

async function drawInput(country = 'DE') {
  const onChange = vi.fn();
  render(
    <ThemeProvider>
      <PhoneInput label="Phone number" country={country} onChange={onChange} />
    </ThemeProvider>,
  );
  // The numbering rules take a moment to load.
  await waitFor(() =>
    expect((screen.getByRole('combobox', { name: 'Country' }) as HTMLInputElement).value).toMatch(/\(\+/),
  );
  const field = screen.getByLabelText('Phone number') as HTMLInputElement;
  const type = (value: string) => {
    field.focus();
    // Typing leaves the caret after the last character.
    Object.defineProperty(field, 'selectionStart', { configurable: true, get: () => field.value.length });
    fireEvent.change(field, { target: { value } });
  };
  return { onChange, field, type };
}

test('a national number is grouped for display and reported in international format', async () => {
  const { onChange, field, type } = await drawInput();
  type('017604069014');
  expect(field.value).toBe('0176 04069014');
  expect(onChange).toHaveBeenLastCalledWith('+4917604069014');
});

test('a number that begins with + selects its country', async () => {
  const { onChange, field, type } = await drawInput();
  type('+447400900901');
  expect(field.value).toBe('+44 7400 900901');
  expect((screen.getByRole('combobox', { name: 'Country' }) as HTMLInputElement).value).toBe('United Kingdom (+44)');
  expect(onChange).toHaveBeenLastCalledWith('+447400900901');
});

test('text that is not a phone number is reported as typed so that the server can reject it', async () => {
  const { onChange, type } = await drawInput();
  type('1');
  expect(onChange).toHaveBeenLastCalledWith('1');
});
