import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, refuse, respond, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import { AssignPicker, openAssignPicker } from './AssignPicker.tsx';

afterEach(() => vi.unstubAllGlobals());

const ANN = { id: '0197a5f0-0000-7000-8000-0000000000a1', full_name: 'Ann Lund', email: 'ann@example.com' };
const load = { away: false, open: 3, capacity: 5, channels: [] };
const USERS = [
  { ...load, id: USER.id, full_name: USER.full_name, email: USER.email, initials: 'DQ' },
  { ...load, ...ANN, initials: 'AL', away: true },
];
const CONVERSATION = { id: 'c1', assignee_id: null, assignee_name: null };

async function show(users: () => Response) {
  const calls = stubApi((call) => {
    if (call.path === '/v1/inbox_users') return users();
    if (call.method === 'PUT') return respond({ ...CONVERSATION, ...(call.body as object) });
    return sessionStub()(call);
  });
  await draw(() => <AssignPicker conversation={CONVERSATION} />);
  await screen.findByRole('button', { name: 'Assigned to: Unassigned. Change' });
  openAssignPicker();
  return () => calls.filter(({ method }) => method === 'PUT').map(({ body }) => body);
}
const press = (key: string) => fireEvent.keyDown(document.activeElement!, { key });
const focused = () => document.activeElement!.textContent;

test('the keyboard alone opens the list of users, walks through it, and chooses the first match', async () => {
  const changes = await show(() => respond(USERS));
  const search = await screen.findByLabelText('Search users');
  await waitFor(() => expect(document.activeElement).toBe(search));
  press('Enter');
  expect(screen.getByRole('dialog')).toBeTruthy();
  press('ArrowDown');
  expect(focused()).toContain('Dana Quill (me)');
  press('ArrowDown');
  expect(focused()).toBe('Unassigned');
  press('ArrowDown');
  expect(focused()).toContain('Away, 3 of 5 open');
  press('ArrowDown');
  expect(focused()).toContain('Ann Lund');
  for (let count = 0; count < 4; count++) press('ArrowUp');
  expect(document.activeElement).toBe(search);
  fireEvent.change(search, { target: { value: 'lund' } });
  press('Enter');
  await waitFor(() => expect(changes()).toEqual([{ assignee_id: ANN.id }]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a list that fails can be retried, and a search without a match says so', async () => {
  let count = 0;
  await show(() => (count++ === 0 ? refuse(404, { code: 1004, message: 'Not found' }) : respond(USERS)));
  expect(await screen.findByText('The users could not be loaded')).toBeTruthy();
  const retry = screen.getByRole('button', { name: 'Retry' });
  await waitFor(() => expect(document.activeElement).toBe(retry));
  fireEvent.click(retry);
  fireEvent.change(await screen.findByLabelText('Search users'), { target: { value: 'nobody' } });
  expect(screen.getByText('No users match this search')).toBeTruthy();
  press('Enter');
  expect(screen.getByRole('dialog')).toBeTruthy();
});
