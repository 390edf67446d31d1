import { listStopList } from '@parley/contract/audiences/stop_list.ts';
import type { BulkJob } from '@parley/contract/bulk/bulk.ts';
import { IconTrash } from '@tabler/icons-react';
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '../kernel/http/query.ts';
import { ListTable } from '../kernel/list/ListTable.tsx';
import { useList } from '../kernel/list/list.tsx';
import { ACCOUNT, draw, respond, sessionStub, stubApi, USER } from '../test/draw.tsx';
import type { Column } from '../ui/data/table/DataTable.tsx';
import { BulkProgress } from './BulkProgress.tsx';
import { bulkAction } from './bulk_action.ts';
import { outcomeText } from './words.ts';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const JOB: BulkJob = {
  id: '0197a5f0-0000-7000-8000-0000000000b1',
  account_id: ACCOUNT.id,
  action: 'remove_stop_list_entries',
  params: {},
  status: 'running',
  total_rows: 1_204,
  done_count: 300,
  refused_count: 1,
  reasons: [{ code: 1370, message: 'Stop list entry not found', count: 1 }],
  error_message: null,
  user_id: USER.id,
  create_date: '2026-01-02 10:00:00',
  update_date: '2026-01-02 10:00:01',
};
const FILTERS = ['search'] as const;
const COLUMNS: Column<{ id: string }>[] = [{ key: 'number', title: 'Number', render: ({ id }) => id }];
const onOne = vi.fn();
const QUESTION = (rows: string) => ({ title: `Allow ${rows}?`, consequence: '', action: `Allow ${rows}` });

function Stops() {
  const list = useList(listStopList, { filters: FILTERS, subject: 'The stop list' });
  return (
    <>
      <BulkProgress name="remove_stop_list_entries" />
      <ListTable
        id="test.bulk"
        label="Stop list"
        noun="numbers"
        list={list as never}
        columns={COLUMNS}
        rowKey={(row) => row.id}
        empty={null}
        bulk={[
          bulkAction({
            name: 'remove_stop_list_entries',
            label: 'Allow',
            icon: IconTrash,
            reason: null,
            onOne,
            question: QUESTION,
          }),
        ]}
      />
    </>
  );
}

function stubJobs(initial: BulkJob[]) {
  const state = { jobs: initial };
  const session = sessionStub();
  const rows = Array.from({ length: 10 }, (_, index) => ({ id: `row-${index}` }));
  const calls = stubApi((call) => {
    if (call.path === '/v1/stop_list') return respond(rows, { number: 1, size: 10, total: 1_204, links: {} });
    if (call.path !== '/v1/bulk_jobs') return session(call);
    if (call.method === 'POST') {
      state.jobs = [JOB];
      return respond(JOB);
    }
    return respond(state.jobs, { number: 1, size: 10, total: state.jobs.length, links: {} });
  });
  return { state, calls };
}

test('an action for all pages sends the filter and shows progress and the result', async () => {
  const { state, calls } = stubJobs([]);
  await draw(Stops, { address: '/?search=4474' });
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Select all rows on this page' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Select all 1,204' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Allow' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Allow 1,204 numbers' }));
  const sent = () => calls.find(({ method, path }) => method === 'POST' && path === '/v1/bulk_jobs');
  await waitFor(() => expect(sent()).toBeDefined());
  expect(sent()!.body).toEqual({
    action: 'remove_stop_list_entries',
    filter: { search: '4474' },
    selection_age: expect.any(Number),
  });
  expect(await screen.findByRole('progressbar', { name: 'Removing numbers from the stop list' })).toBeTruthy();
  expect(screen.queryByRole('toolbar')).toBeNull();

  state.jobs = [{ ...JOB, status: 'completed', done_count: 1_203 }];
  await queryClient.invalidateQueries({ queryKey: ['bulk_jobs'] });
  const result = await screen.findByText(/1,203 numbers removed from the stop list\. 1 not removed/);
  expect(result.textContent).toContain('Stop list entry not found (1)');
  fireEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await waitFor(() => expect(screen.queryByText(/1,203 numbers/)).toBeNull());
});

test('an action for the rows of one page sends their ids', async () => {
  const { calls } = stubJobs([]);
  await draw(Stops);
  fireEvent.click((await screen.findAllByRole('checkbox', { name: 'Select row-3' }))[0]!);
  fireEvent.click(screen.getByRole('checkbox', { name: 'Select row-5' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Allow' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Allow 2 numbers' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
  expect(calls.find(({ method }) => method === 'POST')!.body).toEqual({
    action: 'remove_stop_list_entries',
    ids: ['row-3', 'row-5'],
  });
});

test('an action for one row runs immediately, as it does outside bulk mode', async () => {
  const { calls } = stubJobs([]);
  await draw(Stops);
  fireEvent.click((await screen.findAllByRole('checkbox', { name: 'Select row-3' }))[0]!);
  fireEvent.click(await screen.findByRole('button', { name: 'Allow' }));
  expect(onOne).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ id: 'row-3' }));
  expect(screen.queryByRole('toolbar')).toBeNull();
  expect(calls.some(({ method }) => method === 'POST')).toBe(false);
});

test('a job that ended before the page opened is not shown', async () => {
  stubJobs([{ ...JOB, id: 'old', status: 'completed' }]);
  await draw(Stops);
  await screen.findByRole('checkbox', { name: 'Select all rows on this page' });
  expect(screen.queryByText(/numbers removed/)).toBeNull();
});

test('the result of a job shows why it stopped', () => {
  expect(outcomeText({ ...JOB, status: 'canceled', refused_count: 0 })).toBe(
    '300 numbers removed from the stop list. Canceled before all rows were processed.',
  );
  expect(outcomeText({ ...JOB, status: 'failed', refused_count: 0, error_message: 'No permission' })).toContain(
    'Stopped: No permission',
  );
});
