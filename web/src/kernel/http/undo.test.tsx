/** Tests removals that can be undone for five seconds. */
import { listStopList, removeStopListEntry } from '@parley/contract/audiences/stop_list.ts';
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi } from '../../test/draw.tsx';
import { useList } from '../list/list.tsx';
import { flushRemovals, removeWithUndo } from './undo.ts';

afterEach(() => {
  act(flushRemovals);
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const FILTERS = [] as const;
function Numbers() {
  const list = useList(listStopList, { filters: FILTERS, subject: 'The numbers' });
  return (
    <>
      <ul aria-label="Numbers">
        {list.rows?.map(({ id, number }) => (
          <li key={id}>{number}</li>
        ))}
      </ul>
      <p>{`Total ${list.pagination?.total}`}</p>
    </>
  );
}

async function drawNumbers(removal: () => Response = () => new Response(null, { status: 204 })) {
  const rows = [
    { id: 'a', number: '111' },
    { id: 'b', number: '222' },
  ];
  const session = sessionStub();
  const calls = stubApi((call) => {
    if (!call.path.startsWith('/v1/stop_list')) return session(call);
    if (call.method !== 'DELETE') return respond(rows, { number: 1, size: 10, total: rows.length, links: {} });
    const response = removal();
    if (response.status === 204) rows.shift();
    return response;
  });
  await draw(Numbers);
  await screen.findByText('111');
  vi.useFakeTimers({ shouldAdvanceTime: true });
  act(() =>
    removeWithUndo({
      id: 'a',
      endpoint: removeStopListEntry,
      input: { params: { id: 'a' } },
      message: '111 was removed.',
    }),
  );
  return calls;
}
const deletions = (calls: Call[]) => calls.filter(({ method }) => method === 'DELETE');
const numbers = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('a removed row disappears immediately, and the request is sent after five seconds', async () => {
  const calls = await drawNumbers();
  expect(numbers()).toEqual(['222']);
  expect(screen.getByText('Total 1')).toBeTruthy();
  await wait(4_900);
  expect(deletions(calls)).toEqual([]);
  await wait(200);
  expect(deletions(calls).map(({ path }) => path)).toEqual(['/v1/stop_list/a']);
  await wait(500);
  expect(numbers()).toEqual(['222']);
});

test('Undo brings the row back, and nothing is sent', async () => {
  const calls = await drawNumbers();
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(numbers()).toEqual(['111', '222']);
  await wait(6_000);
  expect(deletions(calls)).toEqual([]);
});

test('a refused removal brings the row back with an error', async () => {
  await drawNumbers(() => refuse(409, { code: 1000, message: 'The entry is locked' }));
  await wait(5_100);
  expect(await screen.findByText('The entry is locked')).toBeTruthy();
  await waitFor(() => expect(numbers()).toEqual(['111', '222']));
});

test('a closing tab sends the removal immediately', async () => {
  const calls = await drawNumbers();
  act(() => void window.dispatchEvent(new Event('pagehide')));
  expect(deletions(calls)).toHaveLength(1);
  await wait(6_000);
  expect(deletions(calls)).toHaveLength(1);
});
