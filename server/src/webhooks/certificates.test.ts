/** Mutual TLS: a webhook presents a client certificate to a real TLS server that requires one. */
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { messageStatusChanged } from '@parley/contract/messages/messages.ts';
import { selfSigned } from '@parley/smpp/test/certificate.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../kernel/clock.ts';
import { sql } from '../kernel/db/db.ts';
import { emit } from '../kernel/live/events.ts';
import { makeClientCertificate } from '../kernel/security/self_signed.ts';
import { type Company, makeCompany, makeUser } from '../test/make.ts';
import { type Caller, createWorld, type Reply, type World } from '../test/world.ts';
import { warnAboutExpiry } from './expiry.ts';

let world: World;
let company: Company;
let owner: Caller;
/** The fingerprint of the client certificate of each request, by path. */
const received: { path: string; fingerprint: string }[] = [];
const servers: Server[] = [];
const identity = selfSigned();

beforeAll(async () => {
  world = await createWorld();
  company = await makeCompany(world.kernel);
  owner = world.as(company.token);
});
afterAll(async () => {
  await world.stop();
  for (const server of servers) server.close();
});

/** Starts a server that accepts only clients whose certificate is one of these. */
async function startServer(trusted: string[]): Promise<string> {
  const options = { ...identity, requestCert: true, rejectUnauthorized: true, ca: trusted };
  const server = createServer(options, (request, response) => {
    const { fingerprint256 } = (request.socket as TLSSocket).getPeerCertificate();
    received.push({ path: request.url!, fingerprint: fingerprint256 });
    request.resume().on('end', () => response.end('seen'));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const until = (check: () => unknown) => expect.poll(check, { timeout: 20_000, interval: 50 });
const codeIn = (reply: Reply): number => reply.body.errors?.[0].code;
const create = async (url: string, fields: object = {}) =>
  (await owner.post('/v1/webhooks', { url, events: ['message.delivered'], server_ca: identity.cert, ...fields })).body
    .data;
const report = () =>
  world.kernel.db.tx(async (tx) => {
    const dates = { create_date: '2030-01-01 10:00:00', update_date: '2030-01-01 10:00:05' };
    emit(tx, messageStatusChanged, company.account_id, {
      ...{ id: newId(), account_id: company.account_id, direction: 'MT', channel: 'SMS', from: 'Shop', text: 'Hello' },
      ...{ to: '447700900123', status: 'delivered', sender_id: newId(), mccmnc: null, price: 0, ...dates },
    } as never);
  });
const at = (path: string) => received.filter((one) => one.path === path);
const errors = async (id: string): Promise<(string | null)[]> =>
  (await owner.get(`/v1/webhooks/${id}/deliveries`)).body.data.map(({ error }: { error: string | null }) => error);

test('a server that demands a client certificate gets the generated one, and refuses every other', async () => {
  // The server trusts one certificate, which the webhook has only after a while.
  const draft = await create('https://127.0.0.1:1/draft');
  expect(draft).toMatchObject({ client_certificate: null, server_ca: identity.cert });
  const generated = await owner.post(`/v1/webhooks/${draft.id}/certificates`, {});
  expect(generated.status, generated.text).toBe(201);
  const { client_certificate: certificate } = generated.body.data;
  const parsed = new X509Certificate(certificate.pem);
  expect(certificate).toMatchObject({ source: 'generated', subject: `CN=Parley webhook ${draft.id}` });
  expect(certificate.fingerprint).toBe(parsed.fingerprint256);
  expect(parsed.verify(parsed.publicKey)).toBe(true);
  expect([parsed.ca, parsed.keyUsage]).toEqual([false, ['1.3.6.1.5.5.7.3.2']]);
  expect(generated.text).not.toContain('PRIVATE KEY');

  const url = await startServer([certificate.pem]);
  const other = await create(`${url}/other`);
  await report();
  await until(async () => (await errors(other.id))[0]).toBe('The server demands a client certificate');
  await owner.post(`/v1/webhooks/${other.id}/certificates`, {});
  await owner.post(`/v1/webhooks/${other.id}/recoveries`, { since: '2020-01-01 00:00:00' });
  const [waiting] = (await owner.get(`/v1/webhooks/${other.id}/deliveries`)).body.data;
  await owner.post(`/v1/webhooks/${other.id}/deliveries/${waiting.id}/resend`);
  await until(async () => (await errors(other.id))[0]).toMatch(
    /^The server (refused the client certificate|closed the connection)/,
  );
  expect(at('/other')).toEqual([]);
  await owner.delete(`/v1/webhooks/${other.id}`);

  await owner.put(`/v1/webhooks/${draft.id}`, { url: `${url}/trusted` });
  await until(() => at('/trusted').length).toBe(1);
  expect(at('/trusted')).toEqual([{ path: '/trusted', fingerprint: parsed.fingerprint256 }]);
  expect((await owner.delete(`/v1/webhooks/${draft.id}/certificates`)).body.data.client_certificate).toBeNull();
  expect((await owner.delete(`/v1/webhooks/${draft.id}/certificates`)).status).toBe(200);
  await owner.delete(`/v1/webhooks/${draft.id}`);
});

test('a server whose certificate its authority did not issue receives no requests', async () => {
  const { cert, key } = makeClientCertificate('Client', new Date(), 30);
  const url = await startServer([cert]);
  const hook = await create(`${url}/authority`, { server_ca: null });
  await owner.post(`/v1/webhooks/${hook.id}/certificates`, { certificate: cert, private_key: key });
  await report();
  await until(async () => (await errors(hook.id))[0]).toMatch(/No trusted authority/);
  await owner.put(`/v1/webhooks/${hook.id}`, { server_ca: selfSigned().cert });
  const [delivery] = (await owner.get(`/v1/webhooks/${hook.id}/deliveries`)).body.data;
  const resend = () => owner.post(`/v1/webhooks/${hook.id}/deliveries/${delivery.id}/resend`);
  await resend();
  const attempts = async () =>
    (await owner.get(`/v1/webhooks/${hook.id}/deliveries/${delivery.id}`)).body.data.attempts.length;
  await until(attempts).toBeGreaterThan(1);
  expect(at('/authority')).toEqual([]);
  expect((await owner.put(`/v1/webhooks/${hook.id}`, { server_ca: identity.cert })).status).toBe(200);
  await resend();
  await until(() => at('/authority').length).toBe(1);
  expect(at('/authority')[0]!.fingerprint).toBe(new X509Certificate(cert).fingerprint256);
  await owner.delete(`/v1/webhooks/${hook.id}`);
});

test('certificates that cannot work are refused, and private keys are sealed', async () => {
  const hook = await create('https://127.0.0.1:1/refusals', { server_ca: null });
  const path = `/v1/webhooks/${hook.id}/certificates`;
  const { cert, key } = makeClientCertificate('Client 👋', new Date(), 30);
  const code = async (body: object) => codeIn(await owner.post(path, body));
  expect(await code({ certificate: cert })).toBe(2663);
  expect(await code({ private_key: key })).toBe(2661);
  expect(await code({ certificate: 'x', private_key: key })).toBe(2661);
  expect(await code({ certificate: `${cert}${key}`, private_key: key })).toBe(2661);
  expect(await code({ certificate: cert.repeat(6), private_key: key })).toBe(2661);
  expect(await code({ certificate: cert, private_key: makeClientCertificate('Other', new Date(), 1).key })).toBe(2663);
  const encrypted = generateKeyPairSync('ec', {
    namedCurve: 'prime256v1',
    privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  }).privateKey;
  expect(await code({ certificate: cert, private_key: encrypted })).toBe(2663);
  const old = makeClientCertificate('Old', new Date(Date.now() - 40 * 86_400_000), 30);
  expect(await code({ certificate: old.cert, private_key: old.key })).toBe(2662);
  expect(await code({ certificate: 'a\u0000b', private_key: key })).toBeDefined();
  expect(codeIn(await owner.put(`/v1/webhooks/${hook.id}`, { server_ca: 'x' }))).toBe(2664);

  const stored = await owner.post(path, { certificate: `Bag\n${cert}`, private_key: key });
  expect(stored.body.data.client_certificate).toMatchObject({ source: 'uploaded', pem: cert });
  const row = await world.kernel.db.one<{ client_key: string }>(sql`
    select client_key from webhooks where account_id = ${company.account_id} and id = ${hook.id}`);
  expect(row.client_key).toMatch(/^sealed\./);
  expect(codeIn(await owner.put(`/v1/webhooks/${hook.id}`, { url: 'http://127.0.0.1:1/plain' }))).toBe(2660);
  const plain = await create('http://127.0.0.1:1/plain', { server_ca: null });
  expect(codeIn(await owner.post(`/v1/webhooks/${plain.id}/certificates`, {}))).toBe(2660);
  expect((await owner.put(`/v1/webhooks/${hook.id}`, { server_ca: '' })).body.data.server_ca).toBeNull();

  const stranger = world.as((await makeCompany(world.kernel)).token);
  expect(codeIn(await stranger.post(path, {}))).toBe(1201);
  expect(codeIn(await stranger.delete(path))).toBe(1201);
  const viewer = world.as((await makeUser(world.kernel, company.account_id, { permissions: { WEBHOOKS: 1 } })).token);
  expect(codeIn(await viewer.post(path, {}))).toBe(1136);
  for (const id of [hook.id, plain.id]) await owner.delete(`/v1/webhooks/${id}`);
});

test('the managers of a webhook are warned once before its certificate expires, and once when it has', async () => {
  const hook = await create('https://127.0.0.1:1/expiry');
  const { cert, key } = makeClientCertificate('Client', new Date(), 29);
  await owner.post(`/v1/webhooks/${hook.id}/certificates`, { certificate: cert, private_key: key });
  const warn = () => warnAboutExpiry(world.kernel.db, 'https://parley.test', new AbortController().signal);
  const subjects = async () =>
    (
      await world.kernel.db.rows<{ subject: string }>(sql`
        select subject from mails where account_id = ${company.account_id} order by id`)
    ).map(({ subject }) => subject);
  const passDays = (days: number) =>
    world.kernel.db.run(sql`
      update webhooks set certificate_expire_date = certificate_expire_date - make_interval(days => ${days})
      where id = ${hook.id}`);
  const soon = 'The client certificate for 127.0.0.1:1 expires soon';
  await Promise.all([warn(), warn()]);
  expect(await subjects()).toEqual([soon]);
  await warn();
  await passDays(23);
  await warn();
  expect(await subjects()).toEqual([soon, soon]);
  await passDays(7);
  await warn();
  await warn();
  expect(await subjects()).toEqual([soon, soon, 'The client certificate for 127.0.0.1:1 has expired']);
  // A new certificate starts again.
  await owner.post(`/v1/webhooks/${hook.id}/certificates`, {});
  await warn();
  expect(await subjects()).toHaveLength(3);
});
