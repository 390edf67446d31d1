/** A WhatsApp business for tests: its Graph API calls, a registered number, and the receiver for its webhooks. */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, onTestFinished } from 'vitest';
import type { ApiResponse, Box, Json } from './box.ts';
import { until } from './box.ts';

export const waba = '2000000001';
export const app = '1000000001';
export const token = 'sandbox-whatsapp-token';

export interface Received {
  raw: string;
  body: Json;
  signed: boolean;
}

/** Collects webhooks and responds with 200 unless a test configures a different response. */
class Subscriber {
  url = '';
  posts: Received[] = [];
  /** The query strings of the handshakes. */
  handshakes: URLSearchParams[] = [];
  verify_token = 'verify-me';
  respond: (post: Received) => number | Promise<number> = () => 200;

  get changes(): Json[] {
    return this.posts
      .filter(({ signed }) => signed)
      .flatMap(({ body }) => body.entry.flatMap((one: Json) => one.changes));
  }

  get statuses(): Json[] {
    return this.changes.flatMap(({ value }) => value.statuses ?? []);
  }

  get messages(): Json[] {
    return this.changes.flatMap(({ value }) => value.messages ?? []);
  }

  events(field: string): Json[] {
    return this.changes.filter((change) => change.field === field).map(({ value }) => value);
  }

  /** Returns the statuses of one message, in order. */
  statusesFor(id: string): string[] {
    return this.statuses.filter((status) => status.id === id).map(({ status }) => status);
  }
}

export async function openSubscriber(): Promise<Subscriber> {
  const subscriber = new Subscriber();
  const server = createServer(async (request, response) => {
    const query = new URL(request.url!, 'http://localhost').searchParams;
    if (request.method === 'GET') {
      subscriber.handshakes.push(query);
      const fits = query.get('hub.verify_token') === subscriber.verify_token;
      response.writeHead(fits ? 200 : 403).end(fits ? query.get('hub.challenge') : 'no');
      return;
    }
    const raw = await readBytes(request);
    const expected = `sha256=${createHmac('sha256', 'sandbox-app-secret').update(raw).digest('hex')}`;
    const post = {
      raw: raw.toString(),
      body: JSON.parse(raw.toString()),
      signed: request.headers['x-hub-signature-256'] === expected,
    };
    subscriber.posts.push(post);
    response.writeHead(await subscriber.respond(post)).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  subscriber.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks/whatsapp`;
  return subscriber;
}

async function readBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}

export class WhatsappBusiness {
  box: Box;
  number = '';
  readonly hooks: Subscriber;

  constructor(box: Box, hooks: Subscriber) {
    this.box = box;
    this.hooks = hooks;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.box.sandbox.ports.http}`;
  }

  async call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<ApiResponse> {
    const json = body !== undefined && !(body instanceof FormData) && !Buffer.isBuffer(body);
    const response = await fetch(`${this.origin}/graph/v25.0/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(json && { 'content-type': 'application/json' }), ...headers },
      body: json ? JSON.stringify(body) : (body as FormData | undefined),
    });
    return { status: response.status, body: (await response.json()) as Json };
  }

  async callOk(method: string, path: string, body?: unknown): Promise<Json> {
    const response = await this.call(method, path, body);
    expect(response.status, JSON.stringify(response.body)).toBe(200);
    return response.body;
  }

  message(to: string, more: Json): Promise<ApiResponse> {
    return this.call('POST', `${this.number}/messages`, { messaging_product: 'whatsapp', to, ...more });
  }

  /** Sends a message that must be accepted. Returns its ID. */
  async send(to: string, more: Json): Promise<string> {
    const { status, body } = await this.message(to, more);
    expect(status, JSON.stringify(body)).toBe(200);
    return body.messages[0].id;
  }

  sendText(to: string, body = 'Hello'): Promise<string> {
    return this.send(to, { type: 'text', text: { body } });
  }

  /** Sends a message. Returns the HTTP status and the error code, if any. */
  async refusal(to: string, more: Json): Promise<[status: number, code: number]> {
    const { status, body } = await this.message(to, more);
    return [status, body.error?.code];
  }

  template(to: string, name: string, components?: Json[], language = 'en'): Promise<ApiResponse> {
    return this.message(to, { type: 'template', template: { name, language: { code: language }, components } });
  }

  async createApproved(name: string, components: Json[], more: Json = {}): Promise<string> {
    const made = await this.callOk('POST', `${waba}/message_templates`, {
      name,
      language: 'en',
      category: 'MARKETING',
      components,
      ...more,
    });
    await until(async () => (await this.callOk('GET', made.id)).status !== 'PENDING');
    return made.id;
  }

  /** Opens the 24-hour window with a message from this phone. */
  async openWindow(phone: string, text = 'Hi'): Promise<Json> {
    const { status, body } = await this.box.call('POST', `phones/${phone}/messages`, {
      channel: 'WHATSAPP',
      to: this.number,
      text,
    });
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }

  settings(change: Json): Promise<ApiResponse> {
    return this.box.call('PUT', 'whatsapp', change);
  }
}

/** Opens a business with a registered number and a subscription, without delays. */
export async function openWhatsapp(box: Box, { subscribed = true } = {}): Promise<WhatsappBusiness> {
  const business = new WhatsappBusiness(box, await openSubscriber());
  await business.settings({
    review_delay_ms: 0,
    sent_delay_ms: 0,
    delivered_delay_ms: 0,
    read_delay_ms: 0,
    webhook_retry_ms: 10,
  });
  const added = { cc: '44', phone_number: '7700900100', verified_name: 'Acme Shoes' };
  business.number = (await business.callOk('POST', `${waba}/phone_numbers`, added)).id;
  await business.callOk('POST', `${business.number}/register`, { messaging_product: 'whatsapp', pin: '123456' });
  if (subscribed) {
    const { url, verify_token } = business.hooks;
    await business.callOk('POST', `${waba}/subscribed_apps`, { override_callback_uri: url, verify_token });
  }
  return business;
}
