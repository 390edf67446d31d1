/** A Viber service for tests: its sandbox, the receiver for its callbacks, and its requests. */
import { messageTypes } from '../viber/types.ts';
import { type Box, type Json, openBox } from './box.ts';
import { openReceiver, type Receiver } from './receiver.ts';

export const token = 'sandbox-viber-token';

export class ViberSender {
  box: Box;
  receiver: Receiver;

  constructor(box: Box, receiver: Receiver) {
    this.box = box;
    this.receiver = receiver;
  }

  /** Posts a request. Returns the response as text and as JSON. */
  async post(body: string): Promise<{ status: number; text: string; json: Json }> {
    const url = `http://127.0.0.1:${this.box.sandbox.ports.http}/viber/vibersrvc/1/send_message`;
    const response = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    const text = await response.text();
    return { status: response.status, text, json: JSON.parse(text) };
  }

  async send(fields: Json = {}): Promise<Json> {
    const { json, text } = await this.post(JSON.stringify(request(fields)));
    return { ...json, message_token: bareDigits(text, 'message_token'), session_id: bareDigits(text, 'session_id') };
  }

  /** Returns the statuses in the callbacks about a message, in the order in which they arrived. */
  callbackStatuses(message_token: string): number[] {
    return this.receiver.received
      .filter(({ body, json }) => bareDigits(body, 'message_token') === message_token && 'message_status' in json)
      .map(({ json }) => json.message_status);
  }

  get messages(): Json[] {
    return this.receiver.received.filter(({ json }) => json.message).map(({ json }) => json);
  }

  settings(settings: Json) {
    return this.box.call('PUT', 'viber/settings', settings);
  }

  write(phone: string, fields: Json) {
    return this.box.call('POST', `phones/${phone}/messages`, { channel: 'VIBER', to: '30001', ...fields });
  }
}

export const request = ({ message, ...fields }: Json = {}): Json => ({
  service_id: 30001,
  dest: '447700123456',
  seq: 1,
  type: 206,
  label: messageTypes.get(Number(fields.type ?? 206))?.kind === 'promotional' ? 'promotion' : 'transaction',
  message: { '#txt': 'Hello', '#tracking_data': 't-1', ...message },
  ...fields,
});

/** Reads a bare number from JSON text as digits. */
export const bareDigits = (text: string, field: string): string | undefined =>
  new RegExp(`"${field}":(\\d+)[,}]`).exec(text)?.[1];

/** Opens a service whose deliveries and callbacks are not delayed. */
export async function openViber(data_dir?: string): Promise<ViberSender> {
  const box = await openBox({}, data_dir);
  const receiver = await openReceiver();
  const business = new ViberSender(box, receiver);
  await business.settings({ delivered_delay_ms: 0, delivered_jitter_ms: 0, seen_delay_ms: 0 });
  await box.call('PUT', 'viber/services/30001', { callback_url: receiver.url });
  return business;
}
