import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type LookupFunction } from 'node:net';
import type { HttpExchange } from '@parley/contract/connections/connection_tests.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Bind, Outgoing } from './channel.ts';
import { type HttpBindOptions, NotSent, openHttpBind } from './http_bind.ts';
import { CallFailed, callHttp, type HttpCall, openHttp } from './http_call.ts';
import { listSecretTexts } from './http_exchange.ts';

let server: Server | null = null;
let bind: Bind | null = null;
let origin = '';
afterEach(async () => {
  vi.useRealTimers();
  await bind?.close(0);
  bind = null;
  server?.closeAllConnections();
  await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  server = null;
});

async function serve(respond: (request: IncomingMessage, response: ServerResponse) => void): Promise<void> {
  server = createServer(respond);
  await new Promise<void>((resolve) => server!.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const call = (message: Outgoing): HttpCall => ({
  url: `${origin}/send`,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ to: message.to }),
});
let changes = 0;
function open(options: Partial<HttpBindOptions> = {}): Bind {
  changes = 0;
  bind = openHttpBind(
    {
      window: 4,
      throughput: null,
      timeout_ms: 2_000,
      request: call,
      read: (status, body) =>
        status === 200
          ? { parts: 1, accepted: [{ part: 1, external_id: body }], failure: null, detail: {} }
          : {
              parts: 1,
              accepted: [],
              failure: { kind: status === 429 ? 'throttled' : 'rejected', code: String(status), text: body },
              detail: {},
            },
      ...options,
    },
    { report: async () => {}, incoming: async () => {}, changed: () => void changes++ },
  );
  return bind;
}
const message = (to = '447400000001'): Outgoing => ({
  from: 'us',
  to,
  text: 'Hi',
  content: null,
  reference: 1,
  key: 'k1',
  valid_seconds: 60,
  sent_parts: [],
});
const eventually = async (condition: string, check: () => boolean) => {
  for (const end = Date.now() + 10_000; !check(); ) {
    if (Date.now() > end) throw new Error(`timed out waiting until ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
};

test('a message is sent, its response is read, and the connection is reused', async () => {
  const sockets = new Set<unknown>();
  const bodies: string[] = [];
  await serve((request, response) => {
    sockets.add(request.socket);
    request.on('data', (piece) => bodies.push(String(piece)));
    request.on('end', () => response.end('id-1'));
  });
  open();
  expect([bind!.state, bind!.free, bind!.window, bind!.session !== null]).toEqual(['bound', 4, 4, true]);
  const outcome = await bind!.send(message());
  expect(outcome).toMatchObject({ parts: 1, accepted: [{ part: 1, external_id: 'id-1' }], failure: null });
  expect(outcome.detail).toMatchObject({ http: 200 });
  await bind!.send(message('447400000002'));
  expect(bodies).toEqual(['{"to":"447400000001"}', '{"to":"447400000002"}']);
  expect(sockets.size).toBe(1);
  expect(changes).toBe(2);
});

test('the bind limits the messages in flight to its window', async () => {
  const waiting: ServerResponse[] = [];
  await serve((_, response) => void waiting.push(response));
  open();
  const outcomes = ['1', '2', '3', '4'].map((to) => bind!.send(message(to)));
  expect([bind!.in_flight, bind!.free]).toEqual([4, 0]);
  await eventually('all four requests have arrived', () => waiting.length === 4);
  waiting[0]!.end('a');
  await outcomes[0];
  await eventually('the bind has room for one message', () => bind!.free === 1);
  for (const response of waiting.slice(1)) response.end('b');
  expect((await Promise.all(outcomes)).every(({ failure }) => failure === null)).toBe(true);
});

test('the bind keeps its throughput in bursts of up to a tenth of a second', async () => {
  await serve((_, response) => void response.end('ok'));
  open({ throughput: 20, window: 50 });
  expect([bind!.burst, bind!.free]).toEqual([2, 2]);
  await Promise.all([bind!.send(message()), bind!.send(message())]);
  await eventually('the bind has room again', () => bind!.free >= 1);
  await eventually('the burst is the limit', () => bind!.free === 2);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(bind!.free).toBe(2);
});

test('a message is not sent when the carrier is unreachable, and the bind waits before its next try', async () => {
  await serve((_, response) => void response.end('ok'));
  const previous_origin = origin;
  origin = 'http://127.0.0.1:9';
  open();
  expect((await bind!.send(message())).failure).toMatchObject({ kind: 'connection' });
  expect([bind!.state, bind!.free, bind!.session]).toEqual(['waiting', 0, null]);
  expect(bind!.detail).toContain('ECONNREFUSED');
  origin = previous_origin;
  await eventually('the bind tries again', () => bind!.state === 'bound');
  expect([bind!.free, bind!.session !== null]).toEqual([1, true]);
  expect((await bind!.send(message())).failure).toBeNull();
  await eventually('the whole window is free again', () => bind!.free === 4);
  expect(bind!.detail).toBe('');
});

test('the outcome of a message is unknown when its request is cut off or times out', async () => {
  await serve((request, response) => {
    if (request.url === '/cut') request.socket.destroy();
    if (request.url === '/half') response.write('half', () => request.socket.destroy());
  });
  const at =
    (path: string): HttpBindOptions['request'] =>
    (outgoing) => ({ ...call(outgoing), url: `${origin}${path}` });
  for (const path of ['/cut', '/half', '/silent']) {
    open({ request: at(path), timeout_ms: 300 });
    expect((await bind!.send(message())).failure, path).toMatchObject({ kind: 'unknown' });
    expect(bind!.state, path).toBe('bound');
    await bind!.close(0);
  }
});

test('the bind pauses when the carrier throttles, but not when it refuses a single message', async () => {
  let status = 429;
  await serve((_, response) => void response.writeHead(status).end('slow down'));
  open();
  expect((await bind!.send(message())).failure).toMatchObject({ kind: 'throttled', text: 'slow down' });
  expect([bind!.state, bind!.free, bind!.session !== null]).toEqual(['throttled', 0, true]);
  status = 400;
  await eventually('the bind tries again', () => bind!.free === 1);
  expect((await bind!.send(message())).failure).toMatchObject({ kind: 'rejected', code: '400' });
  await eventually('the whole window is free again', () => bind!.free === 4);
});

test('the bind does not pause when one recipient is throttled, but waits after three failed messages', async () => {
  let status = 429;
  await serve((_, response) => void response.writeHead(status).end('later'));
  open({
    read: (code, text) => ({
      parts: 1,
      accepted: [],
      failure: { kind: code === 429 ? 'throttled' : 'connection', code: '', text, limited: code === 500 },
      detail: {},
      narrow: code === 429,
    }),
  });
  const outcome = await bind!.send(message());
  expect(outcome.failure).toMatchObject({ kind: 'throttled' });
  expect(outcome).not.toHaveProperty('narrow');
  expect([bind!.state, bind!.free]).toEqual(['bound', 4]);
  status = 500;
  for (const state of ['bound', 'bound', 'waiting']) {
    await bind!.send(message());
    expect(bind!.state).toBe(state);
  }
});

test('the bind does not pause when files cannot be fetched', async () => {
  await serve((_, response) => void response.end('ok'));
  open({
    request: () => {
      throw Object.assign(new Error('file not found'), { code: 'ENOENT' });
    },
  });
  for (let n = 0; n < 5; n++) {
    expect((await bind!.send(message())).failure).toMatchObject({ kind: 'connection', limited: true });
    expect([bind!.state, bind!.free]).toEqual(['bound', 4]);
  }
});

test('the bind tries one message at a time after three messages without a response', async () => {
  let isUnreachable = true;
  await serve((request, response) => void (isUnreachable ? request.socket.destroy() : response.end('ok')));
  open();
  for (const state of ['bound', 'bound', 'waiting']) {
    expect((await bind!.send(message())).failure?.kind).toBe('unknown');
    expect(bind!.state).toBe(state);
  }
  await eventually('the bind tries again', () => bind!.free === 1);
  expect((await bind!.send(message())).failure?.kind).toBe('unknown');
  expect(bind!.state).toBe('waiting');
  isUnreachable = false;
  await eventually('the bind tries once more', () => bind!.free === 1);
  expect((await bind!.send(message())).failure).toBeNull();
  expect([bind!.state, bind!.free]).toEqual(['bound', 4]);
});

test('a message is not sent when its request cannot be built', async () => {
  await serve((_, response) => void response.end('ok'));
  const failing = async (error: () => unknown) => {
    open({
      request: () => {
        throw error();
      },
    });
    const { failure } = await bind!.send(message());
    await bind!.close(0);
    return failure;
  };
  const failure = { kind: 'config', code: '7', text: 'No such file' } as const;
  expect(await failing(() => new NotSent(failure))).toEqual(failure);
  expect(await failing(() => new TypeError('unexpected type'))).toMatchObject({
    kind: 'invalid',
    text: 'unexpected type',
  });
  expect(await failing(() => Object.assign(new Error('file not found'), { code: 'ENOENT' }))).toMatchObject({
    kind: 'connection',
    limited: true,
  });
  expect(await failing(() => new CallFailed(true, 'cut'))).toMatchObject({ kind: 'connection', limited: true });
  expect(await failing(() => new CallFailed(false, 'refused'))).toEqual({
    kind: 'connection',
    code: '',
    text: 'refused',
  });
  open({
    read: () => {
      throw new SyntaxError('invalid JSON');
    },
  });
  expect((await bind!.send(message())).failure).toMatchObject({ kind: 'unknown' });
});

test('closing the bind waits a limited time for outstanding responses', async () => {
  const waiting: ServerResponse[] = [];
  await serve((_, response) => void waiting.push(response));
  open();
  const [first, second] = [bind!.send(message()), bind!.send(message())];
  await eventually('both requests have arrived', () => waiting.length === 2);
  const closing = bind!.close(200);
  expect([bind!.state, bind!.free]).toEqual(['stopped', 0]);
  waiting[0]!.end('taken');
  expect((await first).failure).toBeNull();
  expect((await second).failure).toMatchObject({ kind: 'unknown' });
  await closing;
});

test('a response can be streamed, and the call fails when the response is too long', async () => {
  await serve((_, response) => void response.end('x'.repeat(1_000)));
  const get = { method: 'GET', url: `${origin}/file` } as const;
  const { status, stream } = await openHttp(get, { timeout_ms: 2_000 });
  const pieces: Buffer[] = [];
  for await (const piece of stream) pieces.push(piece as Buffer);
  expect([status, Buffer.concat(pieces).length]).toEqual([200, 1_000]);
  await expect(callHttp(get, { timeout_ms: 2_000, max_bytes: 10 })).rejects.toMatchObject({ sent: true });
  await expect(callHttp({ url: 'nonsense' }, { timeout_ms: 2_000 })).rejects.toMatchObject({ sent: false });
});

test('a call is reported as possibly sent when the server does not speak HTTP', async () => {
  const { createServer: createSocketServer } = await import('node:net');
  const sockets = createSocketServer((socket) => void socket.once('data', () => socket.end('what?\r\n')));
  await new Promise<void>((resolve) => sockets.listen(0, '127.0.0.1', resolve));
  const { port } = sockets.address() as AddressInfo;
  connect(port, '127.0.0.1').destroy();
  await expect(callHttp({ url: `http://127.0.0.1:${port}/`, body: 'x' }, { timeout_ms: 2_000 })).rejects.toMatchObject({
    sent: true,
  });
  await new Promise((resolve) => sockets.close(resolve));
});

test('a fault that may affect only one sender pauses the connection when no message succeeds in between', async () => {
  let isPaid = false;
  await serve((_, response) => response.end());
  const bind = open({
    read: () => ({
      parts: 1,
      accepted: [],
      failure: isPaid ? null : { kind: 'connection', code: '13', text: 'Not permitted', pauses: true },
      detail: {},
      narrow: true,
    }),
  });
  const pauses = async () => (await bind.send(message())).failure?.pauses;
  expect([await pauses(), await pauses()]).toEqual([false, false]);
  isPaid = true;
  await pauses();
  isPaid = false;
  expect([await pauses(), await pauses(), await pauses()]).toEqual([false, false, true]);
  expect(bind.state).toBe('bound');
});

describe('a refusal with Retry-After', () => {
  const SECONDS = { date: 'Sun, 06 Nov 2033 08:49:37 GMT' };
  test.each([
    ['the seconds', '120', 120_000],
    ['at most five minutes', '86400', 300_000],
    ['at most five minutes until a date', SECONDS.date, 300_000],
  ])('pauses the bind for %s', async (_, value, ms) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await serve((_request, response) => response.writeHead(429, { 'retry-after': value }).end('slow down'));
    const sender = open();
    const { failure } = await sender.send(message());
    expect(failure).toMatchObject({ kind: 'throttled' });
    expect([sender.state, sender.free]).toEqual(['throttled', 0]);
    vi.advanceTimersByTime(ms - 1);
    expect(sender.state).toBe('throttled');
    vi.advanceTimersByTime(1);
    // One message tries whether the carrier accepts messages again.
    expect([sender.state, sender.free]).toEqual(['bound', 1]);
  });
});

describe('an observed message', () => {
  const observe = () => {
    const recorded: HttpExchange[] = [];
    const pin = vi.fn(async (): Promise<LookupFunction> => (_host, _options, done) => done(null, '127.0.0.1', 4));
    return { recorded, pin, record: (exchange: HttpExchange) => void recorded.push(exchange) };
  };
  const secrets = listSecretTexts({ account: 'acme', token: 'pass word+1', port: 80 }, ['token']);
  const request = ({ to }: Outgoing): HttpCall => ({
    url: `${origin}/send?key=${encodeURIComponent('pass word+1')}`,
    headers: {
      ...{ 'content-type': 'application/json', 'x-key': 'pass word+1' },
      authorization: `Basic ${Buffer.from('acme:pass word+1').toString('base64')}`,
    },
    body: JSON.stringify({ to, token: 'pass word+1', acc: Buffer.from('acme:pass word+1').toString('base64') }),
  });

  test('is recorded with masked secrets, and its response is bounded', async () => {
    const body = `pass word+1 ${'x'.repeat(20_000)}\0`;
    await serve((_request, response) =>
      response.writeHead(200, { 'x-request-id': 'r1', 'set-cookie': 'session=1' }).end(body),
    );
    const observer = observe();
    const outcome = await open({ secrets, request }).send({ ...message(), observer });
    expect(outcome.accepted).toHaveLength(1);
    const [exchange] = observer.recorded;
    expect(exchange).toMatchObject({
      request: { method: 'POST', url: `${origin}/send?key=••••` },
      response: { status: 200, is_cut: true },
    });
    expect(exchange!.response!.body).toHaveLength(8_000);
    expect(exchange!.request.headers).toContainEqual({ name: 'authorization', value: 'Basic ••••' });
    expect(exchange!.request.headers).toContainEqual({ name: 'x-key', value: '••••' });
    expect(exchange!.response!.headers).toContainEqual({ name: 'x-request-id', value: 'r1' });
    const shown = JSON.stringify(exchange);
    for (const hidden of [
      'pass word',
      'pass%20word',
      Buffer.from('acme:pass').toString('base64').slice(0, 8),
      'session',
    ])
      expect(shown).not.toContain(hidden);
  });

  test('reaches only permitted addresses, and its refusal does not pause the bind', async () => {
    const called = vi.fn();
    await serve((_request, response) => {
      called();
      response.end('m1');
    });
    const observer = observe();
    observer.pin.mockRejectedValue(new Error('The URL points to a private network'));
    const sender = open({ secrets });
    const { failure } = await sender.send({ ...message(), observer });
    expect(failure).toMatchObject({ kind: 'config', text: 'Not sent: The URL points to a private network' });
    expect([called.mock.calls.length, sender.state, observer.recorded.length]).toEqual([0, 'bound', 0]);
    expect((await sender.send(message())).accepted).toHaveLength(1);
  });

  test('is recorded without a response when none arrives', async () => {
    await serve((_request, response) => response.destroy());
    const observer = observe();
    const { failure } = await open({ secrets, request }).send({ ...message(), observer });
    expect(failure?.kind).toBe('unknown');
    expect(observer.recorded).toMatchObject([{ response: null }]);
  });
});
