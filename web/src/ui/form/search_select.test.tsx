import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { draw, sessionStub, stubApi } from '../../test/draw.tsx';
import { CountrySelect } from './CountrySelect.tsx';
import { countryOptions } from './countries.ts';
import { bestFirst } from './SearchSelect.tsx';

const sent = vi.fn();
function Page() {
  const [country, setCountry] = useState<string | null>('US');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        sent(country);
      }}
    >
      <CountrySelect label="Country" value={country} onChange={setCountry} />
      <button type="submit">Send</button>
    </form>
  );
}

beforeEach(() => {
  sent.mockClear();
  stubApi(sessionStub());
});
afterEach(() => vi.unstubAllGlobals());

const field = () => screen.getByRole('combobox', { name: 'Country' }) as HTMLInputElement;
const highlighted = () => document.querySelector('[data-combobox-selected]')?.textContent ?? null;
function write(text: string): void {
  field().focus();
  fireEvent.input(field(), { target: { value: text } });
}
/** What a browser does with Enter in a field of a form, unless somebody takes it. */
const enter = () => {
  if (fireEvent.keyDown(field(), { key: 'Enter', code: 'Enter' })) fireEvent.submit(field().form!);
};

test('Enter takes what is typed and sends nothing; the next one sends the new country', async () => {
  await draw(Page);
  write('India');
  await waitFor(() => expect(highlighted()).toBe('India (IN)'));
  enter();
  await waitFor(() => expect(field().value).toBe('India (IN)'));
  expect(sent).not.toHaveBeenCalled();
  fireEvent.submit(field().form!);
  expect(sent).toHaveBeenCalledWith('IN');
});

test('leaving the field takes it as well', async () => {
  await draw(Page);
  write('germ');
  await waitFor(() => expect(highlighted()).toBe('Germany (DE)'));
  fireEvent.blur(field());
  await waitFor(() => expect(field().value).toBe('Germany (DE)'));
  fireEvent.submit(field().form!);
  expect(sent).toHaveBeenCalledWith('DE');
});

test('what is in no list is not sent as the country before: Enter stays there, and leaving shows what stands', async () => {
  await draw(Page);
  write('Atlantis');
  expect(await screen.findByText('No country of this name')).toBeTruthy();
  enter();
  expect(sent).not.toHaveBeenCalled();
  fireEvent.blur(field());
  await waitFor(() => expect(field().value).toBe('United States (US)'));
});

test('what begins with the text goes first, a code before that, and letters without their marks are found', () => {
  const found = (search: string) =>
    bestFirst({ options: countryOptions(), search, limit: Number.POSITIVE_INFINITY }).map((one) =>
      'label' in one ? one.label : '',
    );
  expect(found('India').slice(0, 2)).toEqual(['India (IN)', 'British Indian Ocean Territory (IO)']);
  expect(found('de')[0]).toBe('Germany (DE)');
  expect(found('us')[0]).toBe('United States (US)');
  expect(found('aland')).toEqual(['Åland Islands (AX)', 'New Zealand (NZ)']);
  expect(found('')).toHaveLength(countryOptions().length);
});
