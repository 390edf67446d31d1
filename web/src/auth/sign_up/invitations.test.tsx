import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readToken } from '../../kernel/http/token.ts';
import { drawApp } from '../../test/app.tsx';
import { ACCOUNT, type Call, refuse, respond, type Stub, stubApi, USER } from '../../test/draw.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  window.history.replaceState(null, '', '/');
});

let TOKEN: string;
let ADDRESS: string;
let count = 0;
beforeEach(() => {
  TOKEN = `the-secret-of-an-invitation-${++count}`;
  ADDRESS = `/invitations#token=${TOKEN}`;
});
const INVITED = {
  company_name: 'Harbour Coffee',
  invited_by_name: 'Dana Quill',
  email: 'sam@example.com',
  first_name: 'Sam',
  last_name: '',
  existing: false,
  expire_date: '2027-01-01 00:00:00',
};
const session = {
  access_token: 'joined',
  expire_date: null,
  next: null,
  verification_id: null,
  methods: [],
  email: '',
};

function serve(invitation: object, user: object = {}, stub: Stub = () => undefined): Call[] {
  return stubApi(async (call) => {
    const response = await stub(call);
    if (response) return response;
    if (call.path === `/v1/users/self/invitations/${TOKEN}`) return respond(invitation);
    if (call.path === '/v1/users/self/invitations') return respond(session);
    if (call.path === '/v1/users/self') return respond({ ...USER, pending: 'phone', ...user });
    if (call.path === '/v1/accounts/self') return respond(ACCOUNT);
    if (call.path === '/v1/events') return new Promise(() => {});
    return undefined;
  });
}
const findAcceptCall = (calls: Call[]) => calls.find(({ method }) => method === 'POST');
const submit = () => fireEvent.submit(screen.getByRole('form', { name: 'Join' }));

test('a new user joins with a name and a valid password', async () => {
  const calls = serve(INVITED);
  drawApp(ADDRESS);
  expect(await screen.findByRole('heading', { name: 'Join Harbour Coffee' })).toBeTruthy();
  expect((screen.getByLabelText('First name') as HTMLInputElement).value).toBe('Sam');
  submit();
  expect(await screen.findByText('Last name is required!')).toBeTruthy();
  expect(screen.getByText('Password is required!')).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Last name'), { target: { value: 'Sung' } });
  fireEvent.change(screen.getByLabelText('Choose a password'), { target: { value: 'weak' } });
  submit();
  expect(await screen.findByText(/must have at least 8 characters/)).toBeTruthy();
  fireEvent.change(screen.getByLabelText('Choose a password'), { target: { value: 'Strong-enough-1' } });
  submit();
  await waitFor(() => expect(readToken()).toBe('joined'));
  const body = { first_name: 'Sam', last_name: 'Sung', password: 'Strong-enough-1', token: TOKEN };
  expect(findAcceptCall(calls)?.body).toEqual(body);
  await waitFor(() => expect(window.location.pathname).not.toBe('/invitations'));
  expect(calls.filter(({ path }) => path.endsWith(TOKEN))).toHaveLength(1);
});

test('an existing user sees an error when the password is wrong', async () => {
  serve({ ...INVITED, existing: true }, {}, ({ method, path }) =>
    method === 'POST' && path.endsWith('/invitations') ? refuse(401, { code: 1120, message: 'x' }) : undefined,
  );
  drawApp(ADDRESS);
  fireEvent.change(await screen.findByLabelText('Your password'), { target: { value: 'nope' } });
  submit();
  expect((await screen.findByRole('alert')).textContent).toBe('Wrong email or password');
  expect(screen.queryByLabelText('First name')).toBeNull();
});

test('an invited user joins with one click when already signed in', async () => {
  const calls = serve(
    { ...INVITED, existing: true },
    { email: 'Sam@example.com', pending: null, full_name: 'Sam Sung' },
  );
  drawApp(ADDRESS, { signedIn: true });
  fireEvent.click(await screen.findByRole('button', { name: 'Join Harbour Coffee as Sam Sung' }));
  await waitFor(() => expect(findAcceptCall(calls)?.headers.get('authorization')).toBe('Bearer test-token'));
  expect(findAcceptCall(calls)?.body).toEqual({ token: TOKEN });
});

test('a different signed-in user sees a notice and can sign out', async () => {
  serve(INVITED, { pending: null });
  drawApp(ADDRESS, { signedIn: true });
  expect(await screen.findByText(/You are signed in as/)).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Sign out and continue' }));
  expect(await screen.findByLabelText('Choose a password')).toBeTruthy();
  expect(window.location.href).toMatch(/\/invitations$/);
});

test.each([
  [404, 1131, /Open the link in the latest email/],
  [409, 1132, /Ask the person who invited you/],
])(
  'an invitation rejected with status %d and code %d shows the reason and the next step',
  async (status, code, text) => {
    serve(INVITED, {}, ({ path }) => (path.endsWith(TOKEN) ? refuse(status, { code, message: 'x' }) : undefined));
    drawApp(ADDRESS);
    expect(await screen.findByRole('heading', { name: 'This invitation is no longer valid' })).toBeTruthy();
    expect(screen.getByText(text)).toBeTruthy();
  },
);
