/** Tests the lifecycle of a number at WhatsApp: the requests to the Graph API and how responses are interpreted. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { PROFILE_CATEGORIES } from '@parley/contract/channels/whatsapp/access.ts';
import { WhatsAppSettings } from '@parley/contract/channels/whatsapp/settings.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CarrierRefusal, type SenderProfile } from '../channel.ts';
import { media } from './samples.ts';
import { whatsapp } from './whatsapp.ts';

interface GraphRequest {
  line: string;
  // biome-ignore lint/suspicious/noExplicitAny: the adapter may send any body
  body: any;
}
let server: Server;
let root: string;
let requests: GraphRequest[];
let responses: Record<string, (request: GraphRequest) => [number, object]>;
const fine: [number, object] = [200, { success: true }];
const refusal = (code: number, fields: object = {}): [number, object] => [
  400,
  { error: { message: `(#${code}) No`, code, ...fields } },
];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const text = Buffer.concat(pieces).toString();
    const json = request.headers['content-type'] === 'application/json';
    const graphRequest = { line: `${request.method} ${request.url}`, body: json ? JSON.parse(text) : text };
    requests.push(graphRequest);
    const [status, body] = responses[graphRequest.line.split('?')[0]!]?.(graphRequest) ?? [404, refusal(100)[1]];
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));
beforeEach(() => {
  requests = [];
  responses = {};
});
const connection = (changes: object = {}) => ({
  id: '00000000-0000-7000-8000-000000000001',
  settings: WhatsAppSettings.parse({
    base_url: root,
    access_token: 'token-1',
    app_id: '77',
    waba_id: '55',
    ...changes,
  }),
});
const refusalCode = (act: Promise<unknown>) =>
  act.then(
    () => null,
    (error) => [error instanceof CarrierRefusal, error.code ?? '', error.message],
  );

describe('enrolling a number', () => {
  const sender = { number: '442079460000', display_name: 'Harbour Café', pin: '204060' };
  const enroll = () => whatsapp.senders!.enroll(connection(), sender);
  let numbers: object[];
  beforeEach(() => {
    numbers = [];
    responses['GET /55/phone_numbers'] = () => [200, { data: numbers }];
    responses['POST /55/phone_numbers'] = () => [200, { id: '1030507' }];
    responses['POST /1030507/register'] = () => fine;
  });

  test('adds the number and registers it with its PIN', async () => {
    expect(await enroll()).toEqual({ address: '1030507', waits: false });
    expect(requests.slice(1)).toEqual([
      { line: 'POST /55/phone_numbers', body: { cc: '44', phone_number: '2079460000', verified_name: 'Harbour Café' } },
      { line: 'POST /1030507/register', body: { messaging_product: 'whatsapp', pin: '204060' } },
    ]);
  });

  test('registers a previously added number without adding it again and does nothing for a connected one', async () => {
    numbers.push({ id: '1030507', display_phone_number: '+44 20 7946 0000', status: 'PENDING' });
    expect(await enroll()).toEqual({ address: '1030507', waits: false });
    expect(requests.map(({ line }) => line.split('?')[0])).toEqual(['GET /55/phone_numbers', 'POST /1030507/register']);
    numbers[0] = { ...numbers[0], status: 'CONNECTED' };
    requests = [];
    expect(await enroll()).toEqual({ address: '1030507', waits: false });
    expect(requests.length).toBe(1);
  });

  test('waits for verification, explains a wrong PIN, and keeps WhatsApp’s text for other refusals', async () => {
    responses['POST /1030507/register'] = () => refusal(133006);
    expect(await enroll()).toEqual({ address: '1030507', waits: true });
    responses['POST /1030507/register'] = () => refusal(133005);
    expect(await refusalCode(enroll())).toEqual([true, '133005', expect.stringContaining('Turn off two-step')]);
    responses['POST /1030507/register'] = () => refusal(133008, { error_user_msg: 'Too many guesses' });
    expect(await refusalCode(enroll())).toEqual([true, '133008', 'Too many guesses']);
    responses['POST /1030507/register'] = () => refusal(133016);
    expect((await refusalCode(enroll()))![0]).toBe(false);
  });
});

describe('a verification code', () => {
  test.each(['sms', 'voice'] as const)('is requested by %s', async (method) => {
    responses['POST /1030507/request_code'] = () => fine;
    await whatsapp.senders!.requestCode(connection(), '1030507', method);
    expect(requests).toEqual([
      { line: `POST /1030507/request_code?code_method=${method.toUpperCase()}&language=en_US`, body: '' },
    ]);
  });

  test('is checked by WhatsApp, and a refusal includes WhatsApp’s text', async () => {
    responses['POST /1030507/verify_code'] = () => fine;
    await whatsapp.senders!.verifyCode(connection(), '1030507', '123456');
    expect(requests[0]!.line).toBe('POST /1030507/verify_code?code=123456');
    responses['POST /1030507/verify_code'] = () =>
      refusal(136025, { error_user_title: 'Incorrect code', error_user_msg: 'Try again.' });
    expect(await refusalCode(whatsapp.senders!.verifyCode(connection(), '1030507', '000000'))).toEqual([
      true,
      '136025',
      'Incorrect code: Try again.',
    ]);
    responses['POST /1030507/request_code'] = () => refusal(136024, { error_user_msg: 'Wait a day.' });
    expect(await refusalCode(whatsapp.senders!.requestCode(connection(), '1030507', 'sms'))).toEqual([
      true,
      '136024',
      'Wait a day.',
    ]);
  });
});

describe('releasing a sender', () => {
  test('deregisters the number and succeeds when it is already gone', async () => {
    responses['POST /1030507/deregister'] = () => fine;
    await whatsapp.senders!.release(connection(), '1030507');
    responses['POST /1030507/deregister'] = () => refusal(133010);
    await whatsapp.senders!.release(connection(), '1030507');
    await whatsapp.senders!.release(connection(), '9');
    expect(requests.map(({ line }) => line)).toEqual([
      'POST /1030507/deregister',
      'POST /1030507/deregister',
      'POST /9/deregister',
    ]);
    responses['POST /1030507/deregister'] = () => refusal(133016);
    expect(await refusalCode(whatsapp.senders!.release(connection(), '1030507'))).not.toBeNull();
  });

  test('ends callbacks for the whole business account', async () => {
    responses['DELETE /55/subscribed_apps'] = () => fine;
    await whatsapp.registration!.unsubscribe!(connection());
    expect(requests.map(({ line }) => line)).toEqual(['DELETE /55/subscribed_apps']);
    expect(whatsapp.registration!.account(connection({ access_token: '' }))).toBe('55');
  });
});

describe('a profile', () => {
  const profile = (changes: Partial<SenderProfile> = {}): SenderProfile => ({
    about: 'Fresh beans',
    description: 'Coffee roasters',
    address: 'Am Kai 4',
    email: 'hello@harbour.example',
    website: 'https://harbour.example',
    category: 'restaurant',
    picture: null,
    ...changes,
  });
  const putProfile = (values: SenderProfile, changes: object = {}) =>
    whatsapp.senders!.putProfile(connection(changes), '1030507', values);
  const bodies = () =>
    requests.filter(({ line }) => line === 'POST /1030507/whatsapp_business_profile').map(({ body }) => body);
  const octets = Buffer.from('PNG');
  const picture = media('image', {
    file_name: 'logo.png',
    content_type: 'image/png',
    bytes: octets.length,
    open: async () => Readable.from([octets]),
  });

  test.each<[string, Partial<SenderProfile>, object]>([
    [
      'with all of its fields',
      {},
      {
        about: 'Fresh beans',
        description: 'Coffee roasters',
        address: 'Am Kai 4',
        email: 'hello@harbour.example',
        websites: ['https://harbour.example'],
        vertical: 'RESTAURANT',
      },
    ],
    [
      'with empty values to clear fields, except those that WhatsApp requires',
      { about: '', description: '', address: '', email: '', website: '', category: null },
      { description: '', address: '', email: '', websites: [] },
    ],
    [
      'without omitted fields, which stay unchanged',
      { about: null, description: null, address: null, website: null, category: null },
      { email: 'hello@harbour.example' },
    ],
  ])('is sent %s', async (_, changes, expected) => {
    responses['POST /1030507/whatsapp_business_profile'] = () => fine;
    expect(await putProfile(profile(changes))).toEqual([]);
    expect(bodies()).toEqual([{ messaging_product: 'whatsapp', ...expected }]);
  });

  test('is not sent when it has no values', async () => {
    const emptyProfile = { about: null, description: null, address: null, email: null, website: null, category: null };
    expect(await putProfile(profile(emptyProfile))).toEqual([]);
    expect(requests).toEqual([]);
  });

  test('has a distinct WhatsApp category for each of our categories', async () => {
    responses['POST /1030507/whatsapp_business_profile'] = () => fine;
    for (const category of Object.keys(PROFILE_CATEGORIES)) await putProfile(profile({ category }));
    const sorts = bodies().map(({ vertical }) => vertical);
    expect(new Set(sorts).size).toBe(Object.keys(PROFILE_CATEGORIES).length);
    expect(sorts.filter((sort) => sort === 'OTHER')).toHaveLength(1);
  });

  test('is saved except for the fields that WhatsApp refuses', async () => {
    responses['POST /1030507/whatsapp_business_profile'] = ({ body }) =>
      body.email !== undefined
        ? refusal(131009, { error_data: { details: 'email is not valid' } })
        : body.about !== undefined
          ? refusal(100, { error_user_msg: 'About must not mention a price.' })
          : fine;
    expect(await putProfile(profile())).toEqual([
      { field: 'about', text: 'About must not mention a price.' },
      { field: 'email', text: 'email is not valid' },
    ]);
    expect(bodies().slice(1)).toMatchObject([
      { about: 'Fresh beans' },
      { description: 'Coffee roasters' },
      { address: 'Am Kai 4' },
      { email: 'hello@harbour.example' },
      { websites: ['https://harbour.example'] },
      { vertical: 'RESTAURANT' },
    ]);
    responses['POST /1030507/whatsapp_business_profile'] = () => [500, { error: { code: 2, message: 'away' } }];
    await expect(putProfile(profile())).rejects.toThrow('cannot accept messages right now');
  });

  test('includes a picture that is uploaded to the app and sent by its handle', async () => {
    responses['POST /1030507/whatsapp_business_profile'] = () => fine;
    responses['POST /77/uploads'] = () => [200, { id: 'upload:1?sig=2' }];
    responses['POST /upload:1'] = () => [200, { h: '4::handle' }];
    expect(await putProfile(profile({ picture }))).toEqual([]);
    expect(requests.map(({ line }) => line)).toEqual([
      'POST /1030507/whatsapp_business_profile',
      'POST /77/uploads?file_name=logo.png&file_length=3&file_type=image%2Fpng',
      'POST /upload:1?sig=2',
      'POST /1030507/whatsapp_business_profile',
    ]);
    expect(bodies()[1]).toEqual({ messaging_product: 'whatsapp', profile_picture_handle: '4::handle' });
    expect(await putProfile(profile({ picture }), { app_id: '' })).toEqual([
      { field: 'picture', text: expect.stringContaining('no app ID') },
    ]);
    responses['POST /77/uploads'] = () => refusal(100, { error_user_msg: 'Not this file.' });
    expect(await putProfile(profile({ picture }))).toEqual([{ field: 'picture', text: 'Not this file.' }]);
  });
});
