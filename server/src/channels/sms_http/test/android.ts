import { type Fields, hmac, json, type ProviderTable, SECRET } from './table.ts';

const DEVICE = 'ffffffffceb0b1db00000199parley01';

const event = (name: string, payload: Fields): Fields => ({
  ...{ deviceId: DEVICE, event: name, id: 'pA7rLeYkVVFjz3CL48B8C', webhookId: 'wH4rBoUr3sSq0JufY9uWB' },
  payload,
});

/** The common fields of the events about a message. Older versions of the app send `phoneNumber` only. */
const MESSAGE = {
  ...{ messageId: 'k4711', sender: '+447400990001', recipient: '+447700900123', phoneNumber: '+447700900123' },
  simNumber: 1,
};

export const android: ProviderTable = {
  sources: [
    'https://docs.sms-gate.app/features/sending-messages/',
    'https://docs.sms-gate.app/features/webhooks/',
    'https://docs.sms-gate.app/getting-started/webhooks/',
    'https://docs.sms-gate.app/features/status-tracking/',
    'https://docs.sms-gate.app/features/health/',
    'https://docs.sms-gate.app/integration/api/',
  ],
  settings: {
    ...{ username: 'sandbox', password: SECRET, signing_key: SECRET, sim: '1', sim_number: '447400990001' },
    device_id: DEVICE,
  },
  verified_by: 'signing_key',
  request: {
    path: '/messages',
    headers: { authorization: `Basic ${Buffer.from(`sandbox:${SECRET}`).toString('base64')}` },
    fields: {
      ...{ id: 'k4711', textMessage: { text: 'Your table is ready' }, phoneNumbers: ['+447700900123'] },
      ...{ ttl: 3_600, simNumber: 1, deviceId: DEVICE, withDeliveryReport: true },
    },
  },
  responses: [
    [
      202,
      {
        ...{ id: 'k4711', deviceId: DEVICE, state: 'Pending', isHashed: false, isEncrypted: false, states: {} },
        recipients: [{ phoneNumber: '+447700900123', state: 'Pending' }],
      },
      'accepted',
      'k4711',
    ],
    // An earlier attempt arrived.
    [409, { message: 'duplicate id' }, 'accepted', 'k4711'],
    [400, { message: 'failed to validate: invalid phone number 447700900123' }, 'rejected', '400'],
    [401, { message: 'Unauthorized' }, 'connection', '401'],
    [429, { message: 'Too Many Requests' }, 'throttled', '429'],
    // The phone is offline, and its queue is full.
    [503, { message: 'queue limit exceeded' }, 'connection', 'HTTP 503'],
    [502, '', 'unknown', 'HTTP 502'],
  ],
  receipts: [
    [
      event('sms:delivered', { ...MESSAGE, deliveredAt: '2026-02-18T02:05:00.000+07:00' }),
      {
        ...{ external_id: 'k4711', status: 'delivered', number: '447700900123', sender: '447400990001' },
        at: Date.UTC(2026, 1, 17, 19, 5),
      },
    ],
    [
      event('sms:sent', { ...MESSAGE, sender: null, simNumber: null, sentAt: '2026-02-18T02:04:00.000+07:00' }),
      { status: 'sent', number: '447700900123', at: Date.UTC(2026, 1, 17, 19, 4) },
    ],
    [
      event('sms:failed', { ...MESSAGE, reason: 'Invalid number', failedAt: '2026-02-20T15:30:00Z' }),
      {
        ...{ external_id: 'k4711', status: 'failed', number: '447700900123', at: Date.UTC(2026, 1, 20, 15, 30) },
        failure: { kind: 'rejected', text: 'Invalid number' },
      },
    ],
    [
      event('sms:delivered', { messageId: 'k4711', phoneNumber: '+447700900123', simNumber: 1 }),
      { status: 'delivered', number: '447700900123', sender: '447400990001' },
    ],
  ],
  inbound: [
    [
      event('sms:received', {
        ...{ messageId: 'a4711', message: 'Yes please', phoneNumber: '+447700900123', sender: '+447700900123' },
        ...{ recipient: null, simNumber: 1, receivedAt: '2026-02-18T02:06:00.000+07:00' },
      }),
      { from: '447700900123', to: '447400990001', text: 'Yes please', at: Date.UTC(2026, 1, 17, 19, 6) },
    ],
    [
      event('sms:received', {
        ...{ messageId: 'a4712', message: 'Yes please', phoneNumber: '+447700900123', sender: '+447700900123' },
        ...{ recipient: '+447400990001', simNumber: 1, receivedAt: '2026-02-18T02:07:00.000+07:00' },
      }),
      { from: '447700900123', to: '447400990001', text: 'Yes please' },
    ],
  ],
  post(fields, { secret, time_s }) {
    const { headers, body } = json(fields);
    const signature = hmac('sha256', secret, body + time_s).digest('hex');
    return { headers: { ...headers, 'x-timestamp': String(time_s), 'x-signature': signature }, body };
  },
  receipt: ({ id, to, state }) => event(`sms:${state}`, { messageId: id, phoneNumber: `+${to}`, simNumber: 1 }),
  text: ({ id, from, to, text }) =>
    event('sms:received', { messageId: id, message: text, sender: `+${from}`, recipient: to, simNumber: 1 }),
  max_age_s: 300,
  foreign: { deviceId: 'another-phone' },
};
