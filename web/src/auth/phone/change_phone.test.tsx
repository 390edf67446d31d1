import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Call, draw, refuse, respond, sessionStub, stubApi, USER } from '../../test/draw.tsx';
import ChangePhonePage from './ChangePhonePage.tsx';

const ID = '0197a5f0-0000-7000-8000-0000000000aa';
const at = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString().slice(0, 19).replace('T', ' ');
const user = { ...USER, phone_number: '4917604069014' };
let calls: Call[];
let code: () => Response;

beforeEach(() => {
  const session = sessionStub();
  calls = stubApi((call) => {
    if (call.path === '/v1/users/self') return respond(user);
    if (call.path === '/v1/phone_verifications') return respond({ id: ID, expire_date: at(600), resend_date: at(30) });
    return call.path === `/v1/phone_verifications/${ID}` ? code() : session(call);
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test('the phone page shows the current number, rejects a wrong code, and accepts the right one', async () => {
  code = () => refuse(400, { code: 1125, message: 'The verification code is not valid', field: 'code' });
  const { router } = await draw(ChangePhonePage);
  expect(screen.getByRole('heading', { name: 'Change your phone number' })).toBeTruthy();
  expect(screen.getByText(/Current number:/).textContent).toContain('176');
  fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '+4917604069015' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send code' }));
  const field = (await screen.findByLabelText('Code')) as HTMLInputElement;
  expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({ phone_number: '+4917604069015' });
  fireEvent.change(field, { target: { value: '111111' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('The verification code is not valid')).toBeTruthy();
  expect(field.getAttribute('aria-invalid')).toBe('true');

  code = () => new Response(null, { status: 204 });
  fireEvent.change(field, { target: { value: '222222' } });
  fireEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(await screen.findByText('Your phone number was changed')).toBeTruthy();
  await waitFor(() => expect(router.state.location.pathname).toBe('/settings/security'));
});

test('the phone page requires the password when the sign-in is not recent, even for a new code', async () => {
  const session = sessionStub();
  let isAuthenticated = false;
  const problem = { code: 1126, message: 'The current password is incorrect', field: 'current_password' };
  const calls = stubApi((call) => {
    if (call.path === '/v1/users/self') return respond(user);
    if (call.path !== '/v1/phone_verifications') return session(call);
    isAuthenticated = (call.body as { current_password?: string }).current_password === 'Secret-123';
    return isAuthenticated ? respond({ id: ID, expire_date: at(600), resend_date: at(0) }) : refuse(400, problem);
  });
  const { router } = await draw(ChangePhonePage);
  const send = async () => {
    fireEvent.change(await screen.findByLabelText('Your password'), { target: { value: 'Secret-123' } });
    fireEvent.click(screen.getByRole('button', { name: 'Send code' }));
    await screen.findByLabelText('Code');
  };
  fireEvent.change(screen.getByLabelText('Phone number'), { target: { value: '+4917604069015' } });
  fireEvent.click(screen.getByRole('button', { name: 'Send code' }));
  await screen.findByText(/You signed in a while ago/);
  expect(screen.queryByText(problem.message)).toBeNull();
  await send();
  fireEvent.click(screen.getByRole('button', { name: 'Send a new code' }));
  await send();
  expect(router.state.location.search).toEqual({ step: 'code' });
  const bodies = calls.filter(({ path }) => path === '/v1/phone_verifications').map(({ body }) => body);
  const [phone_number, current_password] = ['+4917604069015', 'Secret-123'];
  expect(bodies).toEqual([
    { phone_number },
    { phone_number, current_password },
    { phone_number },
    { phone_number, current_password },
  ]);
});

test('an impersonated session cannot change the phone number', async () => {
  const session = sessionStub();
  const impersonation = {
    operator_name: 'Olive Marlow',
    reason: 'Ticket',
    expire_date: at(600),
    kind: 'operator' as const,
  };
  stubApi((call) => (call.path === '/v1/users/self' ? respond({ ...user, impersonation }) : session(call)));
  await draw(ChangePhonePage);
  expect(screen.getByRole('heading', { name: 'Change your phone number' })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Send code' })).toBeNull();
});
