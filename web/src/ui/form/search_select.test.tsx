import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { CountrySelect } from './CountrySelect.tsx';
import { countryOptions } from './countries.ts';
import { rankOptions } from './SearchSelect.tsx';

const onSubmit = vi.fn();
function Page() {
  const [country, setCountry] = useState<string | null>('US');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(country);
      }}
    >
      <CountrySelect label="Country" value={country} onChange={setCountry} />
      <button type="submit">Send</button>
    </form>
  );
}

beforeEach(() => {
  onSubmit.mockClear();
  stubApi(sessionStub());
});
afterEach(() => vi.unstubAllGlobals());

const field = () => screen.getByRole('combobox', { name: 'Country' }) as HTMLInputElement;
const highlighted = () => document.querySelector('[data-combobox-selected]')?.textContent ?? null;
function write(text: string): void {
  field().focus();
  fireEvent.input(field(), { target: { value: text } });
}
/** Presses Enter. It submits the form unless the field prevents it. */
const enter = () => {
  if (fireEvent.keyDown(field(), { key: 'Enter', code: 'Enter' })) fireEvent.submit(field().form!);
};

test('the list is drawn when the user reaches the field, and the arrow key opens it at the current value', async () => {
  await draw(Page);
  const count = () => document.querySelectorAll('[role=option]').length;
  expect(count()).toBe(1);
  field().focus();
  await waitFor(() => expect(count()).toBe(countryOptions().length));
  fireEvent.keyDown(field(), { key: 'ArrowDown', code: 'ArrowDown' });
  await waitFor(() => expect(highlighted()).toBe('United States (US)'));
});

test('Enter selects the typed country without submitting, and the next submit sends it', async () => {
  await draw(Page);
  write('India');
  await waitFor(() => expect(highlighted()).toBe('India (IN)'));
  enter();
  await waitFor(() => expect(field().value).toBe('India (IN)'));
  expect(onSubmit).not.toHaveBeenCalled();
  fireEvent.submit(field().form!);
  expect(onSubmit).toHaveBeenCalledWith('IN');
});

test('leaving the field selects the typed country', async () => {
  await draw(Page);
  write('germ');
  await waitFor(() => expect(highlighted()).toBe('Germany (DE)'));
  fireEvent.blur(field());
  await waitFor(() => expect(field().value).toBe('Germany (DE)'));
  fireEvent.submit(field().form!);
  expect(onSubmit).toHaveBeenCalledWith('DE');
});

test('text without a match is not submitted, and leaving the field restores the previous country', async () => {
  await draw(Page);
  write('Atlantis');
  expect(await screen.findByText('No countries found')).toBeTruthy();
  enter();
  expect(onSubmit).not.toHaveBeenCalled();
  fireEvent.blur(field());
  await waitFor(() => expect(field().value).toBe('United States (US)'));
});

test('options rank exact codes first and prefix matches second, ignoring diacritics', () => {
  const labels = (search: string) =>
    rankOptions({ options: countryOptions(), search, limit: Number.POSITIVE_INFINITY }).map((option) =>
      'label' in option ? option.label : '',
    );
  expect(labels('India').slice(0, 2)).toEqual(['India (IN)', 'British Indian Ocean Territory (IO)']);
  expect(labels('de')[0]).toBe('Germany (DE)');
  expect(labels('us')[0]).toBe('United States (US)');
  expect(labels('aland')).toEqual(['Åland Islands (AX)', 'New Zealand (NZ)']);
  expect(labels('')).toHaveLength(countryOptions().length);
});
