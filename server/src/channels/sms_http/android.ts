/**
 * A phone with the app SMS Gateway for Android, through the API of the public server, of a private server, or of the
 * phone itself. We choose the ID of a message, and the server refuses a second message with the same ID. So a message
 * whose response was lost can be sent again without a duplicate.
 */
import { createHmac } from 'node:crypto';
import { AndroidSettings } from '@parley/contract/channels/sms/providers/android.ts';
import type { CallbackRequest, Notice, Report } from '../channel.ts';
import { isSecret } from '../signature.ts';
import { unreadable } from '../unreadable.ts';
import { type Json, maskNumbers, parseJson, toObject, toText } from '../wire_json.ts';
import { basicAuthorization, JSON_HEADERS, smsProvider } from './bind.ts';
import {
  accepted,
  MEANINGS,
  type Meaning,
  readTime,
  received,
  refusal,
  refused,
  report,
  respond,
  toAddress,
} from './provider.ts';

/** Meanings by HTTP status. */
const CODES: Readonly<Record<string, Meaning>> = {
  400: MEANINGS.bad_message,
  401: MEANINGS.credentials,
  403: MEANINGS.credentials,
  429: MEANINGS.throttled,
};

const STATUSES: Readonly<Record<string, Report['status']>> = {
  'sms:sent': 'sent',
  'sms:delivered': 'delivered',
  'sms:failed': 'failed',
};
const EVENTS = ['sms:received', 'sms:sent', 'sms:delivered', 'sms:failed', 'system:ping'] as const;

/** The app signs each attempt anew, so an older callback may be a repeated recording. */
const MAX_AGE_SECONDS = 300;

export const android = smsProvider<AndroidSettings>({
  name: 'android',
  readSettings: (settings) => AndroidSettings.parse(settings),
  isIdempotent: true,
  request({ base_url, device_id, sim, ...credentials }, { key, to, text, valid_seconds }) {
    return {
      url: `${base_url}/messages`,
      headers: authorize(credentials),
      body: JSON.stringify({
        ...{ id: key, textMessage: { text }, phoneNumbers: [toAddress(to)], ttl: valid_seconds },
        ...(sim === 'any' ? {} : { simNumber: Number(sim) }),
        ...(device_id ? { deviceId: device_id } : {}),
        withDeliveryReport: true,
      }),
    };
  },
  read(status, body, _settings, { key }) {
    const { id, message } = toObject(parseJson(body));
    const external_id = toText(id, 64);
    if (status >= 200 && status < 300 && external_id !== '') return accepted(external_id);
    // An earlier attempt of this message arrived, and its response was lost.
    if (status === 409) return accepted(key, { repeated: true });
    if (!CODES[status]) return refused(unreadable(status));
    const text = maskNumbers(message);
    return status === 400 && text !== ''
      ? refused({ kind: 'rejected', code: '400', text })
      : refusal(CODES, String(status));
  },
  callback(settings, request, session) {
    if (request.method !== 'POST') return respond(405);
    if (!isSigned(settings.signing_key, request)) return respond(403);
    const { deviceId, event, payload: content } = toObject(parseJson(request.body.toString('utf8')));
    const payload = toObject(content);
    if (!concerns(settings, toText(deviceId, 100), payload)) return respond(200);
    if (event === 'system:ping') return respond(200, { notices: readHealth(payload) });
    const { messageId, message, sender, recipient, phoneNumber, reason } = payload;
    if (event === 'sms:received') {
      const { receivedAt } = payload;
      // The app derives the ID from the content, so it repeats when a person sends the same text again.
      const external_id = `${toText(messageId, 64)} ${toText(receivedAt, 40)}`;
      const incoming = {
        external_id,
        from: sender ?? phoneNumber,
        to: recipient ?? settings.sim_number,
        text: message,
      };
      return respond(200, {
        incoming: received(session, { provider: 'android', ...incoming, at: readTime(receivedAt) }),
      });
    }
    const state = toText(event, 30);
    const status = Object.hasOwn(STATUSES, state) ? STATUSES[state] : undefined;
    const external_id = toText(messageId, 64);
    if (external_id === '' || !status) return respond(200);
    const at = readTime(payload.deliveredAt ?? payload.failedAt ?? payload.sentAt);
    const receipt = { external_id, status, state, number: recipient ?? phoneNumber, sender: settings.sim_number, at };
    return respond(200, { reports: [report(request, { ...receipt, text: maskNumbers(reason) })] });
  },
  /** Each event has its own webhook. Its ID depends on the URL, so a repeated call replaces it. */
  async register({ base_url, ...credentials }, url, call) {
    for (const event of EVENTS)
      await call({
        url: `${base_url}/webhooks`,
        headers: authorize(credentials),
        body: JSON.stringify({ id: webhookId(url, event), url, event }),
      });
  },
});

const authorize = ({ username, password }: Pick<AndroidSettings, 'username' | 'password'>) => ({
  ...JSON_HEADERS,
  authorization: basicAuthorization(username, password),
});

const webhookId = (url: string, event: string): string =>
  createHmac('sha256', event).update(url).digest('hex').slice(0, 32);

/** All phones and SIM cards of an account share their webhooks, but a connection may be for one SIM. */
function concerns({ device_id, sim }: AndroidSettings, device: string, { simNumber }: Json): boolean {
  if (device_id !== '' && device !== '' && device !== device_id) return false;
  return sim === 'any' || typeof simNumber !== 'number' || String(simNumber) === sim;
}

function isSigned(signing_key: string, { headers, body }: CallbackRequest): boolean {
  const timestamp = headers['x-timestamp'] ?? '';
  const age_s = Math.abs(Date.now() / 1_000 - Number(timestamp));
  if (signing_key === '' || !/^\d+$/.test(timestamp) || age_s > MAX_AGE_SECONDS) return false;
  const expected = createHmac('sha256', signing_key).update(body).update(timestamp).digest('hex');
  return isSecret(expected, (headers['x-signature'] ?? '').toLowerCase());
}

const NETWORKS = ['none', 'unknown', '2G', '3G', '4G', '5G'] as const;

/** Reads the checks in a ping: `battery:level`, `battery:charging` (bit flags), and `connection:cellular`. */
function readHealth({ health }: Json): Notice[] {
  const checks = toObject(toObject(health).checks);
  const read = (name: string): number | null => {
    const { observedValue } = toObject(checks[name]);
    return typeof observedValue === 'number' && Number.isFinite(observedValue) ? Math.round(observedValue) : null;
  };
  const [battery, charging, network] = [read('battery:level'), read('battery:charging'), read('connection:cellular')];
  if (battery === null) return [];
  return [
    {
      kind: 'device',
      battery_percent: Math.min(100, Math.max(0, battery)),
      is_charging: (charging ?? 0) > 0,
      is_online: read('connection:status') !== 0,
      network: NETWORKS[network ?? 0] ?? 'unknown',
      failed_count: read('messages:failed') ?? 0,
    },
  ];
}
