import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '../../kernel/http/outbound.ts';
import { createRangeReader } from './link_range.ts';

const FILE = Buffer.from('0123456789abcdef');
let server: Server;
let link: string;
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  link = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const open = { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'], OUTBOUND_PORTS: [] };
const stretch = (from: number, bytes: number, place = link) =>
  createRangeReader(createOutbound(open).fetch, place)(from, bytes);
const all: typeof answer = (_, response) => void response.writeHead(200, { 'content-length': FILE.length }).end(FILE);

test('some octets, and how many there are', async () => {
  answer = (request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!.map(Number) as [number, number, number];
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${FILE.length}` }).end(FILE.subarray(from, to + 1));
  };
  expect(await stretch(10, 4)).toEqual({ octets: Buffer.from('abcd'), total: 16 });
});

test('who does not know of stretches sends all of it: its beginning is of use, no more', async () => {
  answer = all;
  expect(await stretch(0, 4)).toEqual({ octets: Buffer.from('0123'), total: 16 });
  expect(await stretch(4, 4)).toBeNull();
  answer = (_, response) => void response.writeHead(200).end(FILE);
  expect(await stretch(0, 4)).toBeNull();
  answer = (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-3/*' }).end('0123');
  expect(await stretch(0, 4)).toBeNull();
});

test('what may pass has a code, so that it is tried again; what will not has none', async () => {
  for (const status of [429, 500, 503]) {
    answer = (_, response) => void response.writeHead(status).end();
    await expect(stretch(0, 4)).rejects.toMatchObject({ code: 'ELINK' });
  }
  await expect(stretch(0, 4, 'http://127.0.0.1:1/a.mp4')).rejects.toMatchObject({ code: 'ELINK' });
  answer = (_, response) => void response.writeHead(404).end();
  const gone = await stretch(0, 4).catch((error: unknown) => error);
  expect(gone).toMatchObject({ message: 'The link to the file answers 404' });
  expect(gone).not.toHaveProperty('code');
  answer = all;
  const inside = createRangeReader(createOutbound({ OUTBOUND_ALLOW_CIDRS: [], OUTBOUND_PORTS: [] }).fetch, link)(0, 4);
  await expect(inside).rejects.toMatchObject({ reason: 'address' });
});
