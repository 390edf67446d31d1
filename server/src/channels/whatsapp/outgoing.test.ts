import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { WhatsAppSettings } from '@parley/contract/channel_settings.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  CarrierRefusal,
  type Outgoing,
  type OutgoingContent,
  type OutgoingMedia,
  type TemplateDraft,
} from '../channel.ts';
import { refusedBy, statusOf, unreadable } from './errors.ts';
import { Uploads } from './media.ts';
import { bodyOf, type MediaPlace } from './outgoing.ts';
import { readAnswer, whatsapp } from './whatsapp.ts';

const NO_CONTENT: OutgoingContent = {
  media: null,
  header: null,
  footer: null,
  buttons: [],
  template: null,
  purpose: null,
};
const message = (text: string, content: Partial<OutgoingContent> | null = null, to = '447700900123'): Outgoing => ({
  from: '1030507',
  to,
  text,
  content: content && { ...NO_CONTENT, ...content },
  reference: 4711,
  valid_seconds: 3_600,
  sent_parts: [],
});
const media = (type: OutgoingMedia['type'], changes: Partial<OutgoingMedia> = {}): OutgoingMedia => ({
  type,
  key: null,
  link: `https://files.example/a.${type}`,
  file_name: 'menu.pdf',
  content_type: null,
  bytes: null,
  open: null,
  ...changes,
});
const reply = (text: string, value = '') => ({ type: 'quick_reply', text, value }) as const;
const link = { type: 'link', text: 'Book a table', value: 'https://harbour.example/book' } as const;
const call = { type: 'phone_call', text: 'Call us', value: '+442079460000' } as const;
const template = (changes: Partial<NonNullable<OutgoingContent['template']>> = {}) => ({
  name: 'table_ready',
  external_id: '88001',
  language: 'en_GB',
  header_values: [],
  body_values: [],
  ...changes,
});
const named = { name: 'table_ready', language: { code: 'en_GB', policy: 'deterministic' } };

describe('a message as WhatsApp reads it', () => {
  test('all of a plain text', () => {
    expect(bodyOf(message('Your table is ready'), null)).toEqual({
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to: '447700900123',
      type: 'text',
      text: { body: 'Your table is ready', preview_url: false },
      biz_opaque_callback_data: '4711',
    });
  });

  test('a person without a number is `recipient`, not `to`', () => {
    const body = bodyOf(message('Hello', null, 'GB.91807060504030'), null);
    expect(body).toMatchObject({ recipient: 'GB.91807060504030' });
    expect(body).not.toHaveProperty('to');
  });

  type Row = [string, Outgoing, MediaPlace | null, object];
  test.each<Row>([
    [
      'an address in a text is shown with a preview',
      message('See https://harbour.example'),
      null,
      { type: 'text', text: { body: 'See https://harbour.example', preview_url: true } },
    ],
    [
      'a picture that was handed over, with a caption',
      message('Today', { media: media('image') }),
      { id: '901' },
      { type: 'image', image: { id: '901', caption: 'Today' } },
    ],
    [
      'a video by link, without a caption',
      message('', { media: media('video') }),
      { link: 'https://files.example/a.mp4' },
      { type: 'video', video: { link: 'https://files.example/a.mp4' } },
    ],
    [
      'a document has a name',
      message('Our menu', { media: media('document') }),
      { id: '902' },
      { type: 'document', document: { id: '902', filename: 'menu.pdf', caption: 'Our menu' } },
    ],
    [
      'lines above and below a text that has no buttons become part of it',
      message('Text', { header: 'Above', footer: 'Below' }),
      null,
      { type: 'text', text: { body: 'Above\n\nText\n\nBelow', preview_url: false } },
    ],
    [
      'quick replies, each with what its answer carries',
      message('Coming?', {
        buttons: [reply('Yes', 'confirm-7'), reply('No')],
        header: 'Tonight',
        footer: 'Harbour Café',
      }),
      null,
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'text', text: 'Tonight' },
          body: { text: 'Coming?' },
          footer: { text: 'Harbour Café' },
          action: {
            buttons: [
              { type: 'reply', reply: { id: 'confirm-7', title: 'Yes' } },
              { type: 'reply', reply: { id: 'No', title: 'No' } },
            ],
          },
        },
      },
    ],
    [
      'quick replies under a picture',
      message('Coming?', { media: media('image'), buttons: [reply('Yes')] }),
      { id: '903' },
      {
        type: 'interactive',
        interactive: {
          type: 'button',
          header: { type: 'image', image: { id: '903' } },
          body: { text: 'Coming?' },
          action: { buttons: [{ type: 'reply', reply: { id: 'Yes', title: 'Yes' } }] },
        },
      },
    ],
    [
      'one link',
      message('Tables are free', { buttons: [link] }),
      null,
      {
        type: 'interactive',
        interactive: {
          type: 'cta_url',
          body: { text: 'Tables are free' },
          action: {
            name: 'cta_url',
            parameters: { display_text: 'Book a table', url: 'https://harbour.example/book' },
          },
        },
      },
    ],
    ['a template without values', message('', { template: template() }), null, { type: 'template', template: named }],
    [
      'a template with values in header and text',
      message('', { template: template({ header_values: ['Ann'], body_values: ['7 pm', 'four'] }) }),
      null,
      {
        type: 'template',
        template: {
          ...named,
          components: [
            { type: 'header', parameters: [{ type: 'text', text: 'Ann' }] },
            {
              type: 'body',
              parameters: [
                { type: 'text', text: '7 pm' },
                { type: 'text', text: 'four' },
              ],
            },
          ],
        },
      },
    ],
    [
      'a template with a document above it',
      message('', { template: template(), media: media('document') }),
      { id: '904' },
      {
        type: 'template',
        template: {
          ...named,
          components: [
            { type: 'header', parameters: [{ type: 'document', document: { id: '904', filename: 'menu.pdf' } }] },
          ],
        },
      },
    ],
    [
      'of a template’s buttons only quick replies that carry something are told, by their place',
      message('', { template: template(), buttons: [link, call, reply('Later'), reply('Yes', 'confirm-7')] }),
      null,
      {
        type: 'template',
        template: {
          ...named,
          components: [
            {
              type: 'button',
              sub_type: 'quick_reply',
              index: '3',
              parameters: [{ type: 'payload', payload: 'confirm-7' }],
            },
          ],
        },
      },
    ],
    [
      'a one-time code stands in the text and in the button that copies it',
      message('', { template: template({ body_values: ['482913'] }), purpose: 'authentication' }),
      null,
      {
        type: 'template',
        template: {
          ...named,
          components: [
            { type: 'body', parameters: [{ type: 'text', text: '482913' }] },
            { type: 'button', sub_type: 'url', index: '0', parameters: [{ type: 'text', text: '482913' }] },
          ],
        },
      },
    ],
  ])('%s', (_, given, place, expected) => {
    const { messaging_product, recipient_type, to, biz_opaque_callback_data, ...rest } = bodyOf(given, place);
    expect([messaging_product, recipient_type, to, biz_opaque_callback_data]).toEqual([
      'whatsapp',
      'individual',
      '447700900123',
      '4711',
    ]);
    expect(rest).toEqual(expected);
  });

  test.each<[string, Outgoing]>([
    ['a phone button without a template', message('Call', { buttons: [call] })],
    ['two links', message('Look', { buttons: [link, link] })],
    ['a link beside a quick reply', message('Look', { buttons: [reply('Yes'), link] })],
    ['four quick replies', message('Which?', { buttons: ['1', '2', '3', '4'].map((text) => reply(text)) })],
    ['buttons without a text', message('', { buttons: [reply('Yes')] })],
  ])('%s has no shape', (_, given) => {
    expect(() => bodyOf(given, null)).toThrow(/A message/);
  });
});

describe('answers', () => {
  test.each<[string, number, string, object]>([
    [
      'taken',
      200,
      '{"messaging_product":"whatsapp","contacts":[{"input":"447700900123","wa_id":"447700900123"}],"messages":[{"id":"wamid.A1"}]}',
      { accepted: [{ part: 1, external_id: 'wamid.A1' }], failure: null, detail: { ids: ['wamid.A1'] } },
    ],
    [
      'taken, and held until WhatsApp has looked at the template',
      200,
      '{"messages":[{"id":"wamid.A2","message_status":"held_for_quality_assessment"}]}',
      { failure: null, detail: { message_status: 'held_for_quality_assessment' } },
    ],
    ['no answer worth the name', 200, '{}', { failure: { kind: 'unknown' } }],
    ['a page of some proxy', 502, '<html>Bad gateway</html>', { failure: { kind: 'unknown', code: 'HTTP 502' } }],
    ['nobody home', 503, '', { failure: { kind: 'connection', code: 'HTTP 503' } }],
    ['too fast', 429, '', { failure: { kind: 'throttled' } }],
    ['another address', 404, 'not here', { failure: { kind: 'connection', limited: true } }],
    ['a list for an object', 200, '[[["x"]]]', { failure: { kind: 'unknown' } }],
    [
      'refused, with more than 24 hours since the person wrote',
      400,
      '{"error":{"message":"(#131047) Re-engagement message","code":131047,"error_data":{"details":"Call 447700900123"}}}',
      { accepted: [], failure: { kind: 'rejected', code: '131047' }, detail: { said: 'Call …' }, narrow: false },
    ],
    [
      'less, for this person',
      400,
      '{"error":{"code":131056,"message":"pair"}}',
      { failure: { kind: 'throttled' }, narrow: true },
    ],
  ])('%s', (_, status, body, expected) => {
    expect(readAnswer(status, body)).toMatchObject(expected);
  });

  // Code, what it means for a call, tried again only so often, for this person or sender only, status when it comes later.
  test.each<[number, string, boolean, boolean, string]>([
    [0, 'connection', false, false, 'failed'],
    [190, 'connection', false, false, 'failed'],
    [10, 'connection', true, false, 'failed'],
    [200, 'connection', true, false, 'failed'],
    [131005, 'connection', true, false, 'failed'],
    [4, 'throttled', false, false, 'failed'],
    [80007, 'throttled', false, false, 'failed'],
    [130429, 'throttled', false, false, 'failed'],
    [131048, 'throttled', false, true, 'failed'],
    [131056, 'throttled', false, true, 'failed'],
    [131064, 'throttled', false, true, 'failed'],
    [1, 'connection', true, false, 'failed'],
    [131000, 'connection', true, false, 'failed'],
    [2, 'connection', false, false, 'failed'],
    [131016, 'connection', false, false, 'failed'],
    [131042, 'connection', false, false, 'failed'],
    [368, 'config', false, false, 'failed'],
    [131031, 'config', false, false, 'failed'],
    [131037, 'config', false, false, 'failed'],
    [131045, 'config', false, false, 'failed'],
    [133010, 'config', false, false, 'failed'],
    [132001, 'config', false, false, 'failed'],
    [132015, 'config', false, false, 'failed'],
    [100, 'invalid', false, false, 'failed'],
    [131009, 'invalid', false, false, 'failed'],
    [131051, 'invalid', false, false, 'failed'],
    [131053, 'invalid', false, false, 'failed'],
    [132000, 'invalid', false, false, 'failed'],
    [132012, 'invalid', false, false, 'failed'],
    [130497, 'rejected', false, false, 'rejected'],
    [131021, 'rejected', false, false, 'rejected'],
    [131026, 'rejected', false, false, 'failed'],
    [131030, 'rejected', false, false, 'rejected'],
    [131047, 'rejected', false, false, 'rejected'],
    [131049, 'rejected', false, false, 'failed'],
    [130472, 'rejected', false, false, 'failed'],
    [131050, 'opted_out', false, false, 'unsubscribed'],
    [132007, 'rejected', false, false, 'rejected'],
    [987654, 'rejected', false, false, 'rejected'],
  ])('code %i is %s', (code, kind, limited, narrow, later) => {
    const found = refusedBy({ code, message: 'x' })!;
    expect([found.failure.kind, found.failure.limited ?? false, found.narrow, found.failure.code]).toEqual([
      kind,
      limited,
      narrow,
      String(code),
    ]);
    expect(found.failure.text.length).toBeGreaterThan(10);
    expect(statusOf([{ code }]).status).toBe(later);
  });

  test('what is no error is none', () => {
    for (const error of [undefined, null, {}, [], 'no', { code: 'x' }, { code: {} }])
      expect(refusedBy(error)).toBeNull();
    expect(statusOf([])).toMatchObject({ status: 'failed' });
    expect(unreadable(500).failure.kind).toBe('unknown');
  });
});

// A server on loopback plays WhatsApp where more than one call is needed; `asked` is what it was asked.
describe('over HTTP', () => {
  interface Asked {
    line: string;
    headers: IncomingMessage['headers'];
    body: string;
  }
  let server: Server;
  let base_url: string;
  let asked: Asked[];
  let answers: Record<string, (asked: Asked) => [number, object | string]>;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const pieces: Buffer[] = [];
      for await (const piece of request) pieces.push(piece as Buffer);
      const body = Buffer.concat(pieces).toString('latin1');
      const one = { line: `${request.method} ${request.url}`, headers: request.headers, body };
      asked.push(one);
      const path = `${request.method} ${request.url!.split('?')[0]}`;
      const [status, said] = answers[path]?.(one) ?? [404, { error: { code: 100, message: `(#100) no ${path}` } }];
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(typeof said === 'string' ? said : JSON.stringify(said));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v25.0`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));
  beforeEach(() => {
    asked = [];
    answers = {};
  });
  const settings = (changes: object = {}) =>
    WhatsAppSettings.parse({
      base_url,
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
  const lineTo = (changes: object = {}) =>
    whatsapp.open(connection(changes), { report: async () => {}, incoming: async () => {}, changed: () => {} });

  test('a message with a file: handed over once, then named', async () => {
    answers['POST /v25.0/1030507/media'] = () => [200, { id: '901' }];
    answers['POST /v25.0/1030507/messages'] = () => [200, { messages: [{ id: `wamid.${asked.length}` }] }];
    const line = lineTo();
    const outcomes = await Promise.all([1, 2].map(() => line.send(message('Today', { media: file() }))));
    outcomes.push(await line.send(message('Later', { media: file() })));
    await line.close(0);
    expect(outcomes.map(({ failure }) => failure)).toEqual([null, null, null]);
    const [upload, ...sent] = asked;
    expect(asked.filter(({ line: one }) => one.endsWith('/media')).length).toBe(1);
    expect(upload!.headers['content-type']).toMatch(/^multipart\/form-data; boundary=\w+$/);
    expect(Number(upload!.headers['content-length'])).toBe(upload!.body.length);
    expect(upload!.body).toContain('name="messaging_product"\r\n\r\nwhatsapp\r\n');
    expect(upload!.body).toContain('name="type"\r\n\r\nimage/png\r\n');
    expect(upload!.body).toContain('filename="a_b__.png"');
    for (const one of sent) expect(JSON.parse(one.body)).toMatchObject({ image: { id: '901' } });
    expect(asked.every(({ headers }) => headers.authorization === 'Bearer token-1')).toBe(true);
  });

  test('a file is handed over anew after 29 days, to another sender, and when WhatsApp would not have it', async () => {
    let id = 0;
    answers['POST /v25.0/1/media'] = () => [200, { id: String(++id) }];
    answers['POST /v25.0/2/media'] = () => [200, { id: String(++id) }];
    let now = 0;
    const uploads = new Uploads(settings(), () => now);
    const place = (phone: string) => uploads.place(file(), phone);
    expect(await place('1')).toEqual({ id: '1' });
    expect(await place('1')).toEqual({ id: '1' });
    expect(await place('2')).toEqual({ id: '2' });
    now = 29 * 24 * 3_600_000;
    expect(await place('1')).toEqual({ id: '3' });
    uploads.forget(file(), '1');
    expect(await place('1')).toEqual({ id: '4' });
    expect(await uploads.place(media('image'), '1')).toEqual({ link: 'https://files.example/a.image' });
  });

  test('a file that is not taken: the message has not left, and the next one tries again', async () => {
    answers['POST /v25.0/1030507/media'] = () => [400, { error: { code: 131053, message: 'bad file' } }];
    const line = lineTo();
    expect((await line.send(message('', { media: file() }))).failure).toMatchObject({
      kind: 'invalid',
      code: '131053',
    });
    answers['POST /v25.0/1030507/media'] = () => [401, { error: { code: 190, message: 'expired' } }];
    expect((await line.send(message('', { media: file() }))).failure).toMatchObject({
      kind: 'connection',
      code: '190',
    });
    expect(line.state).toBe('waiting');
    await line.close(0);
    expect(asked.some(({ line: one }) => one.endsWith('/messages'))).toBe(false);
  });

  test('a token that is not valid stops the line, and one message asks again', async () => {
    answers['POST /v25.0/1030507/messages'] = () => [401, { error: { code: 190, message: 'expired' } }];
    const line = lineTo();
    expect((await line.send(message('Hello'))).failure).toEqual({
      kind: 'connection',
      code: '190',
      text: 'The access token of the connection is not valid (any more)',
    });
    expect([line.state, line.free]).toEqual(['waiting', 0]);
    await line.close(0);
  });

  test('what has no shape has not left', async () => {
    const line = lineTo();
    expect((await line.send(message('Call', { buttons: [call] }))).failure).toMatchObject({ kind: 'invalid' });
    await line.close(0);
    expect(asked).toEqual([]);
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

  test('a template goes for review', async () => {
    answers[path] = () => [200, { id: '88001', status: 'PENDING', category: 'UTILITY' }];
    expect(await whatsapp.templates!.submit(connection(), draft)).toEqual({
      external_id: '88001',
      name: 'table_ready',
      language: 'en_GB',
      status: 'IN_PROCESS',
      paused: false,
      reason: '',
      category: 'UTILITY',
    });
    expect(JSON.parse(Buffer.from(asked[0]!.body, 'latin1').toString())).toEqual({
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

  test('with a file: the sample is handed to the app first, and a one-time code has WhatsApp’s own text', async () => {
    answers['POST /v25.0/77/uploads'] = () => [200, { id: 'upload:abc?sig=xy' }];
    answers['POST /v25.0/upload:abc'] = () => [200, { h: '4::handle' }];
    answers[path] = () => [200, { id: '88002', status: 'PENDING', category: 'MARKETING' }];
    const { header: _, ...rest } = {
      ...draft,
      category: 'MARKETING',
      samples: ['four', '7 pm', 'Bob'],
      media: file('PNG'),
    };
    await whatsapp.templates!.submit(connection(), { ...rest, header: null });
    expect(asked[0]!.line).toContain('file_length=3&file_type=image%2Fpng');
    expect(asked[1]).toMatchObject({
      line: 'POST /v25.0/upload:abc?sig=xy',
      body: 'PNG',
      headers: { authorization: 'OAuth token-1', file_offset: '0', 'content-length': '3' },
    });
    expect(JSON.parse(Buffer.from(asked[2]!.body, 'latin1').toString()).components[0]).toEqual({
      type: 'HEADER',
      format: 'IMAGE',
      example: { header_handle: ['4::handle'] },
    });
    await whatsapp.templates!.submit(connection(), { ...draft, category: 'AUTHENTICATION', text: 'Code {code}' });
    expect(JSON.parse(asked[3]!.body).components).toEqual([
      { type: 'BODY', add_security_recommendation: true },
      { type: 'BUTTONS', buttons: [{ type: 'OTP', otp_type: 'COPY_CODE' }] },
    ]);
    const linked = whatsapp.templates!.submit(connection(), { ...draft, media: media('image') });
    await expect(linked).rejects.toThrow(/library/);
    await expect(whatsapp.templates!.submit(connection({ app_id: '' }), { ...draft, media: file() })).rejects.toThrow(
      /app/,
    );
  });

  test('a refusal is in WhatsApp’s words for people; what is not understood may be tried again', async () => {
    answers[path] = () => [
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
    const refused = await submit().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CarrierRefusal);
    expect(refused).toMatchObject({ code: '100', message: 'Too short: Add words.' });
    answers[path] = () => [400, { error: { code: 132005, message: '(#132005) Text too long' } }];
    await expect(submit()).rejects.toThrow(/^Text too long$/);
    for (const answer of [
      [500, { error: { code: 131016, message: 'busy' } }],
      [502, '<html>'],
    ] as const) {
      answers[path] = () => [answer[0], answer[1]];
      const error = await submit().catch((failed: unknown) => failed);
      expect(error).toBeInstanceOf(Error);
      expect(error).not.toBeInstanceOf(CarrierRefusal);
    }
  });

  test('a change names the category only where it is another', async () => {
    const there = { id: '88001', name: 'table_ready', language: 'en_GB', status: 'APPROVED', category: 'UTILITY' };
    answers['GET /v25.0/88001'] = () => [200, there];
    answers['POST /v25.0/88001'] = () => [200, { success: true }];
    expect(await whatsapp.templates!.change(connection(), '88001', draft)).toMatchObject({ status: 'COMPLETED' });
    await whatsapp.templates!.change(connection(), '88001', { ...draft, category: 'MARKETING' });
    const bodies = asked.filter(({ line }) => line.startsWith('POST')).map(({ body }) => JSON.parse(body));
    expect(bodies.map(({ category }) => category)).toEqual([undefined, 'MARKETING']);
    expect(bodies[0].components.length).toBe(4);
  });

  test('one that is gone already is deleted; one that is there and stays is not', async () => {
    const remove = () => whatsapp.templates!.remove(connection(), { external_id: '88001', name: 'table_ready' });
    await remove();
    expect(asked[0]!.line).toBe('DELETE /v25.0/55/message_templates?name=table_ready&hsm_id=88001');
    answers['GET /v25.0/88001'] = () => [200, { id: '88001' }];
    await expect(remove()).rejects.toBeInstanceOf(CarrierRefusal);
  });

  test('all pages of the list, each template as it stands', async () => {
    const words = ['APPROVED', 'PENDING', 'REJECTED', 'PAUSED', 'DISABLED', 'FLAGGED', 'ARCHIVED', 'NEW_WORD'];
    const all = words.map((status, at) => ({
      id: String(at),
      name: `t${at}`,
      language: 'en',
      status,
      category: 'UTILITY',
      rejected_reason: status === 'REJECTED' ? 'INVALID_FORMAT' : 'NONE',
    }));
    answers['GET /v25.0/55/message_templates'] = ({ line }) => {
      const second = line.includes('after=p2');
      const paging = second
        ? { cursors: { after: 'p3' } }
        : { cursors: { after: 'p2' }, next: 'https://graph.example/next' };
      return [200, { data: second ? all.slice(4) : all.slice(0, 4), paging }];
    };
    const found = await whatsapp.templates!.list(connection());
    expect(found.map(({ status, paused, reason }) => [status, paused, reason])).toEqual([
      ['COMPLETED', false, ''],
      ['IN_PROCESS', false, ''],
      ['CANCELED', false, 'INVALID_FORMAT'],
      ['COMPLETED', true, 'PAUSED'],
      ['COMPLETED', true, 'DISABLED'],
      ['COMPLETED', false, 'FLAGGED'],
      ['COMPLETED', true, 'ARCHIVED'],
      ['IN_PROCESS', false, 'NEW_WORD'],
    ]);
    expect(asked.length).toBe(2);
  });

  test('a number becomes a sender; again, it is only registered, or nothing is left to do', async () => {
    const numbers: object[] = [];
    answers['GET /v25.0/55/phone_numbers'] = () => [200, { data: numbers }];
    answers['POST /v25.0/55/phone_numbers'] = () => [200, { id: '1030507' }];
    answers['POST /v25.0/1030507/register'] = () => [
      400,
      { error: { code: 133006, error_user_msg: 'Verify it first' } },
    ];
    const enroll = () => whatsapp.enroll!(connection(), { number: '442079460000', display_name: 'Harbour Café' });
    await expect(enroll()).rejects.toThrow('Verify it first');
    expect(JSON.parse(Buffer.from(asked[1]!.body, 'latin1').toString())).toEqual({
      cc: '44',
      phone_number: '2079460000',
      verified_name: 'Harbour Café',
    });
    numbers.push({ id: '1030507', display_phone_number: '+44 20 7946 0000', status: 'PENDING' });
    answers['POST /v25.0/1030507/register'] = () => [200, { success: true }];
    asked = [];
    expect(await enroll()).toEqual({ address: '1030507' });
    expect(asked.map(({ line }) => line.split('?')[0])).toEqual([
      'GET /v25.0/55/phone_numbers',
      'POST /v25.0/1030507/register',
    ]);
    const { pin, messaging_product } = JSON.parse(asked[1]!.body);
    expect([messaging_product, pin]).toEqual(['whatsapp', expect.stringMatching(/^\d{6}$/)]);
    numbers[0] = { ...numbers[0], status: 'CONNECTED' };
    asked = [];
    await enroll();
    expect(asked.length).toBe(1);
  });

  test('a sender is looked at, WhatsApp told where to call, a message marked as read', async () => {
    answers['GET /v25.0/1030507'] = () => [
      200,
      {
        id: '1030507',
        display_phone_number: '+44 20 7946 0000',
        verified_name: 'Harbour Café',
        quality_rating: 'GREEN',
        throughput: { level: 'STANDARD' },
      },
    ];
    answers['POST /v25.0/55/subscribed_apps'] = () => [200, { success: true }];
    answers['POST /v25.0/1030507/messages'] = () => [200, { success: true }];
    expect(await whatsapp.look!(connection(), '1030507')).toEqual({
      number: '442079460000',
      name: 'Harbour Café',
      quality: 'GREEN',
      throughput: 'STANDARD',
    });
    await whatsapp.subscribe!(connection(), 'https://parley.example/callbacks/1');
    await whatsapp.markRead!(connection(), { address: '1030507', external_id: 'wamid.I1' });
    expect(asked.slice(1).map(({ body }) => JSON.parse(body))).toEqual([
      { override_callback_uri: 'https://parley.example/callbacks/1', verify_token: 'v' },
      { messaging_product: 'whatsapp', status: 'read', message_id: 'wamid.I1' },
    ]);
  });

  test('a person’s file: where it is, then the file with the token; never in clear to somebody else', async () => {
    const place = { url: `${base_url}/file/9`, mime_type: 'image/jpeg', file_size: 4 };
    answers['GET /v25.0/4001'] = () => [200, place];
    answers['GET /v25.0/file/9'] = () => [200, 'JPEG'];
    const { stream, content_type } = await whatsapp.fetchMedia!(connection(), '4001');
    expect([Buffer.concat(await stream.toArray()).toString(), content_type]).toEqual(['JPEG', 'image/jpeg']);
    expect(asked[1]!.headers.authorization).toBe('Bearer token-1');
    const refused = async (changes: object, words: RegExp) => {
      answers['GET /v25.0/4001'] = () => [200, { ...place, ...changes }];
      await expect(whatsapp.fetchMedia!(connection(), '4001')).rejects.toThrow(words);
    };
    await refused({ url: 'http://elsewhere.example/9' }, /no address/);
    await refused({ url: 'nonsense' }, /no address/);
    await refused({ file_size: 200 * 1024 * 1024 }, /too large/);
    await refused({ url: `${base_url}/file/gone` }, /no more/);
    await expect(whatsapp.fetchMedia!(connection(), '../1030507')).rejects.toThrow();
    expect(asked.at(-1)!.line).toBe('GET /v25.0/..%2F1030507');
  });
});
