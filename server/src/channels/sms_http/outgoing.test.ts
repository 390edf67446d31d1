/** Requests and responses of individual providers. `providers.test.ts` tests the behavior that all providers share. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Outcome, Outgoing } from '../channel.ts';
import { startPeer } from './test/peer.ts';
import { TABLES } from './test/tables.ts';

let peer: Awaited<ReturnType<typeof startPeer>>;
beforeAll(async () => {
  peer = await startPeer();
});
afterAll(() => peer.close());

const send = (name: string, changes: Partial<Outgoing> = {}, settings: object = {}): Promise<Outcome> =>
  peer.send(name, { ...TABLES[name]!.settings, ...settings }, changes);

// https://www.twilio.com/docs/messaging/api/message-resource
test('Twilio chooses the sender from a messaging service, and a response names the segments', async () => {
  peer.respond(201, { sid: 'SM1', status: 'queued', num_segments: '2', error_code: null });
  const outcome = await send('twilio', { from: 'Harbour', valid_seconds: 172_800 }, { messaging_service_sid: 'MG1' });
  expect(outcome).toMatchObject({ parts: 1, segments: 2, accepted: [{ part: 1, external_id: 'SM1' }] });
  const form = new URLSearchParams(peer.request().body);
  expect([form.get('From'), form.get('MessagingServiceSid')]).toEqual([null, 'MG1']);
  // Twilio refuses a longer validity.
  expect(form.get('ValidityPeriod')).toBe('36000');
});

// https://developer.vonage.com/en/api/sms
test('Vonage receives Unicode texts as such, and reports every part of a long text', async () => {
  peer.respond(200, {
    'message-count': '2',
    messages: [
      { to: '447700900123', 'message-id': '0A01', status: '0' },
      { to: '447700900123', 'message-id': '0A02', status: '0' },
    ],
  });
  const outcome = await send('vonage', { from: 'Harbour', text: 'Привет' });
  expect(JSON.parse(peer.request().body)).toMatchObject({ from: 'Harbour', text: 'Привет', type: 'unicode' });
  expect(outcome.parts).toBe(2);
  expect(outcome.accepted.map(({ external_id }) => external_id)).toEqual(['0A01', '0A02']);
});

// https://www.plivo.com/docs/messaging/api/message/send-a-message
test('Plivo chooses the sender from a number pool, and receives an expiry of at most three hours', async () => {
  await send('plivo', { valid_seconds: 172_800 }, { powerpack_uuid: 'pool1' });
  const body = JSON.parse(peer.request().body);
  expect(body).toMatchObject({ powerpack_uuid: 'pool1', message_expiry: 10_800 });
  expect(body).not.toHaveProperty('src');
});

// https://docs.sms-gate.app/features/sending-messages/
test('an Android phone chooses the SIM card unless the connection names one', async () => {
  await send('android', {}, { sim: 'any' });
  expect(JSON.parse(peer.request().body)).not.toHaveProperty('simNumber');
  await send('android', {}, { sim: '2' });
  expect(JSON.parse(peer.request().body)).toMatchObject({ simNumber: 2 });
});

test('another provider receives the filled body, with every value encoded for its format', async () => {
  peer.respond(200, { messages: [{ id: 17 }] });
  const text = 'He said "hi"\n{to} & more';
  const { accepted } = await send('generic', { text }, { id_path: 'messages.0.id' });
  expect(accepted).toEqual([{ part: 1, external_id: '17' }]);
  expect(JSON.parse(peer.request().body)).toMatchObject({ to: '447700900123', text });
  const body = 'msisdn={to}&message={text}&ref={reference}&ttl={validity_seconds}';
  await send('generic', { text }, { format: 'form', body });
  const { headers, body: sent } = peer.request();
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  const form = Object.fromEntries(new URLSearchParams(sent));
  expect(form).toEqual({ msisdn: '447700900123', message: text, ref: '4711', ttl: '3600' });
});
