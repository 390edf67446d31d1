import { deflateSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Kernel } from '../kernel.ts';
import { createLog } from '../log.ts';
import { loadConfig } from '../settings/config.ts';
import { createHttp } from './http.ts';

let http: FastifyInstance;
beforeAll(() => {
  const config = loadConfig({
    MODE: 'test',
    DATABASE_URL: 'postgresql://none@127.0.0.1:1/none',
    DATA_DIR: '/nowhere',
    LOG_LEVEL: 'silent',
  });
  // This server needs no database.
  http = createHttp({ config, log: createLog(config) } as Kernel);
  http.post('/echo', async (request) => request.body ?? null);
});
afterAll(() => http.close());

const TEXT = JSON.stringify({ data: { text: 'Zoë' } });

const send = (encoding: string, payload: Buffer | string, type = 'application/json; charset=utf-8') =>
  http.inject({
    ...{ method: 'POST', url: '/echo', payload },
    headers: { 'content-type': type, 'content-encoding': encoding },
  });

describe('a compressed body', () => {
  it.each([
    ['gzip', gzipSync(TEXT)],
    ['GZIP', gzipSync(TEXT)],
    ['x-gzip', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['identity', Buffer.from(TEXT)],
  ])('is decoded when its encoding is %s', async (encoding, payload) => {
    const reply = await send(encoding, payload);
    expect([reply.statusCode, reply.json()]).toEqual([200, JSON.parse(TEXT)]);
  });

  it.each([
    ['br', TEXT, 'application/json'],
    ['gzip, gzip', gzipSync(gzipSync(TEXT)), 'application/json'],
    ['gzip', gzipSync(TEXT), 'multipart/form-data; boundary=x'],
    ['gzip', gzipSync(TEXT), 'text/plain'],
  ])('is refused when its encoding is %s and its type does not allow it', async (encoding, payload, type) => {
    const reply = await send(encoding, payload, type);
    expect([reply.statusCode, reply.json().errors[0].code, reply.headers['accept-encoding']]).toEqual([
      415,
      1044,
      'gzip, deflate',
    ]);
  });

  it('is refused when it expands beyond the limit for bodies', async () => {
    const bomb = gzipSync(`{"data":"${'x'.repeat(200_000_000)}"}`);
    expect(bomb.length).toBeLessThan(1024 * 1024);
    const reply = await send('gzip', bomb);
    expect([reply.statusCode, reply.json().errors[0].code]).toEqual([413, 1008]);
  });

  it.each([
    ['cut short', gzipSync(TEXT).subarray(0, 20)],
    ['not compressed', Buffer.from(TEXT)],
  ])('is refused when it is %s', async (_, payload) => {
    const reply = await send('gzip', payload);
    expect([reply.statusCode, reply.json().errors[0].code]).toEqual([400, 1005]);
  });

  it('may be missing when the header is sent with every request', async () => {
    const reply = await http.inject({ method: 'POST', url: '/echo', headers: { 'content-encoding': 'br' } });
    expect(reply.statusCode).toBe(200);
  });
});
