import type { AudienceImport } from '@parley/contract/audiences/imports.ts';
import { allPermissions } from '@parley/contract/permission.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { act } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../../kernel/http/query.ts';
import { answer, draw, refuse, sessionStub, stubApi } from '../../test/draw.tsx';
import ImportPage from './ImportPage.tsx';
import { applyProgress } from './live.ts';

afterEach(() => vi.unstubAllGlobals());

const RUNNING: AudienceImport = {
  id: '',
  account_id: 'a',
  audience_id: null,
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
  options: { columns: { number: 0 }, existing: 'update' },
  total_rows: 2_000,
  processed_rows: 500,
  created_count: 0,
  updated_count: 0,
  duplicate_count: 3,
  invalid_count: 1,
  skipped_count: 0,
  has_refused: false,
  error_code: null,
  error_message: null,
  create_date: '2026-11-21 08:00:00',
  update_date: '2026-11-21 08:00:01',
};

function show(found: AudienceImport, permissions = allPermissions()) {
  const session = sessionStub({ permissions });
  const calls = stubApi((call) => {
    if (!call.path.startsWith('/v1/audience_imports')) return session(call);
    return call.method === 'DELETE' ? new Response(null, { status: 204 }) : answer(found);
  });
  return { calls, asked: () => calls.filter(({ path }) => path.startsWith('/v1/audience_imports')) };
}

test('a running import moves by what it says of itself, without being asked again', async () => {
  const { asked } = show(RUNNING);
  await draw(ImportPage);
  expect((await screen.findByRole('progressbar')).getAttribute('aria-valuetext')).toBe('500 of 2,000');
  expect(screen.getByText(/You can close this tab/)).toBeTruthy();
  const counts = () => screen.getByLabelText('What became of the rows').textContent;
  // What is stored is only known once all of it is.
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
  await waitFor(() => expect(counts()).toBe('Created1,980Updated0Left as they were0Duplicate12Invalid8'));
  expect(screen.getByText(/1,980 contacts in Spring\. 20 rows were refused/)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Download refused rows (20)' })).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Open audience' }).getAttribute('href')).toBe('/contacts/my-audiences/b');
  expect(asked()).toHaveLength(1);
});

test('canceling asks first', async () => {
  const { asked } = show(RUNNING);
  await draw(ImportPage);
  fireEvent.click(await screen.findByRole('button', { name: 'Cancel import' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Go on' }));
  expect(asked().filter(({ method }) => method === 'DELETE')).toHaveLength(0);
  await waitFor(() => expect(screen.queryByText(/Cancel the import of/)).toBeNull());
  fireEvent.click(screen.getByRole('button', { name: 'Cancel import' }));
  const dialog = await screen.findByRole('dialog', { name: /Cancel the import of/ });
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel import' }));
  await waitFor(() => expect(asked().filter(({ method }) => method === 'DELETE')).toHaveLength(1));
});

test('who may only look cannot cancel, and is told why', async () => {
  const { asked } = show(RUNNING, { ...allPermissions(), AUDIENCES: 1 });
  await draw(ImportPage);
  const button = await screen.findByRole('button', { name: 'Cancel import' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(button);
  expect(asked().filter(({ method }) => method === 'DELETE')).toHaveLength(0);
});

test.each<[string, Partial<AudienceImport>, RegExp, string | null]>([
  [
    'failed',
    { status: 'failed', error_message: 'An audience with this name exists' },
    /An audience with this name exists\. Nothing was changed\./,
    '/contacts/create-audience',
  ],
  [
    'canceled',
    { status: 'canceled', audience_id: 'b' },
    /Canceled\. Nothing was changed\./,
    '/contacts/create-audience?audience=b',
  ],
  [
    'waiting for its columns',
    { status: 'mapping', id: 'i' },
    /2,000 rows wait for their columns/,
    '/contacts/create-audience?import=i',
  ],
  [
    'completed, with people who were there',
    { status: 'completed', audience_id: 'b', created_count: 1, skipped_count: 1_999 },
    /1 contact in Spring, 1,999 were there already and stay as they were\./,
    null,
  ],
])('%s', async (_, change, words, next) => {
  show({ ...RUNNING, ...change });
  await draw(ImportPage);
  const said = await screen.findByText(words);
  const link = said.parentElement?.querySelector('a') ?? null;
  expect(link?.getAttribute('href') ?? null).toBe(next);
});

test('one that is not there', async () => {
  const session = sessionStub();
  stubApi((call) =>
    call.path.startsWith('/v1/audience_imports')
      ? refuse(404, { code: 1317, message: 'Import not found' })
      : session(call),
  );
  await draw(ImportPage);
  expect(await screen.findByText('There is no such import')).toBeTruthy();
});
