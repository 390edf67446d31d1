/** Clients that hold connections open. No test measures a time: each waits until the server ends the connection. */
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Kernel } from '../kernel.ts';
import { createLog } from '../log.ts';
import { loadConfig } from '../settings/config.ts';
import { createHttp } from './http.ts';

let http: FastifyInstance;
let running: PromiseWithResolvers<string>;

async function start(settings: Record<string, string>): Promise<void> {
  const config = loadConfig({
    MODE: 'test',
    DATABASE_URL: 'postgresql://none@127.0.0.1:1/none',
    DATA_DIR: '/nowhere',
    LOG_LEVEL: 'silent',
    SLOW_BODY_SECONDS: '1',
    CONNECTIONS_PER_ADDRESS: '3',
    ...settings,
  });
  http = createHttp({ config, log: createLog(config) } as Kernel);
  http.post('/', async (request) => request.body);
  http.get('/wait', async () => running.promise);
  await http.listen({ port: 0, host: '127.0.0.1' });
}
beforeEach(() => {
  running = Promise.withResolvers();
});
afterEach(async () => {
  running.resolve('done');
  await http.close();
});

async function send(text: string): Promise<{ socket: Socket; response: Promise<string> }> {
  const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  let received = '';
  socket.on('data', (data) => {
    received += data;
  });
  const response = new Promise<string>((resolve) => socket.once('close', () => resolve(received)));
  await once(socket, 'connect');
  socket.write(text);
  return { socket, response };
}
const head = (more: string) => `POST / HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\n${more}\r\n`;

describe('a connection', () => {
  test.each([
    ['never arrives', head('content-length: 100\r\n')],
    ['stops in the middle', `${head('content-length: 100\r\n')}{"data":`],
    ['has no length and stops', `${head('transfer-encoding: chunked\r\n')}2\r\n{"\r\n`],
  ])('ends with 408 when its body %s', async (_, text) => {
    await start({});
    const { response } = await send(text);
    expect(await response).toMatch(/^HTTP\/1.1 408 [\s\S]*"code":1041/);
  });

  test('ends with 408 when its body arrives one byte at a time', async () => {
    await start({});
    const { socket, response } = await send(head('content-length: 100000\r\n'));
    const drip = setInterval(() => socket.writable && socket.write(' '), 50);
    expect(await response).toMatch(/^HTTP\/1.1 408 /);
    clearInterval(drip);
  });

  test('ends when the rest of a refused body arrives too slowly', async () => {
    await start({});
    const { response } = await send(`POST /nowhere HTTP/1.1\r\nhost: a\r\ncontent-length: 100000\r\n\r\n{`);
    expect(await response).toMatch(/^HTTP\/1.1 4/);
  });

  test('is refused when its address already has as many as allowed', async () => {
    await start({});
    const waiting = await Promise.all(Array.from({ length: 3 }, () => send('GET /wait HTTP/1.1\r\nhost: a\r\n')));
    expect(await (await send('GET /wait HTTP/1.1\r\nhost: a\r\n\r\n')).response).toBe('');
    waiting[0]!.socket.destroy();
    await waiting[0]!.response;
    running.resolve('done');
    const next = await send('POST / HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
    expect(await next.response).toMatch(/^HTTP\/1.1 200/);
    for (const { socket } of waiting) socket.destroy();
  });

  test('behind a trusted proxy counts toward the address of its client', async () => {
    await start({ TRUST_PROXY: '127.0.0.1' });
    const request = (client: string) =>
      send(`GET /wait HTTP/1.1\r\nhost: a\r\nconnection: close\r\nx-forwarded-for: ${client}\r\n\r\n`);
    const waiting = await Promise.all(Array.from({ length: 3 }, () => request('203.0.113.5')));
    while ((await connections()) < 3) await new Promise(setImmediate);
    expect(await (await request('203.0.113.5')).response).toMatch(/^HTTP\/1.1 429 [\s\S]*"code":1042/);
    const other = await request('203.0.113.6');
    running.resolve('done');
    expect(await other.response).toMatch(/^HTTP\/1.1 200/);
    for (const { response } of waiting) expect(await response).toMatch(/^HTTP\/1.1 200/);
  });
});

const connections = () =>
  new Promise<number>((resolve, reject) =>
    http.server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );

test('requests from inside the process have no connection to watch', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await start({ CONNECTIONS_PER_ADDRESS: '1' });
    for (let call = 0; call < 3; call++)
      expect((await http.inject({ method: 'POST', url: '/', payload: { call } })).json()).toEqual({ call });
    expect(() => vi.advanceTimersByTime(60_000)).not.toThrow();
  } finally {
    vi.useRealTimers();
  }
});
