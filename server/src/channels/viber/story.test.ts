import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ViberSettings } from '@parley/contract/channels/viber/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { picture } from '../../test/media_files.ts';
import { type SandboxProcess, startSandbox } from '../../test/world.ts';
import type { Bind, Incoming, Notice, Outgoing, Report } from '../channel.ts';
import type { OutgoingContent } from '../outgoing_content.ts';
import { viber } from './viber.ts';

// Runs the adapter against the sandbox, a separate program, so all traffic goes over sockets. `callbackServer` receives
// the sandbox's callbacks.
let sandbox: SandboxProcess;
let folder: string;
let callbackServer: Server;
let bind: Bind;
let connection: { id: string; settings: ViberSettings };
let address: string;
const received = { reports: [] as Report[], incoming: [] as Incoming[], notices: [] as Notice[] };
const statuses: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-viber-'));
  sandbox = await startSandbox(folder);
  callbackServer = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const result = viber.callbacks!.read(connection, {
      method: request.method as 'POST',
      url: '',
      query: {},
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(pieces),
    });
    received.reports.push(...result.reports);
    received.incoming.push(...result.incoming);
    received.notices.push(...result.notices);
    statuses.push(result.status);
    response.writeHead(result.status).end(result.body);
  });
  await new Promise<void>((resolve) => callbackServer.listen(0, '127.0.0.1', resolve));
  await api('PUT', '/api/viber/settings', { delivered_delay_ms: 0, delivered_jitter_ms: 0, seen_delay_ms: 0 });
  const { auth_token, service_id } = (await api('POST', '/api/viber/services', {
    name: 'Harbour',
    callback_url: `http://127.0.0.1:${(callbackServer.address() as AddressInfo).port}/callbacks/2`,
    promotional: true,
    two_way: true,
  })) as { auth_token: string; service_id: number };
  address = String(service_id);
  connection = {
    id: '00000000-0000-7000-8000-000000000002',
    settings: ViberSettings.parse({ base_url: `${sandbox.url}/viber/vibersrvc/1`, auth_token }),
  };
  bind = viber.open(connection, { report: async () => {}, incoming: async () => {}, changed: () => {} });
});
afterAll(async () => {
  await bind?.close(0);
  await sandbox?.stop();
  callbackServer?.closeAllConnections();
  await new Promise((resolve) => callbackServer.close(resolve));
  await rm(folder, { recursive: true, force: true });
});

async function api(method: string, path: string, body?: unknown): Promise<Record<string, unknown>> {
  const response = await fetch(sandbox.url + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Record<string, unknown>;
}

async function eventually<T>(description: string, find: () => T | undefined): Promise<T> {
  for (const end = Date.now() + 20_000; ; ) {
    const result = find();
    if (result !== undefined) return result;
    if (Date.now() > end) throw new Error(`timed out waiting for: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const PHONE = '447700900321';
const EMPTY = { media: null, header: null, footer: null, buttons: [], template: null, purpose: null };
let reference = 0;
async function send(text: string, content: Partial<OutgoingContent>, changes: Partial<Outgoing> = {}) {
  reference++;
  const { accepted, failure } = await bind.send({
    from: address,
    to: PHONE,
    text,
    content: { ...EMPTY, ...content },
    reference,
    key: String(reference),
    valid_seconds: 3_600,
    sent_parts: [],
    ...changes,
  });
  return { token: accepted[0]?.external_id ?? '', failure };
}
const reported = (token: string, status: Report['status']) =>
  eventually(`${token} is ${status}`, () =>
    received.reports.find((item) => item.external_id === token && item.status === status),
  );

const link = { type: 'link', text: 'Book a table', value: 'https://harbour.example/book' } as const;
const file = (type: 'image' | 'video' | 'document', name: string) => ({
  type,
  key: null,
  link: `https://files.example/${name}`,
  file_name: name,
  content_type: null,
  bytes: null,
  open: null,
});

test('messages of every type are accepted, delivered, and read', async () => {
  const results = await Promise.all([
    send('Summer sale', { purpose: 'promotional' }),
    send('Summer sale', { purpose: 'promotional', buttons: [link] }),
    send('', { purpose: 'promotional', media: file('image', 'a.png') }),
    send('Summer sale', { purpose: 'promotional', media: file('image', 'a.png') }),
    send('Summer sale', { purpose: 'promotional', media: file('image', 'a.png'), buttons: [link] }),
    send('Your code is 1', { purpose: 'transactional' }),
    send('', { purpose: 'transactional', media: file('document', 'a_long_name_of_a_document.pdf') }),
  ]);
  expect(results.map(({ failure }) => failure)).toEqual(results.map(() => null));
  for (const { token } of results) {
    expect(token).toMatch(/^\d{18,}$/);
    await reported(token, 'delivered');
    expect(await reported(token, 'read')).toMatchObject({ number: PHONE, sender: address });
  }
});

test('a transactional message is sent with a Viber template and refused with an unknown one', async () => {
  const text = 'Order {{number}} of {{name}} is on its way.';
  await api('POST', '/api/viber/templates', { text, language: 'en', template_id: 'order-shipped' });
  const template = {
    name: 'order_shipped',
    language: 'en',
    header_values: [],
    body_names: ['number', 'name'],
    body_values: ['7', 'Ann'],
  };
  const registered = { ...template, external_id: 'order-shipped' };
  const result = await send('Order 7 of Ann is on its way.', { purpose: 'transactional', template: registered });
  expect(result.failure).toBeNull();
  await reported(result.token, 'delivered');
  const unknown = { ...template, external_id: 'another' };
  expect((await send('x', { purpose: 'transactional', template: unknown })).failure).toMatchObject({
    kind: 'config',
    code: '38',
  });
});

test('a video is sent with the size and duration of its file', async () => {
  const header = Buffer.alloc(116);
  header.writeUInt32BE(116);
  header.write('moov', 4);
  header.writeUInt32BE(108, 8);
  header.write('mvhd', 12);
  header.writeUInt32BE(1_000, 28);
  header.writeUInt32BE(7_600, 32);
  const { Readable } = await import('node:stream');
  let visits = 0;
  const video = {
    ...file('video', 'a.mp4'),
    key: 'account/video',
    bytes: header.length,
    picture: 'https://files.example/a.webp',
    open: async () => {
      visits++;
      return Readable.from([header]);
    },
  };
  const results = await Promise.all([
    send('', { purpose: 'promotional', media: video }),
    send('Look', { purpose: 'promotional', media: video }),
    send('Look', { purpose: 'promotional', media: video, buttons: [link] }),
  ]);
  expect(results.map(({ failure }) => failure)).toEqual([null, null, null]);
  expect(visits).toBe(1);
  const linked = await send('', { purpose: 'promotional', media: file('video', 'a.mp4') });
  expect(linked.failure).toMatchObject({
    kind: 'invalid',
    text: 'Viber requires the size and duration of a video, but this file does not contain them',
  });
});

test('a session starts with an inbound message and allows a limited number of messages in a row', async () => {
  expect((await send('Hello', { purpose: 'session' })).failure).toMatchObject({ kind: 'rejected', code: '21' });
  await api('POST', `/api/phones/${PHONE}/messages`, { channel: 'VIBER', to: address, text: 'Do you have a table?' });
  const inbound = await eventually('the message of the person', () =>
    received.incoming.find(({ text }) => text === 'Do you have a table?'),
  );
  expect(inbound).toMatchObject({ from: PHONE, to: address });
  for (let n = 0; n < 8; n++) expect((await send(`${n}`, { purpose: 'session' })).failure).toBeNull();
  expect((await send('', { purpose: 'session', media: file('image', 'a.jpg') })).failure).toBeNull();
  expect((await send('', { purpose: 'session', media: file('document', 'bill.pdf') })).failure).toBeNull();
  expect((await send('One more', { purpose: 'session' })).failure).toMatchObject({ code: '21' });
});

test('a picture from a person is fetched', async () => {
  const octets = await picture('png');
  const response = await fetch(`${sandbox.url}/api/files?name=cat.png`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(octets),
  });
  const { url } = (await response.json()) as { url: string };
  await api('POST', `/api/phones/${PHONE}/messages`, { channel: 'VIBER', to: address, text: 'My cat', media_url: url });
  const { content } = await eventually('the picture', () => received.incoming.find(({ text }) => text === 'My cat'));
  const { stream, content_type } = await viber.media!.fetch(connection, content!.media!.source);
  expect(content_type).toBe('image/png');
  expect(Buffer.concat(await stream.toArray()).equals(octets)).toBe(true);
  await expect(viber.media!.fetch(connection, 'http://elsewhere.example/cat.png')).rejects.toThrow(/not encrypted/);
});

test('a person who blocks the sender receives no more messages, and Viber sends a notice', async () => {
  await api('PUT', `/api/phones/${PHONE}`, { viber_blocked: [Number(address)] });
  const notice = await eventually('the notice', () => received.notices.find((item) => item.kind === 'consent'));
  expect(notice).toEqual({ kind: 'consent', address, from: PHONE, stopped: true });
  expect((await send('Hello', { purpose: 'promotional' })).failure).toMatchObject({ kind: 'opted_out', code: '8' });
});

test.each([
  ['447900900701', 'rejected', '9'],
  ['447900900703', 'rejected', '10'],
  ['447900900704', 'connection', '1'],
  ['447900900715', 'unknown', ''],
  ['447900900716', 'unknown', ''],
])('a message to %s fails with the kind "%s"', async (to, kind, code) => {
  expect((await send('Hello', { purpose: 'promotional' }, { to })).failure).toMatchObject({ kind, code });
});

test('an expired message is reported, and a callback with a wrong signature is refused', async () => {
  const { token } = await send('Hello', { purpose: 'promotional' }, { to: '447900900707' });
  await reported(token, 'expired');
  const before = statuses.length;
  const signed = await send('Hello', { purpose: 'promotional' }, { to: '447900900714' });
  await reported(signed.token, 'delivered');
  expect(statuses.slice(before)).toContain(403);
});

test('the bind waits and does not send while our IP address is not allowed', async () => {
  await api('PUT', `/api/viber/services/${address}`, { address_allowed: false });
  expect((await send('Hello', { purpose: 'promotional' })).failure).toMatchObject({ kind: 'connection', code: '401' });
  expect([bind.state, bind.free]).toEqual(['waiting', 0]);
});
