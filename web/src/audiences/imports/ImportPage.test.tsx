import type { AudienceImport, ImportRow } from '@parley/contract/audiences/imports.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../kernel/http/query.ts';
import { draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import ImportPage from './ImportPage.tsx';
import { applyProgress } from './live.ts';

afterEach(() => vi.unstubAllGlobals());

const RUNNING: AudienceImport = {
  id: '',
  account_id: 'a',
  audience_id: null,
  channel: 'SMS',
  audience_name: 'Spring',
  filename: 'people.csv',
  status: 'running',
  preview: {
    format: 'csv',
    encoding: 'utf-8',
    delimiter: ',',
    has_header: true,
    columns: [],
    sample_rows: [],
    row_count: 2_000,
  },
  options: { columns: { number: 0 }, existing: 'update', tags: [], consent: null },
  total_rows: 2_000,
  processed_rows: 500,
  created_count: 0,
  updated_count: 0,
  duplicate_count: 3,
  invalid_count: 1,
  skipped_count: 0,
  shortened_count: 0,
  consecutive_count: 0,
  has_refused: false,
  error_code: null,
  error_message: null,
  undo_date: null,
  create_date: '2026-11-21 08:00:00',
  update_date: '2026-11-21 08:00:01',
};

const ROWS: ImportRow[] = [
  { id: '3', line: 3, kind: 'invalid', code: 1354, reason: 'The number is missing', values: ['', 'Dee'] },
  {
    ...{ id: '9', line: 9, kind: 'shortened', code: null, reason: 'First name was shortened to 32 characters' },
    values: ['+12025550103', 'A long name'],
  },
];

function show(record: AudienceImport, permissions = allPermissions()) {
  const session = sessionStub({ permissions });
  const calls = stubApi((call) => {
    if (!call.path.startsWith('/v1/audience_imports')) return session(call);
    if (call.path.endsWith('/rows')) return respond(ROWS, { total: ROWS.length, links: { next: null } });
    return call.method === 'DELETE' ? new Response(null, { status: 204 }) : respond(record);
  });
  return { calls, requests: () => calls.filter(({ path }) => /^\/v1\/audience_imports\/?$/.test(path)) };
}

test('a running import shows live progress without a refetch', async () => {
  const { requests } = show(RUNNING);
  await draw(ImportPage);
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuetext')).toBe('500 of 2,000');
  expect(screen.getByText(/You can close this tab/)).toBeTruthy();
  const counts = () => screen.getByLabelText('Rows by result').textContent;
  // The number of stored rows is known only at the end.
  expect(counts()).toMatch(/Created.*Duplicate3Invalid1$/);
  expect(counts()).not.toMatch(/Created0/);

  const { preview: _, ...rest } = RUNNING;
  await act(async () => applyProgress(queryClient, { ...rest, processed_rows: 1_500, duplicate_count: 9 }));
  await waitFor(() => expect(screen.getByRole('progressbar').getAttribute('aria-valuetext')).toBe('1,500 of 2,000'));
  await act(async () =>
    applyProgress(queryClient, {
      ...rest,
      status: 'completed',
      audience_id: 'b',
      processed_rows: 2_000,
      created_count: 1_980,
      duplicate_count: 12,
      invalid_count: 8,
      has_refused: true,
    }),
  );
  await waitFor(() => expect(counts()).toBe('Created1,980Updated0Unchanged0Duplicate12Invalid8'));
  expect(screen.getByText(/1,980 contacts in Spring\. 20 rows skipped/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download skipped rows (20)' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open audience' }).getAttribute('href')).toBe('/contacts/my-audiences/b');
  expect(requests()).toHaveLength(1);
});

test('a completed import lists the rows to check with their values and links to a campaign', async () => {
  const column = (name: string) => ({ name, guess: null, samples: [] });
  const { calls } = show({
    ...RUNNING,
    ...{ status: 'completed', audience_id: 'b', created_count: 1_992, invalid_count: 1, shortened_count: 7 },
    preview: { ...RUNNING.preview, columns: [column('Phone'), column('Given name')] },
  });
  await draw(ImportPage);
  expect(await screen.findByText(/7 contacts had a text that was too long\. It was shortened to fit\./)).toBeTruthy();
  const row = await screen.findByRole('row', { name: /The number is missing/ });
  expect(within(row).getByText('Dee')).toBeTruthy();
  expect(screen.getByRole('columnheader', { name: 'Given name' })).toBeTruthy();
  fireEvent.click(screen.getByText('Shortened 7'));
  await waitFor(() => expect(calls.at(-1)?.query.get('filter[kind]')).toBe('shortened'));
  const next = screen.getByRole('link', { name: 'Create campaign with this audience' });
  expect(next.getAttribute('href')).toBe('/sms/create-campaign?audience=b');
});

test('an import is canceled only after confirmation', async () => {
  const { requests } = show(RUNNING);
  await draw(ImportPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel import' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Continue import' }));
  expect(requests().filter(({ method }) => method === 'DELETE')).toHaveLength(0);
  await waitFor(() => expect(screen.queryByText(/Cancel the import of/)).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
  const dialog = await screen.findByRole('dialog', { name: /Cancel the import of/ });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel import' }));
  await waitFor(() => expect(requests().filter(({ method }) => method === 'DELETE')).toHaveLength(1));
});

test('a user with only view permission cannot cancel an import', async () => {
  const { requests } = show(RUNNING, { ...allPermissions(), AUDIENCES: 1 });
  await draw(ImportPage);
  const button = await screen.findByRole('button', { name: 'Cancel import' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(requests().filter(({ method }) => method === 'DELETE')).toHaveLength(0);
});

test.each<[string, Partial<AudienceImport>, RegExp, string | null]>([
  [
    'failed',
    { status: 'failed', error_message: 'An audience with this name already exists' },
    /An audience with this name already exists\. No contacts were changed\./,
    '/contacts/create-audience',
  ],
  [
    'canceled',
    { status: 'canceled', audience_id: 'b' },
    /Import canceled\. No contacts were changed\./,
    '/contacts/create-audience?audience=b',
  ],
  [
    'not mapped yet',
    { status: 'mapping', id: 'i' },
    /2,000 rows uploaded\. Map the columns/,
    '/contacts/create-audience?import=i',
  ],
  [
    'completed with existing contacts',
    { status: 'completed', audience_id: 'b', created_count: 1, skipped_count: 1_999 },
    /1 contact in Spring, 1,999 already existed and were not changed\./,
    null,
  ],
])('an import that is %s shows its result and the next step', async (_, change, expected, next) => {
  show({ ...RUNNING, ...change });
  await draw(ImportPage);
  const result = await screen.findByText(expected);
  const link = result.parentElement?.querySelector('a') ?? null;
  expect(link?.getAttribute('href') ?? null).toBe(next);
});

test('an import that does not exist shows a not-found page', async () => {
  const session = sessionStub();
  stubApi((call) =>
    call.path.startsWith('/v1/audience_imports')
      ? refuse(404, { code: 1317, message: 'Import not found' })
      : session(call),
  );
  await draw(ImportPage);
  expect(await screen.findByText('Import not found')).toBeTruthy();
});
