/** @vitest-environment happy-dom */

import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { act, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThemeProvider } from '../../ui/theme/ThemeProvider.tsx';
import { queryClient } from '../http/query.ts';
import { writeToken } from '../http/token.ts';
import { parseSearch, stringifySearch } from '../session/routes.tsx';
import { ListTable } from './ListTable.tsx';
import { useList } from './list.tsx';

const requests: URL[] = [];
let fail = false;

beforeEach(() => {
  requests.length = 0;
  fail = false;
  queryClient.clear();
  writeToken('test-token');
  vi.stubGlobal('fetch', async (url: string) => {
    const address = new URL(url, 'http://localhost');
    requests.push(address);
    if (fail) return Response.json({ errors: [{ code: 1136, message: 'You may not' }] }, { status: 403 });
    const number = Number(address.searchParams.get('page'));
    const size = Number(address.searchParams.get('page_size'));
    const data = Array.from({ length: size }, (_, index) => ({
      id: `${number}-${index}`,
      name: `Audience ${number}-${index}`,
    }));
    return Response.json({ data, pagination: { number, size, total: 95, links: {} } });
  });
});
afterEach(() => vi.unstubAllGlobals());

const FILTERS = ['search', 'channel'];
const openRow = vi.fn();

function Page() {
  const list = useList(listAudiences, { subject: 'The audiences', filters: FILTERS });
  return (
    <ListTable
      list={list}
      id="test.audiences"
      label="Audiences"
      noun="audiences"
      search="Search audiences"
      facets={[
        {
          key: 'channel',
          label: 'Channel',
          options: [
            { value: 'SMS', label: 'SMS' },
            { value: 'VIBER', label: 'Viber' },
          ],
        },
      ]}
      columns={[
        { key: 'name', title: 'Name', fixed: true, render: (row) => row.name },
        { key: 'channel', title: 'Channel', render: (row) => row.channel },
        { key: 'count', title: 'Contacts', render: (row) => row.contacts_count },
      ]}
      rowKey={(row) => row.id}
      rowName={(row) => row.name}
      onOpen={openRow}
      bulk={[{ key: 'x', label: 'Delete', onSelect: (_, clear) => clear() }]}
      empty="Nothing yet"
    />
  );
}

async function open(address: string) {
  const router = createRouter({
    routeTree: createRootRoute({ component: Page }),
    history: createMemoryHistory({ initialEntries: [address] }),
    parseSearch,
    stringifySearch,
  });
  await router.load();
  render(
    <ThemeProvider>
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </ThemeProvider>,
  );
  return router;
}
const last = () => (requests.at(-1) as URL).searchParams;

test('the URL contains the list’s page, page size, and filters', async () => {
  const router = await open('/?page=3&page_size=20&search=spring');
  await screen.findByText('Audience 3-0');
  expect(Object.fromEntries(last())).toEqual({ page: '3', page_size: '20', 'filter[search]': 'spring' });
  expect(screen.getByText('41–60 of 95')).toBeTruthy();

  fireEvent.click(screen.getByLabelText('Next page'));
  await screen.findByText('Audience 4-0');
  expect(router.state.location.searchStr).toBe('?page=4&page_size=20&search=spring');

  // A different page size returns to the first page. Default values are omitted from the URL.
  fireEvent.change(screen.getByLabelText('Rows per page'), { target: { value: '10' } });
  await screen.findByText('Audience 1-0');
  expect(router.state.location.searchStr).toBe('?search=spring');
});

test('a search waits for a pause in typing and opens the first page, and Clear removes it from the URL', async () => {
  const router = await open('/?page=2');
  await screen.findByText('Audience 2-0');
  const before = requests.length;
  const field = screen.getByLabelText('Search audiences');
  for (const text of ['w', 'wi', 'winter']) fireEvent.change(field, { target: { value: text } });
  await waitFor(() => expect(last().get('filter[search]')).toBe('winter'));
  expect(requests.length - before).toBe(1);
  expect(router.state.location.searchStr).toBe('?search=winter');

  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));
  await waitFor(() => expect(router.state.location.searchStr).toBe(''));
  expect((field as HTMLInputElement).value).toBe('');
});

test('a facet filters the list until its chip is cleared', async () => {
  const router = await open('/');
  await screen.findByText('Audience 1-0');
  fireEvent.click(screen.getByRole('button', { name: 'Channel' }));
  const dialog = await screen.findByRole('dialog');
  fireEvent.click(within(dialog).getByLabelText('Viber'));
  await waitFor(() => expect(last().get('filter[channel]')).toBe('VIBER'));
  expect(router.state.location.searchStr).toBe('?channel=VIBER');
  fireEvent.click(screen.getByLabelText('Clear Channel'));
  await waitFor(() => expect(router.state.location.searchStr).toBe(''));
});

test('an error replaces the rows until Retry loads them', async () => {
  fail = true;
  await open('/');
  expect(await screen.findByText('The audiences could not be loaded')).toBeTruthy();
  expect(screen.getByText('You may not')).toBeTruthy();
  expect(screen.getByText('No audiences loaded')).toBeTruthy();
  fail = false;
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(await screen.findByText('Audience 1-0')).toBeTruthy();
});

test('arrow keys move between rows, Enter opens a row, and Space selects it', async () => {
  await open('/');
  const first = (await screen.findByText('Audience 1-0')).closest('tr') as HTMLElement;
  const rows = [...(first.parentElement?.children ?? [])] as HTMLElement[];
  expect(rows.map((row) => row.tabIndex)).toEqual([0, ...Array(9).fill(-1)]);
  act(() => first.focus());
  fireEvent.keyDown(first, { key: 'ArrowDown' });
  await waitFor(() => expect(document.activeElement === rows[1]).toBe(true));
  fireEvent.keyDown(rows[1] as HTMLElement, { key: 'End' });
  await waitFor(() => expect(document.activeElement === rows[9]).toBe(true));
  fireEvent.keyDown(rows[9] as HTMLElement, { key: 'Enter' });
  expect(openRow.mock.lastCall?.[0].id).toBe('1-9');
  fireEvent.keyDown(rows[9] as HTMLElement, { key: ' ' });
  expect(await screen.findByText('1 selected', undefined, { timeout: 10_000 })).toBeTruthy();
  fireEvent.click(screen.getByLabelText('Select all rows on this page'));
  expect(screen.getByText('10 selected')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Delete' }));
  expect(screen.queryByText('10 selected')).toBeNull();
});

test('a hidden column is remembered in local storage', async () => {
  await open('/');
  await screen.findByText('Audience 1-0');
  fireEvent.click(screen.getByLabelText('Choose columns'));
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Contacts' }));
  expect(screen.queryByRole('columnheader', { name: 'Contacts' })).toBeNull();
  const stored = JSON.parse(localStorage.getItem('parley.columns.test.audiences') as string);
  expect(stored).toEqual({ shown: { count: false }, order: [] });
});
