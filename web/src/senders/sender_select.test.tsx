/** @vitest-environment happy-dom */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import AddStopPage from '../audiences/stop_list/AddStopPage.tsx';
import StopListPage from '../audiences/stop_list/StopListPage.tsx';
import type { Saver } from '../registrations/section.ts';
import { StartStep } from '../registrations/sms/StartStep.tsx';
import { draw, respond, sessionStub, stubApi } from '../test/draw.tsx';
import { SenderSelect, senderLabel } from './SenderSelect.tsx';

afterEach(() => vi.unstubAllGlobals());

const sender = (id: string, name: string, code: string, overrides: object = {}) => ({
  ...{ id: `01a1fd0a-dc6e-776b-9f75-00ea6b9cab${id}`, name, code, channel: 'SMS', type: 'local', pool_id: null },
  ...overrides,
});
const FIRST = [sender('01', 'Aldgate', '447410000301'), sender('02', 'Borough', '447410000302')];
const FAR = sender('99', 'Wharf', '447410000399');

/** Stubs a server with hundreds of senders: the first page contains `rows`, and a search also finds FAR. */
function serve(rows = FIRST, total = 300) {
  return stubApi((call) => {
    if (call.path !== '/v1/senders') return sessionStub()(call);
    const name = call.query.get('filter[name]');
    const matches = name === null ? rows : [...rows, FAR].filter((row) => `${row.name} ${row.code}`.includes(name));
    return respond(matches, {
      ...{ number: 1, size: 50, total: name === null ? total : matches.length },
      links: { first: '', current: '', previous: null, next: null },
    });
  });
}
const searches = (calls: ReturnType<typeof serve>) =>
  calls.filter(({ path }) => path === '/v1/senders').map(({ query }) => query.get('filter[name]'));
const option = (name: RegExp) => screen.findByRole('option', { name, hidden: true });

test('a sender outside the first page is found by name and stays selected when the list resets', async () => {
  const calls = serve();
  await draw(AddStopPage);
  const field = (await screen.findByRole('combobox', { name: 'Block messages from' })) as HTMLInputElement;
  fireEvent.click(field);
  await option(/^Aldgate/);
  field.focus();
  fireEvent.input(field, { target: { value: 'Wharf' } });
  fireEvent.click(await option(/^Wharf/));
  await waitFor(() => expect(field.value).toBe('Wharf (+44 7410 000399)'));
  expect(await option(/^Aldgate/)).toBeTruthy();
  // The label of the selected sender is not sent as a search.
  expect(new Set(searches(calls))).toEqual(new Set([null, 'Wharf']));
});

test('the sender filter of the stop list searches on the server', async () => {
  serve();
  await draw(StopListPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Sender' }));
  expect(await screen.findByLabelText(/^Borough/)).toBeTruthy();
  fireEvent.change(screen.getByPlaceholderText('Search'), { target: { value: '+44 7410 000399' } });
  expect(await screen.findByLabelText(/^Wharf/)).toBeTruthy();
  expect(screen.queryByLabelText(/^Borough/)).toBeNull();
});

test('a registration’s number field searches only numbers that need registration', async () => {
  const calls = serve();
  const onChange = vi.fn();
  const saver: Saver = { current: null };
  await draw(() => <StartStep kind="tcr" sender={null} saver={saver} onSender={onChange} />);
  const field = await screen.findByRole('combobox', { name: 'Number' });
  field.focus();
  fireEvent.input(field, { target: { value: 'Wharf' } });
  fireEvent.click(await option(/^Wharf/));
  await saver.current!();
  expect(onChange).toHaveBeenCalledWith(FAR.id);
  const { query } = calls.find(({ path }) => path === '/v1/senders')!;
  expect(query.get('filter[types]')).toBe('local');
  expect(query.get('filter[statuses]')).toBe('unregistered,rejected,pending');
});

test('the only available sender is selected automatically, exactly once', async () => {
  const onlySender = vi.fn();
  const Only = () => {
    const [value, setValue] = useState<string | null>(null);
    return (
      <SenderSelect
        label="Sender"
        by="code"
        standalone
        value={value}
        onChange={setValue}
        onOnly={({ code }) => {
          onlySender(code);
          setValue(code);
        }}
      />
    );
  };
  serve([FAR], 1);
  await draw(Only);
  const field = (await screen.findByRole('combobox', { name: 'Sender' })) as HTMLInputElement;
  await waitFor(() => expect(field.value).toBe('Wharf (+44 7410 000399)'));
  expect(onlySender.mock.calls).toEqual([['447410000399']]);
});

test('a hint replaces the select when there are no senders', async () => {
  serve([], 0);
  await draw(() => <SenderSelect label="Sender" value={null} onChange={() => {}} empty={<p>You have none</p>} />);
  expect(await screen.findByText('You have none')).toBeTruthy();
  expect(screen.queryByRole('combobox', { name: 'Sender' })).toBeNull();
});

test('a sender label shows a number once and marks a short code that has no code yet', async () => {
  expect(senderLabel({ name: 'Harbour', code: 'Harbour' })).toBe('Harbour');
  expect(senderLabel({ name: '+447410000399', code: '447410000399' })).toMatch(/^\+44[ 0-9]+$/);
  expect(senderLabel({ name: 'Short code US', code: '', type: 'short_code' })).toBe('Short code US (no code yet)');
});
