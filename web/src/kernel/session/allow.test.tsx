import { Button, Menu } from '@mantine/core';
import { createAudience, removeAudience } from '@parley/contract/audiences/audiences.ts';
import { createInvitation } from '@parley/contract/team/team.ts';
import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { draw, respond, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import { Allow } from './allow.tsx';

afterEach(() => vi.unstubAllGlobals());

const onClick = vi.fn();
function Page() {
  return (
    <>
      <Allow needs={createAudience.needs}>
        <Button onClick={onClick}>Create</Button>
      </Allow>
      <Allow needs={removeAudience.needs} reason="A campaign uses it.">
        <Button onClick={onClick}>Remove</Button>
      </Allow>
    </>
  );
}

test('a control works when the user has the permission', async () => {
  onClick.mockClear();
  stubApi(sessionStub({ permissions: { AUDIENCES: 15 } }));
  await draw(Page);
  fireEvent.click(screen.getByRole('button', { name: 'Create' }));
  expect(onClick).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('button', { name: 'Create' }).getAttribute('aria-disabled')).toBeNull();
});

test('a control without permission stays focusable, does nothing, and shows the reason', async () => {
  onClick.mockClear();
  stubApi(sessionStub({ permissions: { AUDIENCES: 1 } }));
  await draw(Page);
  const button = screen.getByRole('button', { name: 'Create' });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  expect((button as HTMLButtonElement).disabled).toBe(false);
  fireEvent.click(button);
  fireEvent.keyDown(button, { key: 'Enter' });
  fireEvent.submit(button);
  expect(onClick).not.toHaveBeenCalled();
  act(() => button.focus());
  expect(await screen.findByText('You need Add Audience permission.')).toBeTruthy();
});

test('an impersonated session cannot use endpoints reserved for the user in person', async () => {
  const impersonation = { operator_name: 'O', reason: 'R', expire_date: '2099-01-01 00:00:00', kind: 'operator' };
  const session = sessionStub();
  stubApi((call) => (call.path === '/v1/users/self' ? respond({ ...USER, impersonation }) : session(call)));
  await draw(() => (
    <>
      <Allow needs={createInvitation}>
        <Button>Invite</Button>
      </Allow>
      <Allow needs={createAudience}>
        <Button>Create</Button>
      </Allow>
    </>
  ));
  const disabled = (name: string) => screen.getByRole('button', { name }).getAttribute('aria-disabled');
  expect([disabled('Invite'), disabled('Create')]).toEqual(['true', null]);
  act(() => screen.getByRole('button', { name: 'Invite' }).focus());
  expect(await screen.findByText('Not available while you act as another user.')).toBeTruthy();
});

test('the page’s own reason appears when the user has the permission', async () => {
  stubApi(sessionStub({ permissions: { AUDIENCES: 15 } }));
  await draw(Page);
  fireEvent.mouseEnter(screen.getByRole('button', { name: 'Remove' }));
  expect(await screen.findByText('A campaign uses it.')).toBeTruthy();
});

test('a menu item is disabled when the user lacks the permission', async () => {
  onClick.mockClear();
  stubApi(sessionStub({ permissions: {} }));
  await draw(() => (
    <Menu>
      <Menu.Target>
        <button type="button">Open</button>
      </Menu.Target>
      <Menu.Dropdown>
        <Allow needs={removeAudience.needs}>
          <Menu.Item onClick={onClick}>Delete</Menu.Item>
        </Allow>
      </Menu.Dropdown>
    </Menu>
  ));
  fireEvent.click(screen.getByRole('button', { name: 'Open' }));
  const entry = await screen.findByRole('menuitem', { name: 'Delete' });
  expect(entry.getAttribute('aria-disabled')).toBe('true');
  fireEvent.click(entry);
  expect(onClick).not.toHaveBeenCalled();
});
