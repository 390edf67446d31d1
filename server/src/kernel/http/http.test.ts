/**
 * Tests the HTTP server. During a shutdown, running requests receive their response and idle connections are closed.
 */
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { afterEach, expect, it } from 'vitest';
import type { Kernel } from '../kernel.ts';
import { createLog } from '../log.ts';
import { loadConfig } from '../settings/config.ts';
import { createHttp } from './http.ts';

/** Much less than Node's default, which keeps a connection open for more than a minute to wait for the next request. */
const SOON_MS = 15_000;

const agent = new Agent({ keepAlive: true });
afterEach(() => agent.destroy());

async function listening(prepare: (http: FastifyInstance) => void): Promise<{ http: FastifyInstance; port: number }> {
  const config = loadConfig({
    MODE: 'test',
    DATABASE_URL: 'postgresql://none@127.0.0.1:1/none',
    DATA_DIR: '/nowhere',
    LOG_LEVEL: 'silent',
  });
  // This server needs no database.
  const http = createHttp({ config, log: createLog(config) } as Kernel);
  prepare(http);
  await http.listen({ port: 0, host: '127.0.0.1' });
  return { http, port: (http.server.address() as AddressInfo).port };
}

it('a running request receives its response during a shutdown, and its connection is closed', {
  timeout: SOON_MS,
}, async () => {
  const requestStart = Promise.withResolvers<void>();
  const result = Promise.withResolvers<string>();
  const { http, port } = await listening((server) => {
    server.get('/', async () => {
      requestStart.resolve();
      return result.promise;
    });
  });
  const reply = once(get({ port, host: '127.0.0.1', agent }), 'response') as Promise<[IncomingMessage]>;
  await requestStart.promise;
  const closing = http.close();
  // Waits until the shutdown is waiting for the request.
  while (http.server.listening) await new Promise((resolve) => setTimeout(resolve, 5));
  result.resolve('as promised');
  const [response] = await reply;
  let text = '';
  for await (const part of response) text += part;
  expect([response.statusCode, text]).toEqual([200, 'as promised']);
  await closing;
});

it('a shutdown closes idle connections, including new ones', { timeout: SOON_MS }, async () => {
  const closings: Promise<unknown>[] = [];
  const open = async (http: FastifyInstance) => {
    const socket = connect((http.server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
    closings.push(once(socket, 'close'));
    await once(http.server, 'connection');
  };
  // Shutdown hooks run in the order they were registered, so this one runs after the server's own hooks.
  const { http } = await listening((server) => server.addHook('preClose', () => open(server)));
  await open(http);
  await http.close();
  expect(closings).toHaveLength(2);
  await Promise.all(closings);
});

it('a content type without a body is accepted', async () => {
  const { http } = await listening((server) => {
    server.delete('/thing', (request, reply) => reply.code(request.body === undefined ? 204 : 500).send());
    server.post('/thing', async (request) => request.body);
  });
  const headers = { 'content-type': 'application/json' };
  expect((await http.inject({ method: 'DELETE', url: '/thing', headers })).statusCode).toBe(204);
  const post = (payload: string) => http.inject({ method: 'POST', url: '/thing', headers, payload });
  expect((await post('{"data":{"a":1}}')).json()).toEqual({ data: { a: 1 } });
  expect((await post('{"data":')).json()).toMatchObject({ errors: [{ code: 1005 }] });
  expect((await post('{"__proto__":{"a":1}}')).json()).toMatchObject({ errors: [{ code: 1005 }] });
  await http.close();
});

const wire = async (port: number, bytes: string | Buffer): Promise<string> => {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(bytes);
  let text = '';
  for await (const part of socket) text += part;
  return text;
};

it('an unreadable request is refused with a standard error', async () => {
  const { http, port } = await listening((server) => server.get('/things/:id', async (request) => request.params));
  const form = (code: number) => ({ errors: [expect.objectContaining({ code, message: expect.any(String) })] });
  expect((await http.inject('/things/%zz')).json()).toMatchObject(form(1005));
  expect((await http.inject(`/things/${'7'.repeat(400)}`)).json()).toEqual({ id: '7'.repeat(400) });
  const bad = await wire(port, Buffer.from('GET /things/\u00e9 HTTP/1.1\r\nhost: here\r\n\r\n', 'latin1'));
  expect(bad).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(bad.split('\r\n\r\n')[1]!)).toMatchObject(form(1005));
  expect(bad).toMatch(/^content-security-policy: default-src 'none';.*\r$/m);
  expect(bad).toMatch(/^x-content-type-options: nosniff\r$/m);
  expect(await wire(port, 'TRACE /things/7 HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n')).toMatch(
    /^HTTP\/1\.1 404 /,
  );
  const large = await wire(port, `GET /things/7 HTTP/1.1\r\nhost: here\r\ncookie: ${'a'.repeat(20_000)}\r\n\r\n`);
  expect(large).toMatch(/^HTTP\/1\.1 413 /);
  expect(JSON.parse(large.split('\r\n\r\n')[1]!)).toMatchObject(form(1008));
  const long = await wire(port, `GET /things/${'7'.repeat(20_000)} HTTP/1.1\r\nhost: here\r\n\r\n`);
  expect(long).toMatch(/^HTTP\/1\.1 414 /);
  expect(JSON.parse(long.split('\r\n\r\n')[1]!)).toMatchObject(form(2568));
  await http.close();
});

it('a body is refused when it is not JSON or contains a prototype', async () => {
  const { http } = await listening((server) => server.post('/things', async () => ({})));
  const post = async (type: string, payload: string) =>
    (await http.inject({ method: 'POST', url: '/things', headers: { 'content-type': type }, payload })).statusCode;
  expect(await post('application/json', '{"data":{"name":"x"}}')).toBe(200);
  expect(await post('application/json', '{"data":{"__proto__":{"name":"x"}}}')).toBe(400);
  expect(await post('application/json', '{"data":{"constructor":{"prototype":{}}}}')).toBe(400);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'text/html'])
    expect(await post(type, '{"data":{}}')).toBe(415);
  await http.close();
});
