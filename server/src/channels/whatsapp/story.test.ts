import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { picture } from '../../test/media_files.ts';
import { type SandboxProcess, startSandbox } from '../../test/world.ts';
import type { Bind, Incoming, Notice, Outgoing, Report, TemplateDraft } from '../channel.ts';
import type { OutgoingMedia } from '../outgoing_content.ts';
import { whatsapp } from './whatsapp.ts';

// Runs the adapter against the sandbox, a separate program, so all traffic goes over sockets. `callbackServer` receives
// the sandbox's callbacks.
let sandbox: SandboxProcess;
let folder: string;
let callbackServer: Server;
let bind: Bind | null = null;
let connection: { id: string; settings: WhatsAppSettings };
const received = { reports: [] as Report[], incoming: [] as Incoming[], notices: [] as Notice[] };
const statuses: number[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-whatsapp-'));
  sandbox = await startSandbox(folder);
  connection = {
    id: '00000000-0000-7000-8000-000000000001',
    settings: WhatsAppSettings.parse({
      base_url: `${sandbox.url}/graph/v25.0`,
      access_token: 'sandbox-whatsapp-token',
      app_secret: 'sandbox-app-secret',
      app_id: '1000000001',
      waba_id: '2000000001',
      verify_token: 'a-word',
    }),
  };
  callbackServer = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const result = whatsapp.callbacks!.read(connection, {
      method: request.method as 'GET' | 'POST',
      url: '',
      query: Object.fromEntries(new URL(request.url!, 'http://door').searchParams),
      headers: request.headers as Record<string, string>,
      body: Buffer.concat(pieces),
    });
    received.reports.push(...result.reports);
    received.incoming.push(...result.incoming);
    received.notices.push(...result.notices);
    statuses.push(result.status);
    response.writeHead(result.status, { 'content-type': 'text/plain' }).end(result.body);
  });
  await new Promise<void>((resolve) => callbackServer.listen(0, '127.0.0.1', resolve));
  await api('PUT', '/api/whatsapp', { review_delay_ms: 0, sent_delay_ms: 0, delivered_delay_ms: 0, read_delay_ms: 0 });
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

async function eventually<T>(description: string, find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const end = Date.now() + 20_000; ; ) {
    const result = await find();
    if (result !== undefined) return result;
    if (Date.now() > end) throw new Error(`timed out waiting for: ${description}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const PHONE = '447700900321';
let address = '';
let reference = 0;
const send = async (changes: Partial<Outgoing>) => {
  bind ??= whatsapp.open(connection, { report: async () => {}, incoming: async () => {}, changed: () => {} });
  reference++;
  const empty = { text: '', content: null, valid_seconds: 3_600, sent_parts: [] };
  return {
    reference,
    outcome: await bind.send({ from: address, to: PHONE, reference, key: String(reference), ...empty, ...changes }),
  };
};
const content = (changes: object) => ({
  media: null,
  header: null,
  footer: null,
  buttons: [],
  template: null,
  purpose: null,
  ...changes,
});
const waitForReport = (reference: number, status: Report['status']) =>
  eventually(`message ${reference} is ${status}`, () =>
    received.reports.find((item) => item.reference === reference && item.status === status),
  );
const waitForInbound = (description: string, matches: (item: Incoming) => boolean) =>
  eventually(description, () => received.incoming.find(matches));

let photo: OutgoingMedia;

test('a number is enrolled, callbacks are registered, and a template with a picture is approved', async () => {
  const sender = { number: '442079460000', display_name: 'Harbour Café', pin: '204060' };
  ({ address } = await whatsapp.senders!.enroll(connection, sender));
  expect(await whatsapp.senders!.enroll(connection, sender)).toEqual({ address, waits: false });
  expect(await whatsapp.senders!.fetchState(connection, address)).toMatchObject({
    number: '442079460000',
    name: 'Harbour Café',
    status: 'CONNECTED',
    quality: 'GREEN',
  });
  await whatsapp.registration!.subscribe(
    connection,
    `http://127.0.0.1:${(callbackServer.address() as AddressInfo).port}/callbacks/1`,
  );
  expect(statuses).toEqual([200]);

  const octets = await picture('png');
  photo = {
    type: 'image',
    key: 'account/photo',
    link: 'https://files.example/photo.png',
    file_name: 'photo.png',
    content_type: 'image/png',
    bytes: octets.length,
    open: async () => Readable.from([octets]),
  };
  const draft: TemplateDraft = {
    name: 'table_ready',
    language: 'en_GB',
    category: 'UTILITY',
    header: null,
    text: 'Hello {first_name:there}, your table for {custom1} is ready.',
    footer: 'Harbour Café',
    buttons: [{ type: 'quick_reply', text: 'Coming', value: 'coming-7' }],
    media: photo,
    samples: ['Ann', 'four'],
  };
  const submitted = await whatsapp.templates!.submit(connection, draft);
  expect(submitted).toMatchObject({ name: 'table_ready', language: 'en_GB', category: 'UTILITY' });
  const { external_id } = submitted;
  await eventually('the list has the status', async () =>
    (await whatsapp.templates!.list(connection)).find(
      (item) => item.external_id === external_id && item.status === 'COMPLETED',
    ),
  );
  await eventually('a notice has the status', () =>
    received.notices.find(
      (item) => item.kind === 'template' && item.external_id === external_id && item.status === 'COMPLETED',
    ),
  );
  const submission = whatsapp.templates!.submit(connection, { ...draft, name: 'NOT A NAME' });
  await expect(submission).rejects.toMatchObject({ name: 'CarrierRefusal' });
});

test('a template is sent, and every status echoes our reference', async () => {
  const template = {
    name: 'table_ready',
    external_id: null,
    language: 'en_GB',
    header_values: [],
    body_values: ['Ann', 'four'],
  };
  const buttons = [{ type: 'quick_reply', text: 'Coming', value: 'coming-7' }];
  const result = await send({ content: content({ template, media: photo, buttons, purpose: 'utility' }) });
  expect(result.outcome.failure).toBeNull();
  const report = await waitForReport(result.reference, 'read');
  expect(report).toMatchObject({
    external_id: result.outcome.accepted[0]!.external_id,
    number: PHONE,
    sender: address,
  });
  expect((await waitForReport(result.reference, 'sent')).detail).toMatchObject({ category: 'utility' });
});

test('only templates are accepted outside a session, and a pressed button opens one', async () => {
  const freeText = await send({ text: 'Free text' });
  expect(freeText.outcome.failure).toMatchObject({ kind: 'rejected', code: '131047' });
  const { messages } = (await api('GET', `/api/phones/${PHONE}/messages`)) as {
    messages: { id: string; message_ids: string[] }[];
  };
  await api('POST', `/api/phones/${PHONE}/messages`, {
    channel: 'WHATSAPP',
    press: { message_id: messages[0]!.id, button: 0 },
  });
  const buttonReply = await waitForInbound(
    'the button',
    ({ content: incoming }) => incoming?.pressed?.value === 'coming-7',
  );
  expect(buttonReply).toMatchObject({
    from: PHONE,
    to: address,
    text: 'Coming',
    content: { answers: messages[0]!.message_ids[0] },
  });
  expect(buttonReply.alias).toMatch(/^[A-Z]{2}\./);
  const sessionReply = await send({
    text: 'Where would you like to sit?',
    content: content({ buttons: [{ type: 'quick_reply', text: 'Terrace', value: '' }] }),
  });
  expect(sessionReply.outcome.failure).toBeNull();
  await whatsapp.reads!.mark(connection, { address, external_id: buttonReply.external_id! });
  const toAlias = await send({ to: buttonReply.alias!, text: 'By your other name' });
  expect(toAlias.outcome.failure).toBeNull();
  await waitForReport(toAlias.reference, 'delivered');
});

test('a picture from a person is fetched', async () => {
  const octets = await picture('jpeg');
  const response = await fetch(`${sandbox.url}/api/files?name=cat.jpg`, {
    method: 'POST',
    headers: { 'content-type': 'image/jpeg' },
    body: new Uint8Array(octets),
  });
  const { url } = (await response.json()) as { url: string };
  await api('POST', `/api/phones/${PHONE}/messages`, {
    channel: 'WHATSAPP',
    to: address,
    text: 'My cat',
    media_url: url,
  });
  const { content: result, text } = await waitForInbound(
    'the picture',
    ({ content: item }) => item?.media?.type === 'image',
  );
  expect(text).toBe('My cat');
  const { stream, content_type } = await whatsapp.media!.fetch(connection, result!.media!.source);
  expect(content_type).toBe('image/jpeg');
  expect(Buffer.concat(await stream.toArray()).equals(octets)).toBe(true);
});

test('a message with a lost response is ambiguous until its status arrives', async () => {
  await api('POST', '/api/phones/447700900810/messages', { channel: 'WHATSAPP', to: address, text: 'Hello' }).catch(
    () => {},
  );
  const result = await send({
    to: '447900900810',
    content: content({
      template: {
        name: 'table_ready',
        external_id: null,
        language: 'en_GB',
        header_values: [],
        body_values: ['Ann', 'two'],
      },
      media: photo,
      purpose: 'utility',
    }),
  });
  expect(result.outcome.failure?.kind).toBe('unknown');
  expect((await waitForReport(result.reference, 'delivered')).external_id).toMatch(/^wamid\./);
});

test('a callback with a wrong signature is refused, and its retry with a valid one is read', async () => {
  await api('PUT', '/api/whatsapp', { webhooks_bad_signature_percent: 100 });
  const before = statuses.length;
  const result = await send({ text: 'With an invalid signature' });
  expect(result.outcome.failure).toBeNull();
  await eventually('a refusal', () => statuses.slice(before).find((status) => status === 403));
  expect(received.reports.some((item) => item.reference === result.reference)).toBe(false);
  await api('PUT', '/api/whatsapp', { webhooks_bad_signature_percent: 0 });
  await waitForReport(result.reference, 'delivered');
});

test('the bind waits and does not send when the token is invalid', async () => {
  await bind!.close(1_000);
  const settings = { ...connection.settings, access_token: 'another' };
  bind = whatsapp.open(
    { ...connection, settings },
    { report: async () => {}, incoming: async () => {}, changed: () => {} },
  );
  expect((await send({ text: 'Hello' })).outcome.failure).toMatchObject({ kind: 'connection', code: '190' });
  expect([bind.state, bind.free]).toEqual(['waiting', 0]);
});
