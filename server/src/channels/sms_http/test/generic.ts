import { SMS_PRESETS } from '@parley/contract/channels/sms/providers/presets.ts';
import { CALLBACK, keyed, type ProviderTable, SECRET } from './table.ts';

export const generic: ProviderTable = {
  // The defaults describe the provider of the sandbox, and the presets the APIs of others.
  sources: Object.values(SMS_PRESETS).map(({ docs }) => docs),
  settings: { authorization: `Bearer ${SECRET}`, callback_secret: SECRET },
  verified_by: 'callback_secret',
  request: {
    path: '/',
    headers: { authorization: `Bearer ${SECRET}` },
    fields: {
      ...{ to: '447700900123', from: '447400999999', text: 'Your table is ready' },
      callback: `${CALLBACK}?reference=4711&key=${SECRET}`,
    },
  },
  responses: [
    [200, { id: 17 }, 'accepted', '17'],
    [422, { error: 'Unknown number 447700900123' }, 'rejected', '422'],
    [401, { error: 'no' }, 'connection', 'HTTP 401'],
    [429, '', 'throttled', 'HTTP 429'],
    [200, { messages: [] }, 'unknown', ''],
  ],
  receipts: [
    [
      { id: 'x1', from: '447400999999', to: '447700900123', status: 'DELIVRD' },
      { external_id: 'x1', status: 'delivered', reference: 4711, number: '447700900123', sender: '447400999999' },
    ],
    [{ id: 'x1', to: '447700900123', status: 'failed' }, { status: 'failed' }],
  ],
  inbound: [
    [
      { id: 'x2', from: '447700900123', to: '447400999999', text: 'Hi' },
      { from: '447700900123', to: '447400999999', text: 'Hi', external_id: 'x2' },
    ],
  ],
  post: keyed,
  receipt: ({ id, from, to, state }) => ({ id, from, to, status: state }),
  text: ({ id, from, to, text }) => ({ id, from, to, text }),
};
