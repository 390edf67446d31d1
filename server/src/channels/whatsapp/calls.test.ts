import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CarrierRefusal, type TemplateDraft } from '../channel.ts';
import type { OutgoingMedia } from '../outgoing_content.ts';
import { Uploads } from './media.ts';
import { call, link, media, message, reply } from './samples.ts';
import { whatsapp } from './whatsapp.ts';

// A loopback server that acts as WhatsApp, for tests with more than one call. `requests` lists the requests it
// received.
interface GraphRequest {
  line: string;
  headers: IncomingMessage['headers'];
  body: string;
}
let server: Server;
let graph_url: string;
let requests: GraphRequest[];
let responses: Record<string, (request: GraphRequest) => [number, object | string]>;

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const body = Buffer.concat(pieces).toString('latin1');
    const entry = { line: `${request.method} ${request.url}`, headers: request.headers, body };
    requests.push(entry);
    const path = `${request.method} ${request.url!.split('?')[0]}`;
    const [status, response_body] = responses[path]?.(entry) ?? [
      404,
      { error: { code: 100, message: `(#100) no ${path}` } },
    ];
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(typeof response_body === 'string' ? response_body : JSON.stringify(response_body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  graph_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v25.0`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  requests = [];
  responses = {};
});
const settings = (changes: object = {}) =>
  WhatsAppSettings.parse({
    base_url: graph_url,
    access_token: 'token-1',
    app_secret: 's',
    verify_token: 'v',
    app_id: '77',
    waba_id: '55',
    ...changes,
  });
const connection = (changes: object = {}) => ({
  id: '00000000-0000-7000-8000-000000000001',
  settings: settings(changes),
});
const file = (text = 'PNG…', changes: Partial<OutgoingMedia> = {}) => {
  const octets = Buffer.from(text);
  return media('image', {
    key: 'account/1',
    content_type: 'image/png',
    file_name: 'a"b\r\n.png',
    bytes: octets.length,
    open: async () => Readable.from([octets]),
    ...changes,
  });
};
const openBind = (changes: object = {}) =>
  whatsapp.open(connection(changes), { report: async () => {}, incoming: async () => {}, changed: () => {} });

test('a file is uploaded once and then sent by its id', async () => {
  responses['POST /v25.0/1030507/media'] = () => [200, { id: '901' }];
  responses['POST /v25.0/1030507/messages'] = () => [200, { messages: [{ id: `wamid.${requests.length}` }] }];
  const bind = openBind();
  const outcomes = await Promise.all([1, 2].map(() => bind.send(message('Today', { media: file() }))));
  outcomes.push(await bind.send(message('Later', { media: file() })));
  await bind.close(0);
  expect(outcomes.map(({ failure }) => failure)).toEqual([null, null, null]);
  const [upload, ...sent] = requests;
  expect(requests.filter(({ line: entry }) => entry.endsWith('/media')).length).toBe(1);
  expect(upload!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=\w+$/);
  expect(Number(upload!.headers['content-length'])).toBe(upload!.body.length);
  expect(upload!.body).toContain('name="messaging_product"\r\n\r\nwhatsapp\r\n');
  expect(upload!.body).toContain('name="type"\r\n\r\nimage/png\r\n');
  expect(upload!.body).toContain('filename="a_b__.png"');
  for (const entry of sent) expect(JSON.parse(entry.body)).toMatchObject({ image: { id: '901' } });
  expect(requests.every(({ headers }) => headers.authorization === 'Bearer token-1')).toBe(true);
});

test('a file is uploaded again after 29 days, for a different sender, and after a refusal', async () => {
  let id = 0;
  responses['POST /v25.0/1/media'] = () => [200, { id: String(++id) }];
  responses['POST /v25.0/2/media'] = () => [200, { id: String(++id) }];
  let time = 0;
  const uploads = new Uploads(settings(), () => time);
  const place = (phone: string) => uploads.resolve(file(), phone);
  expect(await place('1')).toEqual({ id: '1' });
  expect(await place('1')).toEqual({ id: '1' });
  expect(await place('2')).toEqual({ id: '2' });
  time = 29 * 24 * 3_600_000;
  expect(await place('1')).toEqual({ id: '3' });
  uploads.forget(file(), '1');
  expect(await place('1')).toEqual({ id: '4' });
  expect(await uploads.resolve(media('image'), '1')).toEqual({ link: 'https://files.example/a.image' });
});

test('a message is not sent when its upload is refused, and the next message retries the upload', async () => {
  responses['POST /v25.0/1030507/media'] = () => [400, { error: { code: 131053, message: 'bad file' } }];
  const bind = openBind();
  expect((await bind.send(message('', { media: file() }))).failure).toMatchObject({
    kind: 'invalid',
    code: '131053',
  });
  responses['POST /v25.0/1030507/media'] = () => [401, { error: { code: 190, message: 'expired' } }];
  expect((await bind.send(message('', { media: file() }))).failure).toMatchObject({
    kind: 'connection',
    code: '190',
  });
  expect(bind.state).toBe('waiting');
  await bind.close(0);
  expect(requests.some(({ line: entry }) => entry.endsWith('/messages'))).toBe(false);
});

test('the bind waits when the token is invalid', async () => {
  responses['POST /v25.0/1030507/messages'] = () => [401, { error: { code: 190, message: 'expired' } }];
  const bind = openBind();
  expect((await bind.send(message('Hello'))).failure).toEqual({
    kind: 'connection',
    code: '190',
    text: 'WhatsApp is not available at the moment',
    internal: 'The connection’s access token is invalid or has expired',
  });
  expect([bind.state, bind.free]).toEqual(['waiting', 0]);
  await bind.close(0);
});

test('a message is not sent when WhatsApp has no format for it', async () => {
  const bind = openBind();
  expect((await bind.send(message('Call', { buttons: [call] }))).failure).toMatchObject({ kind: 'invalid' });
  await bind.close(0);
  expect(requests).toEqual([]);
});

const draft: TemplateDraft = {
  name: 'table_ready',
  language: 'en_GB',
  category: 'UTILITY',
  header: 'Hello {first_name:there}',
  text: 'Your table for {custom1} is ready at {custom2}, {first_name}.',
  footer: 'Harbour Café',
  buttons: [link, call, reply('Thanks')],
  media: null,
  samples: ['Ann', 'four', '7 pm', 'Bob'],
};
const path = 'POST /v25.0/55/message_templates';

test('a template is submitted with all of its components', async () => {
  responses[path] = () => [200, { id: '88001', status: 'PENDING', category: 'UTILITY' }];
  expect(await whatsapp.templates!.submit(connection(), draft)).toEqual({
    external_id: '88001',
    name: 'table_ready',
    language: 'en_GB',
    status: 'IN_PROCESS',
    paused: false,
    disabled: false,
    reason: '',
    category: 'UTILITY',
  });
  expect(JSON.parse(Buffer.from(requests[0]!.body, 'latin1').toString())).toEqual({
    name: 'table_ready',
    language: 'en_GB',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello {{1}}', example: { header_text: ['Ann'] } },
      {
        type: 'BODY',
        text: 'Your table for {{1}} is ready at {{2}}, {{3}}.',
        example: { body_text: [['four', '7 pm', 'Bob']] },
      },
      { type: 'FOOTER', text: 'Harbour Café' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'URL', text: 'Book a table', url: 'https://harbour.example/book' },
          { type: 'PHONE_NUMBER', text: 'Call us', phone_number: '+442079460000' },
          { type: 'QUICK_REPLY', text: 'Thanks' },
        ],
      },
    ],
  });
});

test('a sample file is uploaded before its template, and a one-time code uses WhatsApp’s own text', async () => {
  responses['POST /v25.0/77/uploads'] = () => [200, { id: 'upload:abc?sig=xy' }];
  responses['POST /v25.0/upload:abc'] = () => [200, { h: '4::handle' }];
  responses[path] = () => [200, { id: '88002', status: 'PENDING', category: 'MARKETING' }];
  const { header: _, ...rest } = {
    ...draft,
    category: 'MARKETING',
    samples: ['four', '7 pm', 'Bob'],
    media: file('PNG'),
  };
  await whatsapp.templates!.submit(connection(), { ...rest, header: null });
  expect(requests[0]!.line).toContain('file_length=3&file_type=image%2Fpng');
  expect(requests[1]).toMatchObject({
    line: 'POST /v25.0/upload:abc?sig=xy',
    body: 'PNG',
    headers: { authorization: 'OAuth token-1', file_offset: '0', 'content-length': '3' },
  });
  expect(JSON.parse(Buffer.from(requests[2]!.body, 'latin1').toString()).components[0]).toEqual({
    type: 'HEADER',
    format: 'IMAGE',
    example: { header_handle: ['4::handle'] },
  });
  await whatsapp.templates!.submit(connection(), { ...draft, category: 'AUTHENTICATION', text: 'Code {code}' });
  expect(JSON.parse(requests[3]!.body).components).toEqual([
    { type: 'BODY', add_security_recommendation: true },
    { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
  ]);
  const linked = whatsapp.templates!.submit(connection(), { ...draft, media: media('image') });
  await expect(linked).rejects.toThrow(/only uploaded files/);
  await expect(whatsapp.templates!.submit(connection({ app_id: '' }), { ...draft, media: file() })).rejects.toThrow(
    /app/,
  );
});

test('a refusal includes WhatsApp’s text for users, and server errors can be retried', async () => {
  responses[path] = () => [
    400,
    {
      error: {
        code: 100,
        message: '(#100) Invalid parameter',
        error_user_title: 'Too short',
        error_user_msg: 'Add words.',
      },
    },
  ];
  const submit = () => whatsapp.templates!.submit(connection(), draft);
  const refusal = await submit().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(CarrierRefusal);
  expect(refusal).toMatchObject({ code: '100', message: 'Too short: Add words.' });
  responses[path] = () => [400, { error: { code: 132005, message: '(#132005) Text too long' } }];
  await expect(submit()).rejects.toThrow(/^Text too long$/);
  for (const response of [
    [500, { error: { code: 131016, message: 'busy' } }],
    [502, '<html>'],
  ] as const) {
    responses[path] = () => [response[0], response[1]];
    const error = await submit().catch((failed: unknown) => failed);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(CarrierRefusal);
  }
});

test('a template change includes the category only when it differs', async () => {
  const existing = { id: '88001', name: 'table_ready', language: 'en_GB', status: 'APPROVED', category: 'UTILITY' };
  responses['GET /v25.0/88001'] = () => [200, existing];
  responses['POST /v25.0/88001'] = () => [200, { success: true }];
  expect(await whatsapp.templates!.change(connection(), '88001', draft)).toMatchObject({ status: 'COMPLETED' });
  await whatsapp.templates!.change(connection(), '88001', { ...draft, category: 'MARKETING' });
  const bodies = requests.filter(({ line }) => line.startsWith('POST')).map(({ body }) => JSON.parse(body));
  expect(bodies.map(({ category }) => category)).toEqual([undefined, 'MARKETING']);
  expect(bodies[0].components.length).toBe(4);
});

test('removing a template succeeds when it is already deleted and fails when it still exists', async () => {
  const remove = () => whatsapp.templates!.remove(connection(), { external_id: '88001', name: 'table_ready' });
  await remove();
  expect(requests[0]!.line).toBe('DELETE /v25.0/55/message_templates?name=table_ready&hsm_id=88001');
  responses['GET /v25.0/88001'] = () => [200, { id: '88001' }];
  await expect(remove()).rejects.toBeInstanceOf(CarrierRefusal);
});

test('the list of templates includes every page and the state of each template', async () => {
  const statuses = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'FLAGGED', 'ARCHIVED', 'NEW_WORD'];
  const all = statuses.map((status, at) => ({
    id: String(at),
    name: `t${at}`,
    language: 'en',
    status,
    category: 'UTILITY',
    rejected_reason: status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
    ...(status === 'PENDING' ? {} : { quality_score: { score: status === 'PAUSED' ? 'RED' : 'UNKNOWN' } }),
  }));
  responses['GET /v25.0/55/message_templates'] = ({ line }) => {
    const second = line.includes('after=p2');
    const paging = second
      ? { cursors: { after: 'p3' } }
      : { cursors: { after: 'p2' }, next: 'https://graph.example/next' };
    return [200, { data: second ? all.slice(4) : all.slice(0, 4), paging }];
  };
  const listed = await whatsapp.templates!.list(connection());
  expect(listed.map(({ status, paused, reason }) => [status, paused, reason])).toEqual([
    ['COMPLETED', false, ''],
    ['IN_PROCESS', false, ''],
    ['CANCELED', false, 'INVALID_FORMAT'],
    ['COMPLETED', true, 'PAUSED'],
    ['COMPLETED', true, 'DISABLED'],
    ['COMPLETED', false, 'FLAGGED'],
    ['COMPLETED', true, 'ARCHIVED'],
    ['IN_PROCESS', false, 'NEW_WORD'],
  ]);
  expect(requests.length).toBe(2);
  expect(requests[0]!.line).toContain('quality_score');
  const stateAt = (at: number) => [listed[at]!.disabled, listed[at]!.quality];
  expect([stateAt(0), stateAt(1), stateAt(3), stateAt(4)]).toEqual([
    [false, null],
    [false, undefined],
    [false, 'RED'],
    [true, null],
  ]);
});

test('an endless list of templates fails, because missing templates would be treated as deleted', async () => {
  const entry = { name: 'offer', language: 'en', id: '9', status: 'APPROVED', category: 'UTILITY' };
  let pages = 0;
  responses['GET /v25.0/55/message_templates'] = () => {
    pages += 1;
    const paging = pages === 100 ? {} : { next: 'https://graph.example/next' };
    return [200, { data: [entry], paging: { cursors: { after: `p${pages}` }, ...paging } }];
  };
  expect(await whatsapp.templates!.list(connection())).toHaveLength(100);
  await expect(whatsapp.templates!.list(connection())).rejects.toThrow('longer than 10000');
  expect(pages).toBe(200);
});

test('a sender’s state is fetched, callbacks are registered, and a message is marked as read', async () => {
  responses['GET /v25.0/1030507'] = () => [
    200,
    {
      id: '1030507',
      display_phone_number: '+44 20 7946 0000',
      verified_name: 'Harbour Café',
      quality_rating: 'GREEN',
      throughput: { level: 'STANDARD' },
    },
  ];
  responses['POST /v25.0/55/subscribed_apps'] = () => [200, { success: true }];
  responses['POST /v25.0/1030507/messages'] = () => [200, { success: true }];
  expect(await whatsapp.senders!.fetchState(connection(), '1030507')).toEqual({
    number: '442079460000',
    name: 'Harbour Café',
    quality: 'GREEN',
    throughput: 'STANDARD',
  });
  await whatsapp.registration!.subscribe(connection(), 'https://parley.example/callbacks/1');
  await whatsapp.reads!.mark(connection(), { address: '1030507', external_id: 'wamid.I1' });
  expect(requests.slice(1).map(({ body }) => JSON.parse(body))).toEqual([
    { override_callback_uri: 'https://parley.example/callbacks/1', verify_token: 'v' },
    { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.I1' },
  ]);
});

test('a person’s file is fetched with the token and never over plain HTTP from another host', async () => {
  const place = { url: `${graph_url}/file/9`, mime_type: 'image/jpeg', file_size: 4 };
  responses['GET /v25.0/4001'] = () => [200, place];
  responses['GET /v25.0/file/9'] = () => [200, 'JPEG'];
  const { stream, content_type } = await whatsapp.media!.fetch(connection(), '4001');
  expect([Buffer.concat(await stream.toArray()).toString(), content_type]).toEqual(['JPEG', 'image/jpeg']);
  expect(requests[1]!.headers.authorization).toBe('Bearer token-1');
  const expectRefusal = async (changes: object, statuses: RegExp) => {
    responses['GET /v25.0/4001'] = () => [200, { ...place, ...changes }];
    await expect(whatsapp.media!.fetch(connection(), '4001')).rejects.toThrow(statuses);
  };
  await expectRefusal({ url: 'http://elsewhere.example/9' }, /did not return a valid URL/);
  await expectRefusal({ url: 'nonsense' }, /did not return a valid URL/);
  await expectRefusal({ file_size: 200 * 1024 * 1024 }, /too large/);
  await expectRefusal({ url: `${graph_url}/file/gone` }, /no longer has/);
  await expect(whatsapp.media!.fetch(connection(), '../1030507')).rejects.toThrow();
  expect(requests.at(-1)!.line).toBe('GET /v25.0/..%2F1030507');
});
