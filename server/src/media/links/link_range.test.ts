import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound } from '../../kernel/http/outbound.ts';
import { createRangeReader } from './link_range.ts';

const FILE = Buffer.from('0123456789abcdef');
let server: Server;
let link: string;
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => respond(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  link = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.mp4`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const open = { OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'], OUTBOUND_PORTS: [] };
const readBytes = (from: number, bytes: number, place = link) =>
  createRangeReader(createOutbound(open).fetch, place)(from, bytes);
const all: typeof respond = (_, response) => void response.writeHead(200, { 'content-length': FILE.length }).end(FILE);

test('the reader returns the requested bytes and the total size', async () => {
  respond = (request, response) => {
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range!)!.map(Number) as [number, number, number];
    response.writeHead(206, { 'content-range': `bytes ${from}-${to}/${FILE.length}` }).end(FILE.subarray(from, to + 1));
  };
  expect(await readBytes(10, 4)).toEqual({ octets: Buffer.from('abcd'), total: 16 });
});

test('the reader returns only the first bytes when the server ignores ranges', async () => {
  respond = all;
  expect(await readBytes(0, 4)).toEqual({ octets: Buffer.from('0123'), total: 16 });
  expect(await readBytes(4, 4)).toBeNull();
  respond = (_, response) => void response.writeHead(200).end(FILE);
  expect(await readBytes(0, 4)).toBeNull();
  respond = (_, response) => void response.writeHead(206, { 'content-range': 'bytes 0-3/*' }).end('0123');
  expect(await readBytes(0, 4)).toBeNull();
});

test('a temporary error has a code that allows a retry, and a permanent error does not', async () => {
  for (const status of [429, 500, 503]) {
    respond = (_, response) => void response.writeHead(status).end();
    await expect(readBytes(0, 4)).rejects.toMatchObject({ code: 'ELINK' });
  }
  await expect(readBytes(0, 4, 'http://127.0.0.1:1/a.mp4')).rejects.toMatchObject({ code: 'ELINK' });
  respond = (_, response) => void response.writeHead(404).end();
  const failure = await readBytes(0, 4).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'The link to the file returned status 404' });
  expect(failure).not.toHaveProperty('code');
  respond = all;
  const privateRange = createRangeReader(createOutbound({ OUTBOUND_ALLOW_CIDRS: [], OUTBOUND_PORTS: [] }).fetch, link)(
    0,
    4,
  );
  await expect(privateRange).rejects.toMatchObject({ reason: 'address' });
});
