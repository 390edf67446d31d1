/** @vitest-environment happy-dom */

import type { Account, User } from '@parley/contract/accounts/accounts.ts';
import { MessageDetail } from '@parley/contract/messages/details.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../kernel/http/query.ts';
import { writeToken } from '../kernel/http/token.ts';
import { parseSearch, stringifySearch } from '../kernel/session/routes.tsx';
import { SessionProvider, useSessionContext } from '../kernel/session/session.tsx';
import { ACCOUNT, USER } from '../test/draw.tsx';
import { ThemeProvider } from '../ui/theme/ThemeProvider.tsx';
import { InsightsPage } from './InsightsPage.tsx';

const DATE = '2026-11-21 10:00:00';
const account: Account = { ...ACCOUNT, country_code: 'GB' };
const user = (permissions: Record<string, number>): User => ({ ...USER, permissions });

const failed = MessageDetail.parse({
  ...{
    id: 'm1',
    account_id: 'a',
    conversation_id: null,
    text: `${'a'.repeat(153)}END`.padEnd(170, '.'),
    from: 'Harbour',
    to: '37491900901',
  },
  ...{
    channel: 'SMS',
    type: 'text',
    content: null,
    template_id: null,
    status: 'failed',
    direction: 'MT',
    source: 'api',
    create_date: DATE,
    update_date: DATE,
    schedule: null,
  },
  ...{
    segments_count: 2,
    encoding: 'GSM-7',
    country: 'AM',
    mccmnc: '28301',
    network: 'Team Telecom',
    price: 0.19,
    price_micros: 190_000,
  },
  ...{
    currency: 'USD',
    charge: 'settled',
    sender_id: 's',
    campaign_id: null,
    user_id: null,
    failure: 'rejected',
    carrier_code: '27',
  },
  ...{ segment_count: 2, priority: 'api', wa_category: null, verification_status: null, url: null, variables: [] },
  ...{ sender: { id: 's', name: 'Harbour', code: 'Harbour' }, links: { self: '/v1/messages/m1', account: '/' } },
  status_details: 'The phone could not be reached (carrier code 27)',
  timeline: [
    { at: '2026-11-21 10:00:00.000', status: 'enroute', source: 'gate' },
    { at: '2026-11-21 10:00:00.120', status: 'sent', source: 'carrier', detail: { ids: ['x1', 'x2'] } },
    {
      at: '2026-11-21 10:00:02.120',
      status: 'failed',
      source: 'carrier',
      code: '27',
      text: 'The phone could not be reached (carrier code 27)',
    },
    { at: '2026-11-21 10:00:01.000', status: 'sent', source: 'carrier', late: true },
  ],
  ...{
    payload: 'order 7',
    expire_date: DATE,
    hold_id: 'h',
    campaign_name: null,
    sender_name: 'Harbour',
    user_name: null,
  },
  ...{
    key_name: 'Demo key',
    smpp_system_id: null,
    volume: null,
    connection_name: 'Main',
    possible_duplicate: false,
    attempts: 1,
    external_ids: ['x1', 'x2'],
    contact: { id: 'c1', audience_id: 'a1', name: 'Ada Lund' },
    fallbacks: [],
    decisions: [
      { rule: 'sender', result: 'passed', values: { name: 'Harbour', status: 'approved' } },
      { rule: 'session', result: 'skipped', values: {} },
    ],
    consent: null,
    clicks: [],
    replies: [{ id: 'r1', text: 'On my way', create_date: DATE }],
  },
});
const waiting = MessageDetail.parse({
  ...failed,
  id: 'm2',
  status: 'scheduled',
  failure: null,
  carrier_code: null,
  status_details: null,
  charge: 'held',
});

let requests: URL[];
let removed: string[];
let permissions: Record<string, number>;

beforeEach(() => {
  requests = [];
  removed = [];
  permissions = { MESSAGES: 15, SENDERS: 1 };
  queryClient.clear();
  writeToken('token');
  vi.stubGlobal('fetch', async (path: string, init: RequestInit) => {
    const url = new URL(path, 'http://localhost');
    const record = (data: unknown) => Response.json({ data });
    const page = (data: unknown[]) =>
      Response.json({ data, pagination: { number: 1, size: 10, total: data.length, links: {} } });
    if (url.pathname === '/v1/events') return new Response(new ReadableStream());
    if (url.pathname === '/v1/accounts/self') return record(account);
    if (url.pathname === '/v1/users/self') return record(user(permissions));
    if (url.pathname === '/v1/senders') return page([]);
    if (init.method === 'DELETE') {
      removed.push(url.pathname);
      return new Response(null, { status: 204 });
    }
    requests.push(url);
    if (url.pathname === '/v1/messages') return page([failed, waiting]);
    return record(url.pathname.endsWith('m2') ? waiting : failed);
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(path: string) {
  const root = createRootRoute({ component: SignedIn });
  const router = createRouter({
    routeTree: root,
    history: createMemoryHistory({ initialEntries: [path] }),
    parseSearch,
    stringifySearch,
  });
  render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <SessionProvider>
          <RouterProvider router={router as never} />
        </SessionProvider>
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return router;
}

function SignedIn() {
  return useSessionContext().state.kind === 'in' ? <InsightsPage /> : null;
}

test('a row opens its message and adds the message ID to the URL', async () => {
  const router = open('/?tab=log');
  const table = await screen.findByRole('table', { name: 'Messages' });
  fireEvent.click((await within(table).findByText('Failed')).closest('tr')!);
  const panel = await screen.findByRole('dialog');
  await within(panel).findByText('The carrier or the phone rejected the message');
  expect(router.state.location.search).toMatchObject({ message: 'm1' });

  const timeline = within(panel).getByRole('list', { name: 'Timeline' });
  expect(
    within(timeline)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual([
    expect.stringMatching(/^Accepted.*Parley/),
    expect.stringMatching(/^Sent.*Carrier · 120 ms laterids x1, x2$/),
    expect.stringMatching(/^Failed.*Carrier · 2\.0 s laterThe phone could not be reached \(carrier code 27\)$/),
    expect.stringMatching(/^Sent.*Carrier · arrived too late to change the status$/),
  ]);
  const rules = within(panel).getByRole('list', { name: 'Why the message was accepted' });
  expect(
    within(rules)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(['The sender is approvedname Harbour · status approved', 'The channel allows the purposeDoes not apply']);
  expect(within(panel).getByRole('list', { name: 'Replies and clicks' }).textContent).toMatch(/^Reply.*On my way$/);
  expect(within(panel).queryByRole('list', { name: 'Consent' })).toBeNull();
  expect(panel.textContent).toContain('170 characters · 2 segments · GSM-7');
  expect(panel.textContent).toContain('$0.19, charged');
  expect(panel.textContent).toContain('API, key “Demo key”');
  expect(within(panel).getByText('Segments').nextSibling?.textContent).toBe('2');
  expect(within(panel).getByRole('link', { name: 'Ada Lund' }).getAttribute('href')).toMatch(
    /audiences\/a1\?.*open=c1/,
  );
  expect(within(panel).getByTitle('Next segment').nextSibling?.textContent).toMatch(/^END/);
  expect(within(panel).queryByRole('button', { name: 'Cancel message' })).toBeNull();
});

test('the log converts its statuses, dates, and number to API filters', async () => {
  open('/?statuses=undelivered,answered&from=2026-11-21&to=2026-11-21&search=3749&campaign=c1&direction=MT');
  await waitFor(() => expect(requests.length).toBeGreaterThan(0));
  const query = requests[0]!.searchParams;
  expect(Object.fromEntries(query)).toEqual({
    page: '1',
    page_size: '10',
    'filter[direction]': 'MT',
    'filter[to_prefix]': '3749',
    'filter[statuses]': 'failed,rejected,expired,blocked,unsubscribed,received',
    'filter[campaign_ids]': 'c1',
    'filter[created_date_start]': '2026-11-20 20:00:00',
    'filter[created_date_end]': '2026-11-21 19:59:59',
  });
});

test('a message that has not been sent is canceled after confirmation', async () => {
  open('/?message=m2');
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel message' }));
  const question = await screen.findByText('Cancel this message?');
  const dialog = question.closest('[role="dialog"]') as HTMLElement;
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel message' }));
  await waitFor(() => expect(removed).toEqual(['/v1/messages/m2']));
});

test('the cancel button is disabled for a user who can only view messages', async () => {
  permissions = { MESSAGES: 1 };
  open('/?message=m2');
  const button = await screen.findByRole('button', { name: 'Cancel message' });
  fireEvent.click(button);
  expect(screen.queryByText('Cancel this message?')).toBeNull();
  expect(button.getAttribute('aria-disabled') ?? button.getAttribute('data-disabled')).toBe('true');
});
