// The sign-in provider as a browser and an application meet it: redirects followed by hand, cookies kept as a browser would.
import { createHash, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Box, openBox } from '../test/box.ts';

const redirect_uri = 'http://localhost:4999/callback';

class Browser {
  private readonly jar = new Map<string, string>();

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const origin = new URL(url).origin;
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { cookie: [...this.jar].map(([name, value]) => `${name}=${value}`).join('; '), ...(form && { origin }) },
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
    });
    for (const cookie of answer.headers.getSetCookie()) {
      const [name, value] = cookie.split(';')[0]!.split('=') as [string, string];
      if (value) this.jar.set(name, value);
      else this.jar.delete(name);
    }
    return answer;
  }

  /** Until a page is shown or the way leads elsewhere. */
  async follow(url: string, form?: Record<string, string>): Promise<{ url: string; answer: Response }> {
    let answer = await this.open(url, form);
    for (let hops = 0; hops < 5 && answer.headers.get('location'); hops++) {
      url = new URL(answer.headers.get('location')!, url).href;
      if (url.startsWith(redirect_uri)) break;
      answer = await this.open(url);
    }
    return { url, answer };
  }
}

interface Asking {
  url: string;
  verifier: string;
}
function asking(box: Box, more: Record<string, string> = {}): Asking {
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
    ...more,
  });
  return { url: `${issuerOf(box)}/auth?${query}`, verifier };
}
const issuerOf = (box: Box) => `http://localhost:${box.sandbox.ports.http}/google`;

const redeem = (box: Box, code: string, code_verifier: string) =>
  fetch(`${issuerOf(box)}/token`, {
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

test('one chooses who one is, the application learns it once, and the chooser comes again each time', async () => {
  const box = await openBox();
  const browser = new Browser();
  for (const [name, email, email_verified] of [
    ['Sam <b>Hill</b>', 'sam@mail.localhost', 'yes'],
    ['Other', 'other@mail.localhost', ''],
  ] as const) {
    const { url, verifier } = asking(box);
    const chooser = await browser.follow(url);
    const html = await chooser.answer.text();
    expect([chooser.answer.status, html.includes('<b>')]).toEqual([200, false]);
    expect(html).toContain('Choose an account');
    const back = new URL((await browser.follow(chooser.url, { name, email, email_verified })).url);
    expect(back.href).toContain(redirect_uri);
    expect(back.searchParams.get('state')).toBe('my-state');
    expect(back.searchParams.get('iss')).toBe(issuerOf(box));
    const tokens = (await (await redeem(box, back.searchParams.get('code')!, verifier)).json()) as { id_token: string };
    const claims = JSON.parse(Buffer.from(tokens.id_token.split('.')[1]!, 'base64url').toString()) as object;
    expect(claims).toMatchObject({
      iss: issuerOf(box),
      aud: 'parley',
      nonce: 'my-nonce',
      email,
      name,
      email_verified: email_verified === 'yes',
      sub: expect.stringMatching(/^\d{21}$/),
    });
    // A code is good once.
    expect((await redeem(box, back.searchParams.get('code')!, verifier)).status).toBe(400);
  }
});

test('cancel leads back with access_denied, and no code comes without PKCE, to a foreign host or for a wrong verifier', async () => {
  const box = await openBox();
  const browser = new Browser();
  const chooser = await browser.follow(asking(box).url);
  const back = new URL((await browser.follow(chooser.url, { choice: 'cancel' })).url);
  expect([back.searchParams.get('error'), back.searchParams.get('state')]).toEqual(['access_denied', 'my-state']);

  const plain = await browser.follow(asking(box, { code_challenge: '', code_challenge_method: '' }).url);
  expect(new URL(plain.url).searchParams.get('error')).toBe('invalid_request');
  const foreign = await browser.follow(asking(box, { redirect_uri: 'https://evil.example/callback' }).url);
  expect([foreign.answer.status, await foreign.answer.text()]).toEqual([400, expect.stringContaining('redirect_uri')]);

  const again = await browser.follow(asking(box).url);
  const given = new URL((await browser.follow(again.url, { email: 'sam@mail.localhost', name: '' })).url);
  expect((await redeem(box, given.searchParams.get('code')!, 'x'.repeat(43))).status).toBe(400);
});

test('a form that is wrong, and a page left open too long, are said in words', async () => {
  const box = await openBox();
  const browser = new Browser();
  const chooser = await browser.follow(asking(box).url);
  const wrong = await browser.open(chooser.url, { email: 'nobody', name: '' });
  expect([wrong.status, await wrong.text()]).toEqual([400, expect.stringContaining('Enter an email address')]);
  const stale = await new Browser().open(`${issuerOf(box)}/choose/nothing`);
  expect([stale.status, await stale.text()]).toEqual([400, expect.stringContaining('expired')]);
});
