/** @vitest-environment happy-dom */
import type { ConnectionTest } from '@parley/contract/connections/connection_tests.ts';
import { createConnection } from '@parley/contract/connections/connections.ts';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { ExchangeView } from './HttpExchangeView.tsx';
import { ProviderCards } from './ProviderCards.tsx';
import { findChoice, PROVIDER_GROUPS } from './provider_choices.ts';
import { RoutePanel } from './RoutePanel.tsx';

let calls: Call[];
beforeEach(() => {
  const session = sessionStub();
  calls = stubApi(async (call) => {
    if (call.method === 'POST') return respond({ id: 'c1', name: 'x', ...(call.body as object) });
    if (call.path === '/v1/connections') return respond([]);
    return session(call);
  });
});
afterEach(() => vi.unstubAllGlobals());

const lastBody = () => calls.findLast(({ method }) => method === 'POST')?.body;
const type = (label: string | RegExp, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

test('the search narrows the cards to matching providers', async () => {
  await draw(ProviderCards);
  const search = await screen.findByRole('searchbox', { name: 'Search providers' });
  const all = PROVIDER_GROUPS.flatMap(({ choices }) => choices);
  expect(screen.getAllByRole('link')).toHaveLength(all.length);
  fireEvent.change(search, { target: { value: ' VON' } });
  expect(screen.getAllByRole('link').map((card) => card.textContent)).toEqual([expect.stringMatching(/^Vonage/)]);
  fireEvent.change(search, { target: { value: 'nobody' } });
  expect(screen.getByText('No providers match your search')).toBeTruthy();
});

test('the form of a preset requires its key and its own API URL, and fills in the rest', async () => {
  const onDone = vi.fn();
  const { adapter, preset, front, requires } = findChoice('generic:signalwire')!;
  const form = { adapter, preset, front, requires, name: 'SignalWire', connection: null, onDone };
  await draw(() => <ConnectionForm {...form} endpoint={createConnection} />);
  fireEvent.click(await screen.findByRole('button', { name: 'Add connection' }));
  expect(await screen.findByText('API key is required!')).toBeTruthy();
  expect(screen.getByText('Account is required!')).toBeTruthy();
  expect(screen.getByText('Enter the API URL of the provider')).toBeTruthy();
  expect(lastBody()).toBeUndefined();
  type('API URL', 'https://acme.signalwire.com/api');
  type('Account', 'acme');
  type('API key', 'PT0123');
  fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  const body = createConnection.body.parse(lastBody());
  expect(body).toMatchObject({
    name: 'SignalWire',
    settings: { api_secret: 'PT0123', format: 'form', id_path: 'sid' },
  });
  // The page shows the generated secret once, as part of the callback URL.
  const [, settings] = onDone.mock.lastCall as [unknown, { callback_secret: string }];
  expect(settings.callback_secret).toMatch(/^[0-9a-f]{32}$/);
  expect(body.settings).toMatchObject({ callback_secret: settings.callback_secret });
});

test('more settings open when one of them is invalid', async () => {
  const { adapter, front } = findChoice('twilio')!;
  await draw(() => (
    <ConnectionForm adapter={adapter} front={front} connection={null} endpoint={createConnection} onDone={vi.fn()} />
  ));
  const more = (await screen.findByText('More settings')).closest('details')!;
  expect(more.open).toBe(false);
  type('API URL', 'twilio');
  fireEvent.click(screen.getByRole('button', { name: 'Add connection' }));
  await waitFor(() => expect(more.open).toBe(true));
});

test('an exchange shows the request, the response, and the class of a failure', async () => {
  const exchange = {
    request: { method: 'POST', url: 'https://sms.example/send', headers: [{ name: 'x-key', value: '••••' }], body: '' },
    response: { status: 429, headers: [{ name: 'retry-after', value: '5' }], body: '{"error":1}', is_cut: true },
    ms: 120,
  };
  const outcome = { ids: [], failure: { kind: 'throttled', code: '20429', text: 'Too many requests' } };
  await draw(() => <ExchangeView test={{ exchange, outcome } as unknown as ConnectionTest} />);
  const request = await screen.findByRole('region', { name: 'Request' });
  expect(request.textContent).toBe('POST https://sms.example/send\nx-key: ••••');
  const response = screen.getByRole('region', { name: 'Response' }).textContent;
  expect(response).toContain('HTTP 429\nretry-after: 5\n\n{\n  "error": 1\n}');
  expect(response).toContain('Only the beginning of the body is shown.');
  expect(screen.getByText(/^Throttled\. Messages wait/)).toBeTruthy();
});

test('the cost of a new route is sent in millionths, and its connection is preselected', async () => {
  const id = '01a1fd0a-dc6e-776b-9f75-00ea6b9caaae';
  const onClose = vi.fn();
  await draw(() => <RoutePanel open route={null} connection_id={id} onClose={onClose} onRemove={vi.fn()} />);
  fireEvent.change(await screen.findByLabelText(/^Cost(?! currency)/), { target: { value: '0.0075' } });
  fireEvent.click(screen.getByRole('button', { name: 'Add route' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  expect(lastBody()).toMatchObject({ connection_id: id, cost_micros: 7_500, percentage: null });
});
