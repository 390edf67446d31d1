/** @vitest-environment happy-dom */
import { allPermissions, type Permissions } from '@parley/contract/permission.ts';
import { createInvitation, ROLES, updateUser } from '@parley/contract/team/team.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import UsersPage from '../settings/UsersPage.tsx';
import { type Call, draw, refuse, respond, type Stub, sessionStub, stubApi, USER } from '../test/draw.tsx';
import CreateUserPage from './CreateUserPage.tsx';

const DATE = '2026-11-01 10:00:00';
const person = (change: Record<string, unknown>) => ({
  id: '01a1fd0a-dc6e-776b-9f75-00ea6b9caaa1',
  account_id: USER.account_id,
  email: 'ben@example.com',
  first_name: 'Ben',
  last_name: 'Okafor',
  full_name: 'Ben Okafor',
  position: 'Support',
  phone_number: null,
  status: 'EMAIL_VERIFIED',
  blocked: false,
  blocked_by_operator: false,
  block_reason: '',
  is_owner: false,
  second_factor: true,
  permissions: ROLES.agent!.permissions,
  last_seen_date: DATE,
  create_date: DATE,
  ...change,
});
const owner = person({
  id: USER.id,
  email: USER.email,
  full_name: USER.full_name,
  is_owner: true,
  permissions: allPermissions(),
});
const page = (total: number) => ({
  number: 1,
  size: 10,
  total,
  links: { first: '', current: '', previous: null, next: null },
});

const api = (extra: Stub, permissions: Permissions = allPermissions()): Call[] => {
  const session = sessionStub({ permissions });
  return stubApi(async (call) => (await extra(call)) ?? session(call));
};
afterEach(() => vi.unstubAllGlobals());

test('the users table shows roles and statuses, protects the owner, and confirms a deletion by name', async () => {
  const calls = api(({ method, path }) => {
    if (path === '/v1/users') return respond([owner, person({})], page(2));
    if (method === 'DELETE') return new Response(null, { status: 204 });
    return undefined;
  });
  await draw(UsersPage);
  const row = await screen.findByRole('row', { name: /Ben Okafor/ });
  expect(row.textContent).toContain('Agent');
  expect(row.textContent).toContain('Active');
  const ownRow = screen.getByRole('row', { name: /Dana Quill/ });
  expect(ownRow.textContent).toContain('Owner');
  fireEvent.click(within(ownRow).getByRole('button', { name: /actions/i }));
  const deleteItem = await screen.findByRole('menuitem', { name: /Delete/ });
  expect(deleteItem.getAttribute('aria-disabled') ?? deleteItem.getAttribute('data-disabled')).toBeTruthy();
  fireEvent.keyDown(deleteItem, { key: 'Escape' });
  await waitFor(() => expect(screen.queryByRole('menuitem')).toBeNull());
  fireEvent.click(within(row).getByRole('button', { name: /actions/i }));
  fireEvent.click(await screen.findByRole('menuitem', { name: /Delete/ }));
  expect(await screen.findByText('Delete Ben Okafor?')).toBeTruthy();
  expect(screen.getByText(/Conversations assigned to them will become unassigned/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Delete user' }));
  await waitFor(() =>
    expect(calls.some(({ method, path }) => method === 'DELETE' && path.endsWith('caaa1'))).toBe(true),
  );
});

test('an invitation sends the selected permissions and shows a server error below the table', async () => {
  let isRefused = false;
  const calls = api(({ method, path }) => {
    if (method !== 'POST' || path !== createInvitation.path) return undefined;
    if (!isRefused) {
      isRefused = true;
      return refuse(403, {
        code: 1158,
        message: 'You cannot grant permissions that you do not have',
        field: 'permissions',
      });
    }
    return respond({ email: 'new@example.com' });
  });
  await draw(CreateUserPage);
  fireEvent.change(await screen.findByLabelText(/^Email/), { target: { value: 'new@example.com' } });
  fireEvent.click(screen.getByRole('radio', { name: /Read only/ }));
  const box = (name: string) => screen.getByRole('checkbox', { name }) as HTMLInputElement;
  await screen.findByRole('checkbox', { name: 'View Media' }, { timeout: 20_000 });
  // No call needs this permission, so it has no box.
  expect(screen.queryByRole('checkbox', { name: 'Delete Messages' })).toBeNull();
  expect(box('View Media').checked).toBe(true);
  expect(box('Add Media').checked).toBe(false);
  fireEvent.click(box('Delete Media'));
  expect(screen.getByText('Custom')).toBeTruthy();
  fireEvent.click(box('View Campaigns'));
  expect(box('View Campaigns').checked).toBe(false);
  fireEvent.click(screen.getByRole('button', { name: 'Send invitation' }));
  expect(await screen.findByText('You cannot grant permissions that you do not have')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Send invitation' }));
  await waitFor(() => expect(calls.filter(({ method }) => method === 'POST')).toHaveLength(2));
  const { CAMPAIGNS: _, ...expected } = ROLES.read_only!.permissions;
  expect(calls.findLast(({ method }) => method === 'POST')?.body).toMatchObject({
    email: 'new@example.com',
    permissions: { ...expected, MEDIA: 9 },
  });
});

test('a permission the user lacks cannot be granted', async () => {
  api(() => undefined, { USERS: 15, MESSAGES: 3, CONVERSATIONS: 7 });
  await draw(CreateUserPage);
  const media = (await screen.findByRole('checkbox', { name: 'View Media' }, { timeout: 20_000 })) as HTMLInputElement;
  expect(media.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(media);
  expect(media.checked).toBe(false);
  fireEvent.click(screen.getByRole('radio', { name: /Full access/ }));
  expect((screen.getByRole('checkbox', { name: 'Edit Users' }) as HTMLInputElement).checked).toBe(true);
  expect(media.checked).toBe(false);
});

test('blocking a user sends the reason', async () => {
  const calls = api(({ method, path }) => {
    if (path === '/v1/users') return respond([person({})], page(1));
    if (method === 'PUT') return respond(person({ blocked: true, status: 'BLOCKED' }));
    return undefined;
  });
  await draw(UsersPage);
  const row = await screen.findByRole('row', { name: /Ben Okafor/ });
  fireEvent.click(within(row).getByRole('button', { name: /actions/i }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Block' }));
  fireEvent.change(await screen.findByLabelText(/Reason/), { target: { value: 'Left the company' } });
  fireEvent.click(screen.getByRole('button', { name: 'Block user' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true));
  expect(updateUser.body.parse(calls.find(({ method }) => method === 'PUT')?.body)).toEqual({
    blocked: true,
    block_reason: 'Left the company',
  });
});
