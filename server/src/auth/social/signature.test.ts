/** Tests sign-in with a provider whose ID tokens are forged. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Browser } from '../../test/peers/browser.ts';
import { createWorld, type World } from '../../test/world.ts';

const published = generateKeyPairSync('rsa', { modulusLength: 2048 });
const other = generateKeyPairSync('rsa', { modulusLength: 2048 });
let world: World;
let provider: Server;
let issuer: string;
/** The nonce and the changed claims of the next ID token, and the key that signs it. */
let next: { nonce: string; key: KeyObject; changed: object };

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function idToken(): string {
  const seconds = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, aud: 'parley', sub: 'sam', iat: seconds, exp: seconds + 300, nonce: next.nonce };
  const content = `${encode({ alg: 'RS256', kid: 'key' })}.${encode({ ...claims, ...next.changed })}`;
  return `${content}.${sign('sha256', Buffer.from(content), next.key).toString('base64url')}`;
}

const answers: Readonly<Record<string, () => object>> = {
  '/.well-known/openid-configuration': () => ({
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  }),
  '/keys': () => ({
    keys: [{ ...published.publicKey.export({ format: 'jwk' }), kid: 'key', alg: 'RS256', use: 'sig' }],
  }),
  '/token': () => ({ access_token: 'access', token_type: 'Bearer', id_token: idToken() }),
};

beforeAll(async () => {
  provider = createServer((request, response) => {
    request.resume();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url!]!()));
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://localhost:${(provider.address() as AddressInfo).port}`;
  world = await createWorld({ role: 'api', settings: { SIGN_IN_PROVIDERS: `own,Own,${issuer},parley,secret` } });
}, 60_000);
afterAll(async () => {
  await world?.stop();
  provider?.close();
});

/** Signs in with a token that the given key signs. Returns the fragment of the page that follows. */
async function signInWith(key: KeyObject, changed: object = {}, addressed = 'own'): Promise<Record<string, string>> {
  const app = world.kernel.config.PUBLIC_URL;
  const browser = new Browser();
  const start = await browser.open(`${app}/v1/social_sign_ins`, {
    method: 'POST',
    body: JSON.stringify({ data: { provider: 'own' } }),
    headers: { 'content-type': 'application/json' },
  });
  const { searchParams } = new URL(((await start.json()) as { data: { url: string } }).data.url);
  next = { nonce: searchParams.get('nonce')!, key, changed };
  const query = new URLSearchParams({ code: 'code', state: searchParams.get('state')! });
  const callback = await browser.open(`${app}/v1/social_sign_ins/callback/${addressed}?${query}`);
  return Object.fromEntries(new URLSearchParams(new URL(callback.headers.get('location')!).hash.slice(1)));
}

test('a provider sign-in fails when the signature is not made with the provider’s key', async () => {
  expect(await signInWith(other.privateKey)).toEqual({ social_error: 'failed' });
  expect(await signInWith(published.privateKey)).toEqual({ social_token: expect.any(String) });
});

test.each([
  ['audience', { aud: 'another' }],
  ['issuer', { iss: 'https://provider.example' }],
  ['nonce', { nonce: 'another' }],
  ['end', { exp: 1_600_000_000 }],
])('a provider sign-in fails when the %s of its token is wrong', async (_, changed) => {
  expect(await signInWith(published.privateKey, changed)).toEqual({ social_error: 'failed' });
});

test('a provider sign-in fails when the response arrives at another provider’s callback URL', async () => {
  expect(await signInWith(published.privateKey, {}, 'another')).toEqual({ social_error: 'failed' });
});
