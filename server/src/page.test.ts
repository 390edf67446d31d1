/**
 * Tests the security headers of the page and of API responses. Every end-to-end test also shows that the web app
 * works with them.
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadPage } from './page.ts';
import { buildWebApp, webAppIsBuilt } from './start/web_app.ts';
import { createWorld, type World } from './test/world.ts';

let world: World;

beforeAll(async () => {
  if (!webAppIsBuilt()) await buildWebApp();
  world = await createWorld({ role: 'api' });
}, 300_000);
afterAll(() => world?.stop());

const headers = async (path: string) => (await world.as().get(path)).headers;
const directives = (policy: string | null) =>
  Object.fromEntries(
    (policy ?? '').split(';').map((part) => part.trim().split(/ (.*)/s).slice(0, 2) as [string, string]),
  );

test('the page allows only its own scripts, requires Trusted Types, and has a new nonce per response', async () => {
  const [first, second] = [await world.as().get('/'), await world.as().get('/inbox/unassigned')];
  const policy = directives(first.headers.get('content-security-policy'));
  expect(policy).toMatchObject({
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src-attr': "'unsafe-inline'",
    'connect-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'frame-ancestors': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': 'default',
  });
  const nonce = /^'self' 'nonce-([\w-]{22})'$/.exec(policy['style-src-elem']!)![1]!;
  expect(policy['style-src']).toBe(policy['style-src-elem']);
  expect(first.text).toContain(`<meta property="csp-nonce" nonce="${nonce}" />`);
  expect(first.text).not.toContain('PARLEY_NONCE');
  expect(second.text).toMatch(/<div id="root">/);
  expect(second.text).not.toContain(nonce);
  expect(first.headers.get('cache-control')).toBe('no-cache');
  expect(first.headers.get('permissions-policy')).toMatch(/camera=\(\).*publickey-credentials-get=\(self\)/);
});

test('every response forbids content sniffing, framing, and cross-origin use', async () => {
  for (const path of ['/', '/v1/social_providers', '/v1/nothing', '/favicon.svg']) {
    const responseHeaders = await headers(path);
    expect([
      path,
      responseHeaders.get('x-content-type-options'),
      responseHeaders.get('x-frame-options'),
      responseHeaders.get('referrer-policy'),
      responseHeaders.get('cross-origin-opener-policy'),
      responseHeaders.get('cross-origin-resource-policy'),
    ]).toEqual([path, 'nosniff', 'DENY', 'no-referrer', 'same-origin', 'same-origin']);
  }
  const api = directives((await headers('/v1/social_providers')).get('content-security-policy'));
  expect(api).toEqual({
    'default-src': "'none'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'none'",
    'frame-ancestors': "'none'",
  });
});

test('HSTS is sent only if the public URL uses HTTPS, and leaves the subdomains of other hosts alone', async () => {
  expect((await headers('/')).get('strict-transport-security')).toBeNull();
  const secure = await createWorld({ role: 'api', settings: { PUBLIC_URL: 'https://messages.example.com' } });
  try {
    const policyFor = async (host: string) => {
      const response = await secure.app!.api!.http.inject({ url: '/v1/social_providers', headers: { host } });
      return response.headers['strict-transport-security'];
    };
    expect(await policyFor('messages.example.com')).toBe('max-age=31536000; includeSubDomains');
    expect(await policyFor('app.acme.example')).toBe('max-age=31536000');
  } finally {
    await secure.stop();
  }
});

test('the page names the configured links, escaped, and says that it is the demo', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-page-'));
  writeFileSync(join(folder, 'index.html'), '<head></head>');
  const send = (settings: Partial<Parameters<typeof loadPage>[1]>) => {
    const reply = { type: () => reply, header: () => reply, send: (html: string) => html };
    const cards = { STRIPE_SECRET_KEY: null, STRIPE_SCRIPT_URL: '', STRIPE_API_URL: '' };
    return String(loadPage(folder, { ...cards, ...settings })!(reply as never));
  };
  expect(send({})).toBe('<head></head>');
  expect(send({ MODE: 'production', REVIEW_LINKS: [], LEGAL_LINKS: [] })).toBe('<head></head>');
  expect(send({ MODE: 'demo' })).toBe('<head><meta name="demo" content="true" /></head>');
  expect(send({ REVIEW_LINKS: [{ label: 'A&B', href: 'https://reviews.example.com/?a="' }] })).toBe(
    '<head><meta name="review-links" content="[{&#34;label&#34;:&#34;A&#38;B&#34;,' +
      '&#34;href&#34;:&#34;https://reviews.example.com/?a=\\&#34;&#34;}]" /></head>',
  );
  const legal = [
    { label: 'Imprint', href: 'https://example.com/imprint' },
    { label: 'Terms of service', href: 'https://example.com/terms' },
  ];
  const content = /content="([^"]*)"/.exec(send({ LEGAL_LINKS: legal }))![1]!.replaceAll('&#34;', '"');
  expect(JSON.parse(content)).toEqual([
    { label: 'Privacy policy', href: '/legal/privacy-policy' },
    ...[legal[1], { label: 'Anti-spam policy', href: '/legal/anti-spam-policy' }, legal[0]],
  ]);
});

test.each(['/v2', '/v2/messages', '/v10/messages?page=1'])(
  'the URL %s of an unknown version is not a page',
  async (path) => {
    const { status, body } = await world.as().get(path);
    expect([status, body.errors[0].code]).toEqual([404, 1004]);
  },
);

test('files of the web app are served compressed, and the copies cannot be requested directly', async () => {
  const page = (await world.as().get('/')).text;
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)![1]!;
  const reply = await world.as().raw(script, { headers: { 'accept-encoding': 'br' } });
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-encoding')).toBe('br');
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect((await world.as().raw(script, { method: 'HEAD' })).status).toBe(200);
  for (const path of [`${script}.br`, `${script}.gz`, '/index.html', '/assets/missing.js', '/../package.json'])
    expect([path, (await world.as().get(path)).status]).toEqual([path, 404]);
  // Programs such as curl and health checks accept no compression.
  const plain = { headers: { 'accept-encoding': 'identity' } };
  for (const path of ['/', '/assets', '/assets/']) expect((await world.as().raw(path, plain)).status).toBe(200);
  expect((await world.as().raw(script, plain)).headers.get('content-encoding')).toBeNull();
  for (const path of ['/', '/assets', '/%2e%2e/package']) expect((await world.as().get(path)).text).toContain('<html');
});
