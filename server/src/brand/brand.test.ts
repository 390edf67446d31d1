import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BRAND_NAME, fillName } from '../kernel/brand/brand.ts';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { signatureRecord } from '../kernel/mail/mail.ts';
import { buildWebApp, webAppIsBuilt } from '../start/web_app.ts';
import { mailTo } from '../test/mailbox.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { makeSubAccount } from '../test/team.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { updateBrand } from './brand.ts';

const PATH = '/v1/brand';
let world: World;
let reseller: Company;
let stranger: Company;
let owner: Caller;
let operator: Caller;
let branch_id: string;
let branch: Caller;
let branch_email: string;

beforeAll(async () => {
  if (!webAppIsBuilt()) await buildWebApp();
  world = await createWorld();
  [reseller, stranger] = [await makeCompany(world.kernel), await makeCompany(world.kernel)];
  owner = world.as(reseller.token);
  operator = world.as((await makeCompany(world.kernel, { operator: true })).token);
  branch_id = await makeSubAccount(world.kernel, reseller);
  const user = await makeUser(world.kernel, branch_id, { owner: true });
  branch = world.as(user.token);
  branch_email = `${user.user_id}@test.localhost`;
}, 300_000);
afterAll(() => world?.stop());

const code = (reply: Reply) => reply.body.errors[0]!.code;
const addDomain = (account_id: string, host: string, verified = true) =>
  world.kernel.db.run(sql`
    insert into link_domains (account_id, id, host, token, verified)
    values (${account_id}, ${newId()}, ${host}, 'x', ${verified})`);
const shownTo = async (caller: Caller) => (await caller.get('/v1/accounts/self')).body.data.brand;
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 10"><rect width="40" height="10" fill="red"/></svg>';
const upload = (caller: Caller, text: string, name = 'logo.svg') =>
  caller.upload('/v1/brand_images', {}, { name, bytes: Buffer.from(text) });

/** A browser’s request to a host name that leads here. */
const open = (
  host: string,
  path: string,
  headers: Record<string, string> = {},
  { method = 'GET', body }: { method?: string; body?: string } = {},
) =>
  new Promise<{ status: number; text: string; headers: Record<string, string | string[] | undefined> }>(
    (resolve, reject) => {
      const { hostname, port } = new URL(world.url);
      request({ hostname, port, path, method, headers: { ...headers, host } }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            text: Buffer.concat(parts).toString(),
            headers: response.headers,
          }),
        );
      })
        .on('error', reject)
        .end(body);
    },
  );

const AGENT_HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };

describe('the brand of a reseller', () => {
  test('is visible only to its sub-accounts', async () => {
    const saved = await owner.put(PATH, { name: 'Acme Texts', color: '#C0FFEE' });
    expect(saved.status).toBe(200);
    expect(saved.body.data).toMatchObject({
      is_own: true,
      is_installation: false,
      name: 'Acme Texts',
      color: '#c0ffee',
      domain: null,
    });
    expect(await shownTo(branch)).toEqual({
      ...{ name: 'Acme Texts', logo_url: null, logo_dark_url: null },
      palette: saved.body.data.palette,
    });
    expect(await shownTo(owner)).toMatchObject({ name: 'Parley', palette: null });
    expect(await shownTo(world.as(stranger.token))).toMatchObject({ name: 'Parley' });
    const { data } = (await owner.get('/v1/audit_log')).body;
    expect(data[0]).toMatchObject({ action: 'brand.updated', target_name: 'Acme Texts' });
  });

  test('names the authenticator and the passkeys of its sub-accounts', async () => {
    await world.kernel.db.run(sql`update logins set password_hash = null, totp_secret = null, totp_date = null`);
    const read = async (caller: Caller) => [
      (await caller.post('/v1/users/self/totp', {})).body.data.uri.split('&issuer=')[1],
      (await caller.post('/v1/users/self/passkey_challenges', {})).body.data.options.rp.name,
    ];
    expect(await read(branch)).toEqual(['Acme%20Texts', 'Acme Texts']);
    expect(await read(world.as(stranger.token))).toEqual(['Parley', 'Parley']);
  });

  test('needs a sub-account, and a name that is not the operator’s', async () => {
    expect(code(await world.as(stranger.token).put(PATH, { name: 'Acme' }))).toBe(2621);
    expect(code(await branch.put(PATH, { name: 'Acme' }))).toBe(2621);
    for (const name of ['Parley', 'parley support', 'P\u0430rley', 'P a r l e y', 'Par1ey'])
      expect([name, code(await owner.put(PATH, { name }))]).toEqual([name, 2620]);
    for (const [name, expected] of [
      ['', 2629],
      ['Ac\u0000me', 1705],
      ['Acme\u202e', 1705],
      ['x'.repeat(41), 1705],
    ] as const)
      expect([name, code(await owner.put(PATH, { name }))]).toEqual([name, expected]);
    expect((await owner.put(PATH, { name: 'Acme 🫖' })).status).toBe(200);
    for (const color of ['red', '#fff', '#12345g', 'url(x)', '#123456;background:url(x)'])
      expect([color, code(await owner.put(PATH, { name: 'Acme', color }))]).toEqual([color, 2622]);
  });

  test('has a logo without scripts, which only its account can use', async () => {
    const dangerous = SVG.replace('<rect', '<script>alert(1)</script><rect onload="alert(1)"');
    expect(code(await upload(owner, dangerous))).toBe(1917);
    const { id, url } = (await upload(owner, SVG)).body.data;
    expect((await owner.put(PATH, { name: 'Acme Texts', logo_id: id })).body.data.logo).toEqual({ id, url });
    const image = await open('anything.example', url);
    expect(image.headers).toMatchObject({
      'content-type': expect.stringContaining('image/svg+xml'),
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    expect(image.text).toContain('<rect');
    expect(await shownTo(branch)).toMatchObject({ logo_url: url });
    expect((await open('localhost', '/brand/images/x')).status).toBe(404);

    expect(code(await operator.put(PATH, { name: 'Parley', logo_id: id }))).toBe(2627);
    expect(code(await upload(world.as(stranger.token), SVG))).toBe(2621);
    expect(code(await upload(owner, SVG, 'logo.html'))).toBe(2626);
    expect(code(await upload(owner, 'hello', 'logo.png'))).toBe(1909);
    expect((await upload(owner, `${SVG}<!--${'x'.repeat(210 * 1024)}-->`)).status).toBe(413);
    // An image that is no longer used is deleted.
    await owner.put(PATH, { name: 'Acme Texts' });
    expect((await open('localhost', url)).status).toBe(404);
  });
});

describe('the domain of a brand', () => {
  const HOST = 'app.acme.example';

  test('must be verified by the account, and cannot be removed while the brand uses it', async () => {
    await addDomain(reseller.account_id, 'waiting.example', false);
    await addDomain(stranger.account_id, 'stranger.example');
    await addDomain(reseller.account_id, HOST);
    for (const domain of ['waiting.example', 'stranger.example', 'nobody.example', 'localhost'])
      expect([domain, code(await owner.put(PATH, { name: 'Acme Texts', domain }))]).toEqual([domain, 2623]);
    const saved = await owner.put(PATH, { name: 'Acme <b>"Texts"', color: '#aa0000', domain: HOST });
    expect(saved.body.data).toMatchObject({ domain: HOST, domain_verified: true });
    const { id } = (await owner.get('/v1/link_domains')).body.data.find(({ host }: { host: string }) => host === HOST);
    expect(code(await owner.delete(`/v1/link_domains/${id}`))).toBe(2112);
  });

  test('chooses the brand of the page, the icon, and the manifest, and no other host does', async () => {
    const page = await open(`${HOST}:443`, '/sign-in');
    expect(page.status).toBe(200);
    expect(page.text).toContain('<title>Acme &#60;b&#62;&#34;Texts&#34;</title>');
    expect(page.text).toContain('--brand-light-accent:#aa0000');
    expect(page.text).toMatch(/<meta name="brand" content="\{&#34;name&#34;:&#34;Acme /);
    expect(page.text).not.toMatch(/Parley|<b>|review-links/);
    expect(page.headers['content-security-policy']).toContain("script-src 'self'");
    expect(JSON.parse((await open(HOST, '/brand/app.webmanifest')).text)).toMatchObject({
      name: 'Acme <b>"Texts"',
      theme_color: '#aa0000',
    });
    expect((await open(HOST, '/brand/icon.svg')).text).toContain('>A</text>');

    for (const host of ['localhost', 'admin.localhost', 'evil.example', 'waiting.example', `${HOST}.evil.example`])
      expect([host, (await open(host, '/sign-in')).text.includes('<title>Parley</title>')]).toEqual([host, true]);
    // Only a trusted proxy can name another host.
    expect((await open('localhost', '/sign-in', { 'x-forwarded-host': HOST })).text).toContain('<title>Parley</title>');
  });

  test('has the API documentation and the MCP server with the name of the brand', async () => {
    const { key } = (await branch.post('/v1/keys', { name: 'Agent', permissions: { MESSAGES: 3 } })).body.data;
    const initialize = JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'initialize' },
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    });
    const openMcp = (host: string) =>
      open(host, '/mcp', { ...AGENT_HEADERS, 'x-api-key': key }, { method: 'POST', body: initialize });
    const own = await openMcp(HOST);
    expect(own.status).toBe(200);
    const { serverInfo, instructions } = JSON.parse(/^data: (.+)$/m.exec(own.text)![1]!).result;
    expect(serverInfo).toMatchObject({ title: 'Acme <b>"Texts"', name: 'acme-b-texts' });
    expect(instructions).toContain('Acme <b>"Texts" sends and receives');
    expect((await openMcp('elsewhere.example')).status).toBe(403);
    const document = JSON.parse((await open(HOST, '/v1/openapi.json')).text);
    const { port } = new URL(world.url);
    expect(document).toMatchObject({
      info: { title: 'Acme <b>"Texts"' },
      servers: [{ url: `http://${HOST}:${port}` }],
    });
    const index = (await open(HOST, '/llms.txt')).text;
    expect(index).toMatch(/^# Acme <b>"Texts" API\n/);
    expect(index).toContain(`Base URL: http://${HOST}:${port}/v1`);
    for (const path of ['/v1/openapi.json', '/llms.txt', '/docs/agents.md', '/docs/webhooks.md'])
      expect((await open(HOST, path)).text, path).not.toContain('Parley');
    expect(JSON.parse((await open('localhost', '/v1/openapi.json')).text)).toMatchObject({ info: { title: 'Parley' } });
  });

  test('is in the links of emails to users of sub-accounts, regardless of the requesting host', async () => {
    const asked = await world
      .as()
      .post('/v1/password_resets', { email: branch_email }, { 'x-forwarded-host': 'evil.example' });
    expect(asked.status).toBeLessThan(300);
    const mail = await mailTo(world.kernel, branch_email);
    expect(mail.text + mail.html).not.toMatch(/Parley|evil\.example/);
    expect(mail.text).toContain('Acme <b>"Texts"');
    expect(mail.text).toMatch(new RegExp(`http://${HOST}(:\\d+)?/reset-password/`));
    expect(mail.html).toContain('background:#aa0000');
    expect(mail).toMatchObject({ from: { name: 'Acme <b>"Texts"' } });
  });

  test('stops working when it is no longer verified', async () => {
    await world.kernel.db.run(sql`update link_domains set verified = false where host = ${HOST}`);
    expect((await open(HOST, '/sign-in')).text).toContain('<title>Parley</title>');
    expect((await owner.get(PATH)).body.data).toMatchObject({ domain: HOST, domain_verified: false });
    await world.kernel.db.run(sql`update link_domains set verified = true where host = ${HOST}`);
  });
});

describe('the sender of emails', () => {
  test('must be on a verified domain, and is used only while it is verified', async () => {
    await addDomain(reseller.account_id, 'acme.example');
    const body = { name: 'Acme Texts', sender_email: 'Hello@acme.example' };
    expect(code(await owner.put(PATH, { ...body, sender_email: 'x@stranger.example' }))).toBe(2624);
    expect(code(await owner.put(PATH, { ...body, sender_email: 'x' }))).toBe(1113);
    expect((await owner.put(PATH, body)).body.data.sender_email).toBe('hello@acme.example');
    expect(await mailTo(world.kernel, branch_email)).toMatchObject({
      from: { name: 'Acme Texts', address: 'hello@acme.example' },
    });
    await world.kernel.db.run(sql`update link_domains set verified = false where host = 'acme.example'`);
    expect(await mailTo(world.kernel, branch_email)).toMatchObject({
      from: { name: 'Acme Texts', address: 'no-reply@parley.localhost' },
    });
  });

  test('needs the signing key in its DNS, which is read before the transaction', async () => {
    await world.kernel.db.run(sql`update link_domains set verified = true where host = 'acme.example'`);
    const folder = await mkdtemp(join(tmpdir(), 'parley-dkim-'));
    const DKIM_KEY_FILE = join(folder, 'key.pem');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    await writeFile(DKIM_KEY_FILE, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const config = { ...world.kernel.config, DKIM_SELECTOR: 'texts', DKIM_KEY_FILE };
    const { account_id, user_id } = reseller;
    const actor = { account_id, user_id, permissions: {} };
    const ctx = { kernel: { ...world.kernel, config }, actor } as unknown as Parameters<typeof updateBrand>[0];
    const images = { logo_id: null, logo_dark_id: null, reviews: [] };
    const body = { name: 'Acme Texts', color: null, domain: null, sender_email: 'hello@acme.example', ...images };
    await expect(updateBrand(ctx, body, async () => [])).rejects.toMatchObject({ name: 'BRAND_SENDER_RECORD_MISSING' });
    const record = signatureRecord(config, 'acme.example')!;
    // The domain is no longer verified when the record is found.
    const saved = updateBrand(ctx, body, async (name) => {
      expect(name).toBe('texts._domainkey.acme.example');
      await world.kernel.db.run(sql`update link_domains set verified = false where host = 'acme.example'`);
      return [[record.value]];
    });
    await expect(saved).rejects.toMatchObject({ name: 'BRAND_SENDER_NOT_VERIFIED' });
    await rm(folder, { recursive: true });
  });
});

test('certificates of webhooks have the name of the brand', async () => {
  const draft = { event: 'message', url: 'https://127.0.0.1:1/hook' };
  const { body } = await branch.post('/v1/webhooks', draft);
  const { client_certificate } = (await branch.post(`/v1/webhooks/${body.data.id}/certificates`, {})).body.data;
  expect(client_certificate.subject).toBe(`CN=Acme Texts webhook ${body.data.id}`);
});

test('a name with replacement patterns is unchanged in emails', () => {
  const name = "Ca$$h $& $` $'";
  expect(fillName(`Sign in to ${BRAND_NAME} now`, { name })).toBe(`Sign in to ${name} now`);
});

describe('the brand of the installation', () => {
  const REVIEW = { label: 'Good "Reviews" <i>', href: 'https://reviews.example/acme' };

  test('replaces the name everywhere, with review pages that operators add', async () => {
    const { id, url } = (await upload(operator, SVG)).body.data;
    const saved = await operator.put(PATH, {
      name: 'Signal House',
      reviews: [{ ...REVIEW, image_id: id }],
    });
    expect(saved.body.data).toMatchObject({
      is_installation: true,
      reviews: [{ ...REVIEW, image: { id, url } }],
    });
    const { text } = await open('localhost', '/sign-in');
    expect(text).toContain('<title>Signal House</title>');
    expect((await open('localhost', '//v1/nothing')).text).toContain('"errors"');
    expect(text).toMatch(new RegExp(`name="review-links" content="[^"<>]*${id}`));
    expect(await shownTo(world.as(stranger.token))).toMatchObject({ name: 'Signal House' });
    expect(code(await owner.put(PATH, { name: 'Signal-House Texts' }))).toBe(2620);
    await operator.put(PATH, { name: 'Zed' });
    for (const name of ['Zed Support', 'zed-support', 'Z.e.d', 'The Żed'])
      expect([name, code(await owner.put(PATH, { name }))]).toEqual([name, 2620]);
    expect((await owner.put(PATH, { name: 'Zedding' })).status).toBe(200);
    for (const href of ['http://reviews.example', 'javascript:alert(1)', 'https://'])
      expect([href, code(await operator.put(PATH, { name: 'Signal House', reviews: [{ ...REVIEW, href }] }))]).toEqual([
        href,
        2628,
      ]);
    expect(code(await owner.put(PATH, { name: 'Acme', reviews: [REVIEW] }))).toBe(1705);
    expect(code(await operator.put(PATH, { name: 'Signal House', domain: 'app.acme.example' }))).toBe(1705);
  });

  test('can be deleted, twice', async () => {
    expect((await operator.delete(PATH)).status).toBe(204);
    expect((await operator.delete(PATH)).status).toBe(204);
    expect((await open('localhost', '/sign-in')).text).toContain('<title>Parley</title>');
    expect((await owner.delete(PATH)).status).toBe(204);
    expect(await shownTo(branch)).toMatchObject({ name: 'Parley' });
  });
});
