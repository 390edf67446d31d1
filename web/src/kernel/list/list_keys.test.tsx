/** @vitest-environment happy-dom */

import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import { listMessages } from '@parley/contract/messages/messages.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactElement, useState } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ThemeProvider } from '../../ui/theme/ThemeProvider.tsx';
import { queryClient } from '../http/query.ts';
import { writeToken } from '../http/token.ts';
import { parseSearch, stringifySearch } from '../session/routes.tsx';
import { ListTable } from './ListTable.tsx';
import { useList } from './list.tsx';

const requests: URLSearchParams[] = [];
let total = 3;

beforeEach(() => {
  requests.length = 0;
  total = 3;
  queryClient.clear();
  writeToken('test-token');
  vi.stubGlobal('fetch', async (url: string) => {
    const { searchParams } = new URL(url, 'http://localhost');
    requests.push(searchParams);
    const number = Number(searchParams.get('page'));
    const exact = searchParams.get('count') === 'exact';
    const data = Array.from({ length: Math.max(0, Math.min(3, total - (number - 1) * 10)) }, (_, index) => ({
      id: String(index),
      name: `Row ${index}`,
    }));
    const pagination = {
      number,
      size: 10,
      total,
      ...(total > 10_000 && !exact ? { total_is_estimate: true } : {}),
      links: { next: total > number * 10 ? 'next' : null },
    };
    return Response.json({ data, pagination });
  });
});
afterEach(() => vi.unstubAllGlobals());

const FILTERS = ['search'];

function Page() {
  const list = useList(listAudiences, { subject: 'The rows', filters: FILTERS });
  const [open, setOpen] = useState<string | null>(null);
  return (
    <>
      <ListTable
        list={list}
        id="test.keys"
        label="Rows"
        noun="rows"
        search="Search rows"
        columns={[
          { key: 'name', title: 'Name', sort: 'name', render: (row) => row.name },
          { key: 'channel', title: 'Channel', render: (row) => row.channel },
        ]}
        rowKey={(row) => row.id}
        rowName={(row) => row.name}
        onOpen={(row) => setOpen(row.id)}
        openKey={open}
        bulk={[{ key: 'x', label: 'Delete', onSelect: vi.fn() }]}
        empty="Nothing yet"
      />
      {open !== null && (
        <aside aria-label="Panel">
          <button type="button">Action</button>
          {`Panel of ${open}`}
        </aside>
      )}
    </>
  );
}

function Log() {
  const list = useList(listMessages, { subject: 'The messages', filters: FILTERS });
  return (
    <ListTable
      list={list}
      id="test.log"
      label="Messages"
      noun="messages"
      columns={[{ key: 'id', title: 'ID', render: (row) => row.id }]}
      rowKey={(row) => row.id}
      empty="Nothing yet"
    />
  );
}

async function open(component: () => ReactElement, address = '/') {
  const router = createRouter({
    routeTree: createRootRoute({ component }),
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

const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
const focusedRow = () => document.activeElement?.closest('tr')?.textContent ?? null;
const expectRow = (text: string) => waitFor(() => expect(focusedRow()).toBe(text));

test('J and K move between rows, X selects a row, and Esc clears the selection', async () => {
  await open(Page);
  await screen.findByText('Row 0');
  press('j');
  await expectRow('Row 0');
  press('j');
  await expectRow('Row 1');
  press('x');
  expect(screen.getByText('1 selected')).toBeTruthy();
  press('k');
  await expectRow('Row 0');
  press('K');
  await expectRow('Row 0');
  press('Escape');
  expect(screen.queryByText('1 selected')).toBeNull();
});

test('J, K, and arrows open the next record while a panel is open', async () => {
  await open(Page);
  fireEvent.click(await screen.findByText('Row 0'));
  await screen.findByText('Panel of 0');
  screen.getByRole('button', { name: 'Action' }).focus();
  press('ArrowDown');
  await screen.findByText('Panel of 1');
  await expectRow('Row 1');
  press('j');
  await screen.findByText('Panel of 2');
  await expectRow('Row 2');
  press('ArrowUp');
  await screen.findByText('Panel of 1');
});

test('a slash focuses the search, where letters are text', async () => {
  await open(Page);
  await screen.findByText('Row 0');
  press('/');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Search rows');
  press('j');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Search rows');
});

test('shortcuts do nothing while a modal dialog is open', async () => {
  await open(Page);
  await screen.findByText('Row 0');
  const dialog = document.createElement('div');
  dialog.setAttribute('aria-modal', 'true');
  document.body.append(dialog);
  press('j');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(focusedRow()).toBeNull();
  dialog.remove();
});

test('a page behind the last one opens the last page', async () => {
  total = 12;
  const router = await open(Page, '/?page=9');
  await waitFor(() => expect(router.state.location.searchStr).toBe('?page=2'));
  expect(await screen.findByText('11–12 of 12')).toBeTruthy();
});

test('a list with more rows than were counted counts them on request', async () => {
  total = 1_234_567;
  await open(Log);
  expect(await screen.findByText('1–10 of more than 10,000')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Count exactly' }));
  expect(await screen.findByText('1–10 of 1,234,567')).toBeTruthy();
  expect(requests.at(-1)?.get('count')).toBe('exact');
  expect(screen.queryByRole('button', { name: 'Count exactly' })).toBeNull();
});

test('a list ignores a sort order that its endpoint does not have', async () => {
  await open(Page, '/?sort=-channel');
  await screen.findByText('Row 0');
  expect(requests[0]?.get('sort')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Channel' })).toBeNull();
});

test('a column header sorts the list, returns to its first page, and keeps its filters', async () => {
  total = 30;
  const router = await open(Page, '/?page=2&search=row');
  await screen.findByText('Row 0');
  for (const sort of ['name', '-name', null]) {
    fireEvent.click(screen.getByRole('button', { name: 'Name' }));
    await waitFor(() => expect(requests.at(-1)?.get('sort')).toBe(sort));
    expect([requests.at(-1)?.get('page'), requests.at(-1)?.get('filter[search]')]).toEqual(['1', 'row']);
    expect(router.state.location.searchStr).toBe(sort ? `?search=row&sort=${sort}` : '?search=row');
  }
});
