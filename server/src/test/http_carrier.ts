/**
 * A scripted WhatsApp and Viber server. It accepts requests from adapters, returns the responses that the test scripts,
 * and records the requests. Sockets and signatures are real. Unlike the sandbox, it never acts on its own.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatSender } from './chat.ts';

interface HttpRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  body: any;
}

/** A response other than success, or `cut` for no response. */
type ScriptedResponse = { status?: number; body: unknown } | 'cut';

export interface HttpCarrier {
  readonly url: string;
  /** All requests, oldest first. */
  readonly requests: HttpRequest[];
  /** Responses for the next messages, one response per message. */
  readonly script: ScriptedResponse[];
  /** Files sent by a person, by ID. */
  readonly files: Map<string, { content_type: string; bytes: Buffer; size?: number }>;
  /** Returns the bodies of the received messages. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary bodies
  messages(): any[];
  stop(): Promise<void>;
}

export async function startHttpCarrier(): Promise<HttpCarrier> {
  const requests: HttpRequest[] = [];
  const script: ScriptedResponse[] = [];
  const files: HttpCarrier['files'] = new Map();
  const isMessage = ({ path, body }: HttpRequest) =>
    path === '/send_message' || (path.endsWith('/messages') && body?.status !== 'read');
  let acceptedCount = 0;
  let url = '';
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const json = request.headers['content-type']?.startsWith('application/json');
    const entry: HttpRequest = {
      method: request.method!,
      path: new URL(request.url!, 'http://carrier').pathname,
      headers: request.headers,
      bytes,
      body: json ? JSON.parse(bytes.toString()) : null,
    };
    requests.push(entry);
    const next = isMessage(entry) ? script.shift() : undefined;
    if (next === 'cut') return void request.socket.destroy();
    if (next) return respond(response, next.body, next.status);
    const file = files.get(entry.path.split('/').at(-1)!);
    if (entry.method === 'GET' && entry.path.startsWith('/files/') && file)
      return void response.writeHead(200, { 'content-type': file.content_type }).end(file.bytes);
    if (entry.method === 'GET' && file)
      return respond(response, {
        url: `${url}/files/${entry.path.split('/').at(-1)}`,
        mime_type: file.content_type,
        file_size: file.size ?? file.bytes.length,
      });
    if (entry.method === 'GET') return respond(response, { error: { code: 100, message: 'Not found' } }, 400);
    if (!isMessage(entry))
      return respond(response, entry.path.endsWith('/media') ? { id: `upload-${requests.length}` } : { success: true });
    acceptedCount++;
    // The token is a bare number that exceeds the precision of a double.
    if (entry.path === '/send_message')
      return respond(response, `{"status":0,"message_token":${VIBER_TOKEN}${acceptedCount},"seq":${entry.body.seq}}`);
    return respond(response, { messaging_product: 'whatsapp', messages: [{ id: `wamid.${acceptedCount}` }] });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    requests,
    script,
    files,
    messages: () => requests.filter(isMessage).map(({ body }) => body),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Prefix of message tokens. The digits that follow count the messages. */
const VIBER_TOKEN = '50017958715864001';

function respond(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** Sends a WhatsApp callback with statuses, messages, or other content in `value`. */
export async function sendWhatsappCallback(
  world: { url: string },
  sender: ChatSender,
  value: object,
  secret = 'secret',
): Promise<number> {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: [
      {
        id: '2000000001',
        changes: [
          {
            field: 'messages',
            value: { messaging_product: 'whatsapp', metadata: { phone_number_id: sender.address }, ...value },
          },
        ],
      },
    ],
  });
  return postCallback(world, sender, body, { 'x-hub-signature-256': `sha256=${hmac(secret, body)}` });
}

/** Sends a Viber callback. `body` is text, because its IDs are bare numbers. */
export const sendViberCallback = (
  world: { url: string },
  sender: ChatSender,
  body: string,
  secret = 'token',
): Promise<number> => postCallback(world, sender, body, { 'x-viber-content-signature': hmac(secret, body) });

const hmac = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

async function postCallback(
  world: { url: string },
  sender: ChatSender,
  body: string,
  headers: Record<string, string>,
): Promise<number> {
  const reply = await fetch(`${world.url}/callbacks/${sender.connection_id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body,
  });
  await reply.arrayBuffer();
  return reply.status;
}
