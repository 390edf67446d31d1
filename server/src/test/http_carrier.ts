/**
 * WhatsApp and Viber as far as a test needs them: a server that takes what adapters send, answers as it is told to, and says what it got. Real sockets and
 * real signatures; what either would do on its own account is the sandbox's to play, here the test says it.
 */
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChatSender } from './chat.ts';

export interface HttpRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  body: any;
}

/** Instead of "taken": another answer, or none. */
export type Scripted = { status?: number; body: unknown } | 'cut';

export interface HttpCarrier {
  readonly url: string;
  /** All of it, oldest first. */
  readonly requests: HttpRequest[];
  /** For the messages that come next, one each. */
  readonly script: Scripted[];
  /** What a person has sent, by its id. */
  readonly files: Map<string, { content_type: string; bytes: Buffer; size?: number }>;
  /** Bodies of the messages that came. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever came
  messages(): any[];
  stop(): Promise<void>;
}

export async function startHttpCarrier(): Promise<HttpCarrier> {
  const requests: HttpRequest[] = [];
  const script: Scripted[] = [];
  const files: HttpCarrier['files'] = new Map();
  const isMessage = ({ path, body }: HttpRequest) =>
    path === '/send_message' || (path.endsWith('/messages') && body?.status !== 'read');
  let taken = 0;
  let url = '';
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const bytes = Buffer.concat(pieces);
    const json = request.headers['content-type']?.startsWith('application/json');
    const got: HttpRequest = {
      method: request.method!,
      path: new URL(request.url!, 'http://carrier').pathname,
      headers: request.headers,
      bytes,
      body: json ? JSON.parse(bytes.toString()) : null,
    };
    requests.push(got);
    const next = isMessage(got) ? script.shift() : undefined;
    if (next === 'cut') return void request.socket.destroy();
    if (next) return answer(response, next.body, next.status);
    const file = files.get(got.path.split('/').at(-1)!);
    if (got.method === 'GET' && got.path.startsWith('/files/') && file)
      return void response.writeHead(200, { 'content-type': file.content_type }).end(file.bytes);
    if (got.method === 'GET' && file)
      return answer(response, {
        url: `${url}/files/${got.path.split('/').at(-1)}`,
        mime_type: file.content_type,
        file_size: file.size ?? file.bytes.length,
      });
    if (got.method === 'GET') return answer(response, { error: { code: 100, message: 'There is no such thing' } }, 400);
    if (!isMessage(got))
      return answer(response, got.path.endsWith('/media') ? { id: `upload-${requests.length}` } : { success: true });
    taken++;
    // As bare digits, beyond what a double can hold.
    if (got.path === '/send_message')
      return answer(response, `{"status":0,"message_token":${VIBER_TOKEN}${taken},"seq":${got.body.seq}}`);
    return answer(response, { messaging_product: 'whatsapp', messages: [{ id: `wamid.${taken}` }] });
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

/** The last digits count the messages. */
export const VIBER_TOKEN = '50017958715864001';

function answer(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

/** As WhatsApp calls back: statuses, messages or whatever else belongs into `value`. */
export async function tellWhatsapp(
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
  return call(world, sender, body, { 'x-hub-signature-256': `sha256=${hmac(secret, body)}` });
}

/** As Viber calls back. `body` as text, since its ids are bare digits. */
export const tellViber = (
  world: { url: string },
  sender: ChatSender,
  body: string,
  secret = 'token',
): Promise<number> => call(world, sender, body, { 'x-viber-content-signature': hmac(secret, body) });

const hmac = (secret: string, body: string): string => createHmac('sha256', secret).update(body).digest('hex');

async function call(
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
