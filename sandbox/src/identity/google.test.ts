/**
 * Tests the sign-in provider from the point of view of a browser and an application: the test follows redirects by hand
 * and keeps cookies as a browser would.
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Box, openBox } from '../test/box.ts';

const redirect_uri = 'http://localhost:4999/callback';

class Browser {
  private readonly jar = new Map<string, string>();

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const origin = new URL(url).origin;
    const response = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '), ...(form && { origin }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
      if (value) this.jar.set(name, value);
      else this.jar.delete(name);
    }
    return response;
  }

  /** Follows redirects until a page is shown or the redirect leads to another site. */
  async follow(url: string, form?: Record<string, string>): Promise<{ url: string; response: Response }> {
    let response = await this.open(url, form);
    for (let hops = 0; hops < 5 && response.headers.get('location'); hops++) {
      url = new URL(response.headers.get('location')!, url).href;
      if (url.startsWith(redirect_uri)) break;
      response = await this.open(url);
    }
    return { url, response };
  }
}

interface AuthorizationRequest {
  url: string;
  verifier: string;
}
function authorize(box: Box, parameters: Record<string, string> = {}): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    client_id: 'parley',
    redirect_uri,
    response_type: 'code',
    scope: 'openid email profile',
    state: 'my-state',
    nonce: 'my-nonce',
    prompt: 'select_account',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...parameters,
  });
  return { url: `${issuer(box)}/auth?${query}`, verifier };
}
const issuer = (box: Box) => `http://localhost:${box.sandbox.ports.http}/google`;

const redeem = (box: Box, code: string, code_verifier: string) =>
  fetch(`${issuer(box)}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'parley',
      client_secret: 'sandbox',
      redirect_uri,
      code,
      code_verifier,
    }),
  });

test('the account chooser signs in the chosen person and appears again at the next sign-in', async () => {
  const box = await openBox();
  const browser = new Browser();
  for (const [name, email, email_verified] of [
    ['Sam <b>Hill</b>', 'sam@mail.localhost', 'yes'],
    ['Other', 'other@mail.localhost', ''],
  ] as const) {
    const { url, verifier } = authorize(box);
    const chooser = await browser.follow(url);
    const html = await chooser.response.text();
    expect([chooser.response.status, html.includes('<b>')]).toEqual([200, false]);
    expect(html).toContain('Choose an account');
    const callback = new URL((await browser.follow(chooser.url, { name, email, email_verified })).url);
    expect(callback.href).toContain(redirect_uri);
    expect(callback.searchParams.get('state')).toBe('my-state');
    expect(callback.searchParams.get('iss')).toBe(issuer(box));
    const tokens = (await (await redeem(box, callback.searchParams.get('code')!, verifier)).json()) as {
      id_token: string;
    };
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1]!, 'base64url').toString()) as object;
    expect(claims).toMatchObject({
      iss: issuer(box),
      aud: 'parley',
      nonce: 'my-nonce',
      email,
      name,
      email_verified: email_verified === 'yes',
      sub: expect.stringMatching(/^\d{21}$/),
    });
    // A code works only once.
    expect((await redeem(box, callback.searchParams.get('code')!, verifier)).status).toBe(400);
  }
});

test('a sign-in fails without consent, PKCE, a local redirect, or the right verifier', async () => {
  const box = await openBox();
  const browser = new Browser();
  const chooser = await browser.follow(authorize(box).url);
  const callback = new URL((await browser.follow(chooser.url, { choice: 'cancel' })).url);
  expect([callback.searchParams.get('error'), callback.searchParams.get('state')]).toEqual([
    'access_denied',
    'my-state',
  ]);

  const plain = await browser.follow(authorize(box, { code_challenge: '', code_challenge_method: '' }).url);
  expect(new URL(plain.url).searchParams.get('error')).toBe('invalid_request');
  const foreign = await browser.follow(authorize(box, { redirect_uri: 'https://evil.example/callback' }).url);
  expect([foreign.response.status, await foreign.response.text()]).toEqual([
    400,
    expect.stringContaining('redirect_uri'),
  ]);

  const again = await browser.follow(authorize(box).url);
  const redirect = new URL((await browser.follow(again.url, { email: 'sam@mail.localhost', name: '' })).url);
  expect((await redeem(box, redirect.searchParams.get('code')!, 'x'.repeat(43))).status).toBe(400);
});

test('the provider shows an error when the email is invalid or the page has expired', async () => {
  const box = await openBox();
  const browser = new Browser();
  const chooser = await browser.follow(authorize(box).url);
  const response = await browser.open(chooser.url, { email: 'nobody', name: '' });
  expect([response.status, await response.text()]).toEqual([400, expect.stringContaining('Enter an email address')]);
  const expired = await new Browser().open(`${issuer(box)}/choose/nothing`);
  expect([expired.status, await expired.text()]).toEqual([400, expect.stringContaining('expired')]);
});
