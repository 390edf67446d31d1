/** @vitest-environment happy-dom */
import type { Message } from '@parley/contract/messages.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answer, type Call, draw, refuse, sessionStub, stubApi } from '../test/draw.tsx';
import { TestPage } from './TestPage.tsx';
import TryItNowPage from './TryItNowPage.tsx';
import { withTested } from './tested.ts';

afterEach(() => vi.unstubAllGlobals());

const STATE = {
  id: 'SMS',
  numbers: [
    { number: '4917604069077', country: 'DE', mine: true },
    { number: '4917604069078', country: 'DE', mine: false },
  ],
  limit: 20,
  left: 12,
  senders: [
    { id: '0197a5f0-0000-7000-8000-0000000000a1', name: 'Harbour', code: '4917139200000', lent: false, countries: [] },
    { id: 'try-it-now', name: 'Try it now', code: 'Parley', lent: true, countries: [] },
  ],
  blockers: [],
  notes: [],
  phones_url: 'http://localhost:4100',
};
const PERMISSIONS = { MESSAGES: 15, TEMPLATES: 15, MEDIA: 15 };
const stub = (state: object, reply: (call: Call) => Response | undefined = () => undefined) =>
  stubApi((call) =>
    call.path.startsWith('/v1/try_it_now/')
      ? answer(state)
      : (reply(call) ?? sessionStub({ permissions: PERMISSIONS })(call)),
  );

test('the channels that are there can be tried; of the others one can ask for three, and two are coming', async () => {
  stubApi(sessionStub({ permissions: PERMISSIONS }));
  await draw(() => <TryItNowPage />);
  expect(screen.getAllByRole('link', { name: /^Try it: (SMS|WhatsApp|Viber)$/ })).toHaveLength(3);
  expect(screen.getAllByRole('link', { name: /^Contact us about/ })).toHaveLength(3);
  expect(screen.getAllByText('Coming soon')).toHaveLength(2);
});

test('a test is sent as a test, and the very request is there to be repeated by a program', async () => {
  const calls = stub(STATE, ({ method, path }) =>
    method === 'POST' && path === '/v1/messages'
      ? answer([
          {
            id: 'm1',
            channel: 'SMS',
            direction: 'MT',
            to: '4917604069077',
            from: 'x',
            text: 'Hi',
            status: 'enroute',
            content: null,
            create_date: '2030-01-01 10:00:00',
            status_details: null,
            source: 'test',
          },
        ])
      : undefined,
  );
  await draw(() => <TestPage channel="SMS" />);
  fireEvent.change(await screen.findByLabelText('Message'), { target: { value: "It's me" } });
  fireEvent.click(screen.getByRole('button', { name: 'Send test' }));
  await screen.findByText('The same by a program');
  const sent = calls.find(({ method }) => method === 'POST')!;
  expect(sent.body).toEqual({
    from: STATE.senders[0]!.id,
    to: ['4917604069077'],
    channel: 'SMS',
    text: "It's me",
    test: true,
  });
  const code = screen.getByLabelText('The same by a program').querySelector('pre')!.textContent!;
  expect(code).toContain('X-API-Key: YOUR_API_KEY');
  const asked = code.slice(code.indexOf("-d '") + 4, code.lastIndexOf("'")).replaceAll("'\\''", "'");
  expect(JSON.parse(asked)).toEqual({ data: sent.body });
  fireEvent.click(screen.getByText('JavaScript (fetch)'));
  expect(screen.getByLabelText('The same by a program').querySelector('pre')!.textContent).toContain('"test": true');
  expect(screen.getByRole('link', { name: /virtual phone/ }).getAttribute('href')).toBe(
    'http://localhost:4100/#/phones/4917604069077',
  );
});

test('every refusal is said, under its field where it has one', async () => {
  stub(STATE, ({ method }) =>
    method === 'POST'
      ? refuse(
          400,
          { code: 1523, message: 'Test messages go to your own confirmed phones only: 1', field: 'to' },
          { code: 7909, message: 'The balance is not enough' },
        )
      : undefined,
  );
  await draw(() => <TestPage channel="SMS" />);
  fireEvent.click(await screen.findByRole('button', { name: 'Send test' }));
  expect(await screen.findByText(/own confirmed phones only/)).toBeTruthy();
  expect(screen.getByRole('alert').textContent).toBe('The balance is not enough');
});

test('what stands in the way is said with the way out, and nothing can be sent', async () => {
  stub({
    ...STATE,
    senders: [],
    blockers: [{ code: 1505, text: 'There is no Viber sender yet.', path: '/add-channel' }],
    phones_url: null,
  });
  await draw(() => <TestPage channel="VIBER" />);
  expect(await screen.findByText('There is no Viber sender yet.')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Set it up' }).getAttribute('href')).toBe('/add-channel');
  expect((screen.getByRole('button', { name: 'Send test' }) as HTMLButtonElement).disabled).toBe(true);
  await waitFor(() => expect(screen.queryByRole('link', { name: /virtual phone/ })).toBeNull());
});

test('statuses only rise, and what comes late takes its place', () => {
  const message = (id: string, status: string) => ({ id, status }) as Message;
  const known = withTested([message('2', 'sent')], message('1', 'received'));
  expect(known.map(({ id }) => id)).toEqual(['1', '2']);
  expect(withTested(known, message('2', 'enroute'))).toBe(known);
  expect(withTested(known, message('2', 'read'))[1]!.status).toBe('read');
});
