import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listStopList } from '@parley/contract/audiences/stop_list.ts';
import { EXPORT_COLUMNS } from '@parley/contract/exports/columns.ts';
import type { Export } from '@parley/contract/exports/exports.ts';
import { EXPORT_LIST_NAMES, type ExportList } from '@parley/contract/exports/lists.ts';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { useList } from '../kernel/list/list.tsx';
import { ACCOUNT, draw, respond, sessionStub, stubApi, USER } from '../test/draw.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { ExportMenu } from './ExportMenu.tsx';
import ExportsPage from './ExportsPage.tsx';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  localStorage.clear();
});

const EXPORT: Export = {
  id: '0197a5f0-0000-7000-8000-0000000000e1',
  account_id: ACCOUNT.id,
  list: 'stop_list',
  format: 'csv',
  time_zone: 'UTC',
  filename: 'stop-list-2026-01-02.csv',
  status: 'COMPLETED',
  rows_count: 1_204,
  total_rows: 1_204,
  bytes: 20_480,
  error_message: null,
  user_id: USER.id,
  create_date: '2026-01-02 10:00:00',
  update_date: '2026-01-02 10:00:01',
  expire_date: '2026-01-09 10:00:00',
};
const FILTERS = ['search'] as const;
const COLUMNS: Column<{ id: string }>[] = [
  { key: 'number', title: 'Number', render: () => '' },
  { key: 'reason', title: 'Reason', hidden: true, render: () => '' },
  { key: 'text', title: 'Text', render: () => '' },
];

function Stops() {
  const list = useList(listStopList, { filters: FILTERS, subject: 'The stop list' });
  return <ExportMenu name="stop_list" list={list} table="test.stops" columns={COLUMNS} />;
}

test('an export has the filters and the shown columns of the list in their order', async () => {
  localStorage.setItem('parley.columns.test.stops', JSON.stringify({ shown: {}, order: ['text', 'number'] }));
  const session = sessionStub();
  const calls = stubApi((call) => {
    if (call.path === '/v1/exports') return respond({ ...EXPORT, status: 'PENDING' });
    if (call.path === '/v1/stop_list') return respond([], { number: 1, size: 10, total: 0, links: {} });
    return session(call);
  });
  await draw(Stops, { address: '/?search=4474&page=3' });
  fireEvent.click(screen.getByRole('button', { name: 'Export' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Excel file (XLSX)' }));
  const sent = () => calls.find(({ method, path }) => method === 'POST' && path === '/v1/exports');
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()!.body).toEqual({
    list: 'stop_list',
    format: 'xlsx',
    filter: { search: '4474' },
    columns: ['text', 'number'],
    time_zone: ACCOUNT.timezone,
  });
});

test('the page of exports shows progress and why an export failed', async () => {
  const session = sessionStub();
  const rows = [
    EXPORT,
    { ...EXPORT, id: 'e2', filename: 'b.csv', status: 'IN_PROGRESS', rows_count: 500, bytes: null },
    { ...EXPORT, id: 'e3', filename: 'c.csv', status: 'PENDING', error_message: 'Too many rows', bytes: null },
  ];
  stubApi((call) =>
    call.path === '/v1/exports' ? respond(rows, { number: 1, size: 10, total: 3, links: {} }) : session(call),
  );
  await draw(ExportsPage);
  expect(await screen.findByText('500 of 1,204')).toBeTruthy();
  expect(screen.getByText('20 KB')).toBeTruthy();
  expect(screen.getByRole('note', { name: 'Failed: Too many rows' })).toBeTruthy();
});

const SOURCE = join(import.meta.dirname, '..');
/** The text of the file that offers the export of a list, and of the file with its columns. */
function pageSource(list: ExportList): string {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' });
  const paths = files.filter((path) => /(?<!\.test)\.tsx$/.test(path));
  const menu = new RegExp(`<ExportMenu\\s+name="${list}"`);
  const page = paths.find((path) => menu.test(readFileSync(join(SOURCE, path), 'utf8')));
  const text = readFileSync(join(SOURCE, page ?? ''), 'utf8');
  const columns = /import \{ COLUMNS \} from '(.*)'/.exec(text)?.[1];
  return columns ? readFileSync(join(SOURCE, dirname(page!), columns), 'utf8') : text;
}

/** The inbox and a person's page have no table, so their files have all columns. */
const TABLES = EXPORT_LIST_NAMES.filter((name) => name !== 'conversations' && name !== 'person');

test.each(TABLES)('the export of %s has every column of its table', (list) => {
  const definition = /COLUMNS: Column<[^=]+>\[\] = \[([\s\S]*?)\n\];/.exec(pageSource(list))![1]!;
  const keys = [...definition.matchAll(/key: '(\w+)'/g)].map(([, key]) => key);
  expect(keys.length).toBeGreaterThan(3);
  const exported = EXPORT_COLUMNS[list].map(({ key }) => key);
  expect(keys.filter((key) => !exported.includes(key!))).toEqual([]);
});
