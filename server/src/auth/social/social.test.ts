/** Tests sign-in with the sandbox's OpenID provider, including manipulated requests and callbacks. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import { makeCompany, makeUser } from '../../test/make.ts';
import { Browser } from '../../test/peers/browser.ts';
import { createWorld, freePort, type SandboxProcess, startSandbox, type World } from '../../test/world.ts';
import { hashPassword } from '../auth.ts';
import { safePath } from './flow.ts';

const PASSWORD = 'Right-password-1';
let world: World;
let sandbox: SandboxProcess;
let folder: string;
let app: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-social-'));
  sandbox = await startSandbox(folder);
  const google = `google,Google,http://localhost:${sandbox.http}/google,parley,sandbox`;
  const unreachableProvider = `away,Away,http://localhost:${await freePort()},parley,sandbox`;
  world = await createWorld({ role: 'api', settings: { SIGN_IN_PROVIDERS: `${google}; ${unreachableProvider}` } });
  app = world.kernel.config.PUBLIC_URL;
});
afterAll(async () => {
  await world?.stop();
  await sandbox?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Someone {
  email: string;
  name?: string;
  email_verified?: 'yes' | '';
}
const address = () => `sam.${newId().slice(-8)}@mail.localhost`;

async function call(
  browser: Browser,
  method: string,
  path: string,
  data: object = {},
  headers: Record<string, string> = {},
) {
  const response = await browser.open(`${app}${path}`, {
    method,
    body: JSON.stringify({ data }),
    headers: { 'content-type': 'application/json', ...headers },
  });
  const text = await response.text();
  // biome-ignore lint/suspicious/noExplicitAny: tests read any body
  return { status: response.status, body: (text ? JSON.parse(text) : null) as any };
}
const code = ({ status, body }: { status: number; body: { errors: { code: number }[] } }) => [
  status,
  body.errors[0]!.code,
];

/** Opens the account chooser. `alter` can change the authorization URL. */
async function begin(browser: Browser, fields: object = {}, alter = (url: string) => url): Promise<string> {
  const reply = await call(browser, 'POST', '/v1/social_sign_ins', { provider: 'google', ...fields });
  expect(reply.status).toBe(201);
  const url = alter(reply.body.data.url);
  return (await browser.follow(url, await browser.open(url), () => true)).url;
}
const toCallback = (url: URL) => url.port === String(sandbox.http);

/** Chooses an account, and returns the callback URL from the provider. */
async function choose(browser: Browser, chooser: string, form: Record<string, string>): Promise<string> {
  return (await browser.follow(chooser, await browser.submit(chooser, form), toCallback)).url;
}
/** Follows the callback and reads the redirect that the server returns. */
async function readCallback(browser: Browser, callback: string) {
  const response = await browser.open(callback);
  expect([response.status, response.headers.get('cache-control')]).toEqual([303, 'no-store']);
  const url = new URL(response.headers.get('location')!);
  return {
    page: url.pathname + url.search,
    hash: Object.fromEntries(new URLSearchParams(url.hash.slice(1))) as Record<string, string>,
  };
}
async function obtainTicket(
  browser: Browser,
  { email, name = 'Sam Hill', email_verified = 'yes' }: Someone,
): Promise<string> {
  const callback = await choose(browser, await begin(browser), { email, name, email_verified });
  const { hash } = await readCallback(browser, callback);
  expect(hash).toEqual({ social_token: expect.stringMatching(/^[\w-]{43}$/) });
  return hash.social_token!;
}
const useTicket = (browser: Browser, ticket: string) =>
  call(browser, 'POST', '/v1/users/self/token', {}, { 'x-social-token': ticket });
const connect = (browser: Browser, token: string, ticket: string) =>
  call(
    browser,
    'PUT',
    '/v1/users/self/social_networks',
    {},
    {
      'x-social-token': ticket,
      authorization: `Bearer ${token}`,
    },
  );

async function person(email: string, password: string | null) {
  const company = await makeCompany(world.kernel);
  const user = await makeUser(world.kernel, company.account_id);
  const password_hash = password && (await hashPassword(password));
  await world.kernel.db.run(
    sql`update logins set email = ${email}, password_hash = ${password_hash} where id = ${user.user_id}`,
  );
  return { ...user, account_id: company.account_id, as: world.as(user.token) };
}

describe('starting a provider sign-in', () => {
  test('returns a URL for a listed provider with state, nonce, and PKCE', async () => {
    expect((await world.as().get('/v1/social_providers')).body.data).toEqual([
      { id: 'google', name: 'Google' },
      { id: 'away', name: 'Away' },
    ]);
    const browser = new Browser();
    const { url } = (await call(browser, 'POST', '/v1/social_sign_ins', { provider: 'google' })).body.data;
    const query = Object.fromEntries(new URL(url).searchParams);
    expect(query).toMatchObject({
      redirect_uri: `${app}/v1/social_sign_ins/callback/google`,
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    const [cookie] = browser.cookies;
    expect(cookie!.name).toBe(`parley-social-${query.state!.slice(0, 12)}`);
    for (const hidden of [query.nonce, query.state]) expect(cookie!.value).not.toContain(hidden);
  });

  test('returns the person to the admin view when it starts there', async () => {
    const { ADMIN_URL } = world.kernel.config;
    const { body } = await call(
      new Browser(),
      'POST',
      '/v1/social_sign_ins',
      { provider: 'google' },
      { origin: ADMIN_URL },
    );
    expect(body.data.url).toContain(encodeURIComponent(`${ADMIN_URL}/v1/social_sign_ins/callback/google`));
    const evil = await call(
      new Browser(),
      'POST',
      '/v1/social_sign_ins',
      { provider: 'google' },
      { origin: 'http://evil.example' },
    );
    expect(new URL(evil.body.data.url).searchParams.get('redirect_uri')).toContain(app);
  });

  test('fails when the provider is unknown or unreachable', async () => {
    expect(code(await call(new Browser(), 'POST', '/v1/social_sign_ins', { provider: 'unknown' }))).toEqual([
      404, 1127,
    ]);
    expect(code(await call(new Browser(), 'POST', '/v1/social_sign_ins', { provider: 'away' }))).toEqual([424, 1161]);
  });
});

describe('the callback', () => {
  test('redirects to the original page, or to the security settings when connecting a provider', async () => {
    const browser = new Browser();
    const form = { email: address(), name: 'Sam', email_verified: 'yes' };
    const signInFrom = async (start: object) =>
      readCallback(browser, await choose(browser, await begin(browser, start), form));
    const callback = await signInFrom({ return_url: '/inbox?tab=1' });
    expect(callback.page).toBe('/sign-in?returnUrl=%2Finbox%3Ftab%3D1');
    const outside = await signInFrom({ return_url: '//evil.example' });
    expect(outside.page).toBe('/sign-in');
    const settings = await signInFrom({ purpose: 'connect' });
    expect([settings.page, Object.keys(settings.hash)]).toEqual(['/settings/security', ['social_token']]);
  });

  test('reports when the person declines', async () => {
    const browser = new Browser();
    const callback = await readCallback(browser, await choose(browser, await begin(browser), { choice: 'cancel' }));
    expect(callback).toEqual({ page: '/sign-in', hash: { social_error: 'access_denied' } });
  });

  test('rejects a different browser, state, or issuer', async () => {
    const browser = new Browser();
    const form = { email: address(), name: 'Sam', email_verified: 'yes' };
    const callback = await choose(browser, await begin(browser), form);
    expect((await readCallback(new Browser(), callback)).hash).toEqual({ social_error: 'expired' });
    const replace = (name: string, value: string) => {
      const url = new URL(callback);
      url.searchParams.set(name, value);
      return url.href;
    };
    const state = new URL(callback).searchParams.get('state')!;
    expect((await readCallback(browser, replace('state', 'x'.repeat(43)))).hash).toEqual({
      social_error: 'expired',
    });
    const cookies = [...browser.cookies];
    // The beginning of the state names the cookie, but the whole state must match.
    expect((await readCallback(browser, replace('state', `${state.slice(0, 12)}${'x'.repeat(31)}`))).hash).toEqual({
      social_error: 'failed',
    });
    browser.cookies = [...cookies];
    expect((await readCallback(browser, replace('iss', 'https://accounts.evil.example'))).hash).toEqual({
      social_error: 'failed',
    });
    browser.cookies = [...cookies];
    expect(Object.keys((await readCallback(browser, callback)).hash)).toEqual(['social_token']);
  });

  test('accepts a code only once and rejects a response to a different request', async () => {
    const browser = new Browser();
    const form = { email: address(), name: 'Sam', email_verified: 'yes' };
    const callback = await choose(browser, await begin(browser), form);
    const cookies = [...browser.cookies];
    await readCallback(browser, callback);
    expect((await readCallback(browser, callback)).hash).toEqual({ social_error: 'expired' });
    browser.cookies = cookies;
    expect((await readCallback(browser, callback)).hash).toEqual({ social_error: 'failed' });

    const altered = await begin(browser, {}, (url) => url.replace(/nonce=[^&]+/, 'nonce=another'));
    expect((await readCallback(browser, await choose(browser, altered, form))).hash).toEqual({
      social_error: 'failed',
    });
  });

  test('handles two concurrent sign-ins and expires after ten minutes', async () => {
    const browser = new Browser();
    const form = { email: address(), name: 'Sam', email_verified: 'yes' };
    const [first, second] = [await begin(browser), await begin(browser)];
    expect(Object.keys((await readCallback(browser, await choose(browser, first, form))).hash)).toEqual([
      'social_token',
    ]);
    expect(Object.keys((await readCallback(browser, await choose(browser, second, form))).hash)).toEqual([
      'social_token',
    ]);
    const third = await choose(browser, await begin(browser), form);
    const cookie = browser.cookies.find(({ name }) => name.startsWith('parley-social-') && !name.endsWith('browser'))!;
    const place = { table: 'cookie', row: cookie.name };
    const journey = JSON.parse(world.kernel.seals.open(cookie.value, place)) as { until: number };
    cookie.value = world.kernel.seals.seal(JSON.stringify({ ...journey, until: Date.now() - 1 }), place);
    expect((await readCallback(browser, third)).hash).toEqual({ social_error: 'expired' });
  });
});

describe('a social token', () => {
  test('sends an unknown person to sign-up, where it works only once', async () => {
    const browser = new Browser();
    const email = address();
    const ticket = await obtainTicket(browser, { email, name: 'Sam van Hill' });
    const reply = await useTicket(browser, ticket);
    expect(reply.body.data).toMatchObject({
      access_token: null,
      next: 'sign_up',
      email,
      first_name: 'Sam',
      last_name: 'van Hill',
    });
    const form = {
      email,
      first_name: 'Sam',
      last_name: 'Hill',
      company_name: `Hill ${email}`,
      country_code: 'GB',
      terms: true,
    };
    const created = await call(browser, 'POST', '/v1/users', form, { 'x-social-token': ticket });
    expect([created.status, created.body.data.next]).toEqual([201, null]);
    expect(code(await useTicket(browser, ticket))).toEqual([410, 1140]);
    const again = await useTicket(browser, await obtainTicket(browser, { email: address() }));
    expect(again.body.data.next).toBe('sign_up');
    const existing = await useTicket(browser, await obtainTicket(browser, { email }));
    expect(existing.body.data).toMatchObject({ next: null, email, access_token: expect.any(String) });
  });

  test('is invalid in another browser, for both signing in and connecting a provider', async () => {
    const [attacker, victim] = [new Browser(), new Browser()];
    const ticket = await obtainTicket(attacker, { email: address() });
    expect(code(await useTicket(victim, ticket))).toEqual([410, 1140]);
    await obtainTicket(victim, { email: address() });
    expect(code(await useTicket(victim, ticket))).toEqual([410, 1140]);
    const { token } = await person(address(), PASSWORD);
    expect(code(await connect(victim, token, ticket))).toEqual([410, 1140]);
    expect((await useTicket(attacker, ticket)).body.data.next).toBe('sign_up');
  });

  test('signs in only one of 32 concurrent requests, and the provider works after the address changes', async () => {
    const browser = new Browser();
    const email = address();
    const { as, user_id, account_id } = await person(email, null);
    const ticket = await obtainTicket(browser, { email });
    const replies = await Promise.all(Array.from({ length: 32 }, () => useTicket(browser, ticket)));
    expect(replies.filter(({ body }) => body.data?.access_token).length).toBe(1);
    expect(replies.filter(({ status }) => status === 410).length).toBe(31);
    await world.kernel.db.run(sql`update logins set email = ${address()} where id = ${user_id}`);
    expect((await useTicket(browser, await obtainTicket(browser, { email }))).body.data.access_token).toEqual(
      expect.any(String),
    );
    // The confirmed address alone is enough to connect the identity, because the user has no password. The change is
    // emailed to the user and logged.
    expect((await as.get('/v1/users/self/social_networks')).body.data).toMatchObject([
      { provider: 'google', name: 'Google', connected: true, email },
      { provider: 'away', connected: false, connect_date: null },
    ]);
    const subjects = await world.kernel.db.rows(
      sql`select subject from mails where recipient = ${email} and subject like '%connected'`,
    );
    expect(subjects).toEqual([{ subject: 'A sign-in provider was connected' }]);
    const acts = await world.kernel.db.rows<{ action: string }>(
      sql`select action from audit_log where account_id = ${account_id} order by number`,
    );
    expect(acts.map(({ action }) => action)).toContain('social_network.connected');
  });

  test('does not sign in a user with a password until the provider is connected', async () => {
    const browser = new Browser();
    const email = address();
    const { token, as } = await person(email, PASSWORD);
    const ticket = await obtainTicket(browser, { email });
    expect((await useTicket(browser, ticket)).body.data).toMatchObject({
      access_token: null,
      next: 'link',
      email,
    });
    expect((await connect(browser, token, ticket)).status).toBe(204);
    expect(code(await connect(browser, token, ticket))).toEqual([410, 1140]);
    expect((await useTicket(browser, await obtainTicket(browser, { email }))).body.data.access_token).toEqual(
      expect.any(String),
    );
    const other = await person(address(), PASSWORD);
    expect(code(await connect(browser, other.token, await obtainTicket(browser, { email })))).toEqual([409, 1128]);
    expect(code(await connect(browser, token, await obtainTicket(browser, { email: address() })))).toEqual([409, 1128]);
    expect((await connect(browser, token, await obtainTicket(browser, { email }))).status).toBe(204);
    expect((await as.put('/v1/users/self/social_networks/google', {})).status).toBe(204);
    expect((await useTicket(browser, await obtainTicket(browser, { email }))).body.data.next).toBe('link');
  });

  test('does not match an address unless both the provider and Parley have confirmed it', async () => {
    const browser = new Browser();
    const [knownEmail, newEmail] = [address(), address()];
    await person(knownEmail, null);
    const { user_id } = await person(newEmail, null);
    await world.kernel.db.run(sql`update logins set status = 'NEW' where id = ${user_id}`);
    const unconfirmed = await obtainTicket(browser, { email: knownEmail, email_verified: '' });
    expect((await useTicket(browser, unconfirmed)).body.data.next).toBe('sign_up');
    expect((await useTicket(browser, await obtainTicket(browser, { email: newEmail }))).body.data.next).toBe('sign_up');
  });

  test('does not replace the second factor or allow a blocked user to sign in', async () => {
    const browser = new Browser();
    const email = address();
    const { user_id } = await person(email, null);
    await useTicket(browser, await obtainTicket(browser, { email }));
    await world.kernel.db.run(sql`update logins set totp_secret = 'x', totp_date = now() where id = ${user_id}`);
    expect((await useTicket(browser, await obtainTicket(browser, { email }))).body.data).toMatchObject({
      access_token: null,
      next: 'login_verification',
      methods: ['totp'],
    });
    await world.kernel.db.run(sql`update users set blocked = true where id = ${user_id}`);
    expect(code(await useTicket(browser, await obtainTicket(browser, { email })))).toEqual([403, 1135]);
  });

  test('is rejected when it is missing or forged', async () => {
    const browser = new Browser();
    expect(code(await call(browser, 'POST', '/v1/users/self/token'))).toEqual([410, 1140]);
    await obtainTicket(browser, { email: address() });
    for (const ticket of ['', 'short', 'x'.repeat(43)])
      expect(code(await useTicket(browser, ticket))).toEqual([410, 1140]);
  });
});

test('the last sign-in method cannot be removed', async () => {
  const browser = new Browser();
  const email = address();
  const { as, user_id } = await person(email, null);
  await useTicket(browser, await obtainTicket(browser, { email }));
  const disconnect = () => as.put('/v1/users/self/social_networks/google', {});
  expect(code(await disconnect())).toEqual([409, 1164]);
  await world.kernel.db.run(sql`update logins set password_hash = 'x' where id = ${user_id}`);
  expect((await disconnect()).status).toBe(204);
  expect(code(await disconnect())).toEqual([404, 1127]);
});

test.each([
  ['/inbox', '/inbox'],
  ['/inbox?a=1#x', '/inbox?a=1'],
  ['//evil.example', null],
  ['/\\evil.example', null],
  ['/\t/evil.example', null],
  ['https://evil.example', null],
  ['inbox', null],
  ['', null],
  [undefined, null],
])('the return path %j is sanitized to %j', (path, expected) => {
  expect(safePath(path, 'https://p.example')).toBe(expected);
});
