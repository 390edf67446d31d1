/**
 * The presets of further providers, with the examples from the documentation that each preset names: the request, the
 * response, a refusal, and a delivery receipt.
 */
import { GenericSettings } from '@parley/contract/channels/sms/providers/generic.ts';
import { SMS_PRESETS } from '@parley/contract/channels/sms/providers/presets.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../channel.ts';
import { getAdapter } from '../index.ts';
import { startPeer } from './test/peer.ts';
import { CALLBACK, MESSAGE, SECRET } from './test/table.ts';

type Fields = Record<string, unknown>;
interface Example {
  /** The header with the key, and its value. */
  key: [name: string, value: string];
  /** The fields of the JSON or the form. */
  fields: Fields;
  accepted: [response: unknown, id: string];
  refused: [status: number, response: unknown, reason: string];
  receipt: [callback: Fields, id: string, status: Report['status']];
}

const KEY = 'live_8Fq2Zt';
const ACCOUNT = 'acme';
const BASIC = `Basic ${Buffer.from(`${ACCOUNT}:${KEY}`).toString('base64')}`;
const { from, to, text } = MESSAGE;
const callback_url = `${CALLBACK}?reference=4711&key=${SECRET}`;

const EXAMPLES: Record<keyof typeof SMS_PRESETS, Example> = {
  messagebird: {
    key: ['authorization', `AccessKey ${KEY}`],
    fields: {
      ...{ originator: from, recipients: [to], body: text, datacoding: 'auto', validity: 3_600 },
      ...{ reference: '4711', reportUrl: callback_url },
    },
    accepted: [
      { id: 'e8077d803532c0b5937c639b60216938', recipients: { totalCount: 1 } },
      'e8077d803532c0b5937c639b60216938',
    ],
    refused: [
      422,
      { errors: [{ code: 9, description: 'no (correct) recipients found', parameter: 'recipient' }] },
      'no (correct) recipients found',
    ],
    receipt: [
      { id: 'e8077d80', reference: '4711', recipient: to, status: 'delivery_failed', statusErrorCode: '1' },
      'e8077d80',
      'failed',
    ],
  },
  africastalking: {
    key: ['apikey', KEY],
    fields: { username: ACCOUNT, to: `+${to}`, from: `+${from}`, message: text },
    accepted: [
      {
        SMSMessageData: {
          Message: 'Sent to 1/1 Total Cost: KES 0.8000',
          Recipients: [{ statusCode: 101, status: 'Success', cost: 'KES 0.8000', messageId: 'ATPid_SampleTxnId123' }],
        },
      },
      'ATPid_SampleTxnId123',
    ],
    refused: [
      201,
      {
        SMSMessageData: {
          Message: 'Sent to 0/1 Total Cost: 0',
          Recipients: [{ statusCode: 403, status: 'InvalidPhoneNumber', cost: '0', messageId: 'None' }],
        },
      },
      'InvalidPhoneNumber',
    ],
    receipt: [
      { id: 'ATPid_SampleTxnId123', status: 'Success', phoneNumber: `+${to}`, networkCode: '63902', retryCount: '0' },
      'ATPid_SampleTxnId123',
      'delivered',
    ],
  },
  seven: {
    key: ['x-api-key', KEY],
    fields: { to, from, text, foreign_id: '4711' },
    accepted: [
      { success: '100', total_price: 0.075, messages: [{ id: '77229318510', parts: 1, success: true, error: null }] },
      '77229318510',
    ],
    refused: [
      200,
      {
        success: '101',
        messages: [{ id: null, success: false, error: '202', error_text: 'The recipient number is invalid' }],
      },
      'The recipient number is invalid',
    ],
    receipt: [
      { webhook_event: 'dlr', data: { msg_id: '77229318510', status: 'NOTDELIVERED', timestamp: '2030-01-02' } },
      '77229318510',
      'failed',
    ],
  },
  telesign: {
    key: ['authorization', BASIC],
    fields: {
      ...{ phone_number: to, sender_id: from, message: text, message_type: 'ARN' },
      ...{ external_id: '4711', callback_url },
    },
    accepted: [
      {
        reference_id: '0123456789ABCDEF0123456789ABCDEF',
        status: { code: 290, description: 'Message in progress' },
      },
      '0123456789ABCDEF0123456789ABCDEF',
    ],
    refused: [
      400,
      { status: { code: 11_000, description: 'Invalid value for parameter phone_number' }, reference_id: null },
      'Invalid value for parameter phone_number',
    ],
    receipt: [
      {
        ...{ status: { code: 200, description: 'Delivered to handset' }, errors: [], sub_resource: 'sms' },
        reference_id: '2557312299CC1304904080F4BE17BFB4',
      },
      '2557312299CC1304904080F4BE17BFB4',
      'delivered',
    ],
  },
  elks46: {
    key: ['authorization', BASIC],
    fields: { from: `+${from}`, to: `+${to}`, message: text, whendelivered: callback_url },
    accepted: [
      { status: 'created', direction: 'outgoing', parts: 1, cost: 3_500, id: 's70df59406a1b4643b96f3f91e0bfb7b0' },
      's70df59406a1b4643b96f3f91e0bfb7b0',
    ],
    refused: [400, { message: 'Invalid recipient' }, 'Invalid recipient'],
    receipt: [
      { id: 's70df59406a1b4643b96f3f91e0bfb7b0', status: 'delivered', delivered: '2018-07-13T13:57:23.741000' },
      's70df59406a1b4643b96f3f91e0bfb7b0',
      'delivered',
    ],
  },
  gatewayapi: {
    key: ['authorization', `Token ${KEY}`],
    fields: {
      ...{ sender: from, message: text, recipients: [{ msisdn: Number(to) }], validity_period: 3_600 },
      ...{ userref: '4711', callback_url },
    },
    accepted: [{ ids: [421_332_671], usage: { countries: { DK: 1 }, currency: 'DKK', total_cost: 0.12 } }, '421332671'],
    refused: [422, { code: '0x0308', message: 'Invalid phone number', variables: [] }, 'Invalid phone number'],
    receipt: [
      { id: 1_000_001, msisdn: 4_587_654_321, time: 1_450_000_000, status: 'DELIVERED', userref: '4711' },
      '1000001',
      'delivered',
    ],
  },
  wavecell: {
    key: ['authorization', `Bearer ${KEY}`],
    fields: {
      ...{ source: from, destination: `+${to}`, text, encoding: 'AUTO' },
      ...{ clientMessageId: '4711', dlrCallbackUrl: callback_url },
    },
    accepted: [
      { umid: 'bda3d56c-fcf9-e711-8146-020897df5459', status: { code: 'QUEUED' } },
      'bda3d56c-fcf9-e711-8146-020897df5459',
    ],
    refused: [400, { code: 1002, message: 'Invalid MSISDN format' }, 'Invalid MSISDN format'],
    receipt: [
      {
        ...{ namespace: 'SMS', eventType: 'outbound_message_status_changed' },
        payload: { umid: 'bda3d56c', source: from, destination: `+${to}`, status: { state: 'undelivered' } },
      },
      'bda3d56c',
      'failed',
    ],
  },
  d7: {
    key: ['authorization', `Bearer ${KEY}`],
    fields: {
      messages: [{ channel: 'sms', recipients: [`+${to}`], content: text, data_coding: 'auto' }],
      message_globals: { originator: from, report_url: callback_url },
    },
    accepted: [
      { request_id: '001cc2a0-7e2f-4f4e-9d1c-9e3b2c6d5a10', status: 'accepted' },
      '001cc2a0-7e2f-4f4e-9d1c-9e3b2c6d5a10',
    ],
    refused: [422, { detail: { code: 'INVALID_RECIPIENT', message: 'No valid recipients' } }, 'No valid recipients'],
    receipt: [{ request_id: '001cc2a0', msisdn: to, status: 'delivered' }, '001cc2a0', 'delivered'],
  },
  brevo: {
    key: ['api-key', KEY],
    fields: {
      ...{ sender: from, recipient: to, content: text, type: 'transactional', unicodeEnabled: true },
      ...{ tag: '4711', webUrl: callback_url },
    },
    // The ID is longer than the integers of JSON.
    accepted: ['{"reference":"ab1cde2fgh3i4jklmno","messageId":15118829001762201,"smsCount":2}', '15118829001762201'],
    refused: [400, { code: 'invalid_parameter', message: 'Invalid telephone number' }, 'Invalid telephone number'],
    receipt: [{ id: 1, msg_status: 'hard_bounce', messageId: 1_001, to: `+${to}` }, '1001', 'failed'],
  },
  signalwire: {
    key: ['authorization', BASIC],
    fields: { From: `+${from}`, To: `+${to}`, Body: text, StatusCallback: callback_url },
    accepted: [
      { sid: 'c7e1ecc2-91f7-4f0d-9b2d-9b4a0c1d2e3f', status: 'queued' },
      'c7e1ecc2-91f7-4f0d-9b2d-9b4a0c1d2e3f',
    ],
    refused: [
      422,
      { code: 21_211, message: "The 'To' number is not a valid phone number", status: 422 },
      "The 'To' number is not a valid phone number",
    ],
    receipt: [
      { MessageSid: 'c7e1ecc2', MessageStatus: 'undelivered', From: `+${from}`, To: `+${to}` },
      'c7e1ecc2',
      'failed',
    ],
  },
};

let peer: Awaited<ReturnType<typeof startPeer>>;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer.close());

const presetSettings = (name: keyof typeof SMS_PRESETS) =>
  GenericSettings.parse({ ...SMS_PRESETS[name].settings, account: ACCOUNT, api_secret: KEY, callback_secret: SECRET });

describe.each(Object.entries(EXAMPLES) as [keyof typeof SMS_PRESETS, Example][])('%s', (name, example) => {
  const { base_url: published_url, ...settings } = presetSettings(name);
  const isForm = settings.format === 'form';

  test('the request has the documented address, key, and fields', async () => {
    const spec = { id: 'c1', settings: presetSettings(name), callback_url: CALLBACK };
    const message = { ...MESSAGE, content: null, key: 'k1', valid_seconds: 3_600, sent_parts: [] };
    const shown = getAdapter('generic').preview!.request(spec, message);
    expect(shown.url).toBe(published_url.replace('{account}', ACCOUNT));
    expect(JSON.stringify(shown)).not.toContain(KEY);
    const [response] = example.accepted;
    peer.respond(200, response);
    await peer.send('generic', settings);
    const { headers, body } = peer.request();
    expect(headers).toMatchObject({ [example.key[0]]: example.key[1] });
    expect(headers['content-type']).toBe(isForm ? 'application/x-www-form-urlencoded' : 'application/json');
    expect(isForm ? Object.fromEntries(new URLSearchParams(body)) : JSON.parse(body)).toEqual(example.fields);
  });

  test('a text with quotes, line breaks, and emoji arrives unchanged', async () => {
    const special = 'He said "50% off" & more:\n{to} \\ 👍';
    peer.respond(200, example.accepted[0]);
    await peer.send('generic', settings, { text: special });
    const { body } = peer.request();
    const values = isForm ? [...new URLSearchParams(body).values()] : [body];
    expect(isForm ? values : values.map((value) => JSON.stringify(JSON.parse(value)))).toContainEqual(
      isForm ? special : expect.stringContaining(JSON.stringify(special)),
    );
  });

  test('the responses are read', async () => {
    const [response, external_id] = example.accepted;
    peer.respond(200, response);
    expect(await peer.send('generic', settings)).toMatchObject({ accepted: [{ part: 1, external_id }], failure: null });
    const [status, refusal, reason] = example.refused;
    peer.respond(status, refusal);
    const { accepted, failure } = await peer.send('generic', settings);
    expect(accepted).toEqual([]);
    expect(failure).toMatchObject({ kind: 'rejected', text: reason });
  });

  test('a delivery receipt is read, and refused without the secret', () => {
    const [fields, external_id, status] = example.receipt;
    const receive = (query: Record<string, string>) =>
      getAdapter('generic').callbacks!.read(
        { id: 'c1', settings: presetSettings(name) },
        {
          ...{ method: 'POST', url: callback_url, query, headers: { 'content-type': 'application/json' } },
          body: Buffer.from(JSON.stringify(fields)),
        },
      );
    expect(receive({ reference: '4711', key: SECRET }).reports).toMatchObject([
      { external_id, status, reference: 4_711 },
    ]);
    expect(receive({ reference: '4711' })).toMatchObject({ status: 403, reports: [] });
  });
});
