import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOutbound, type Lookup, OutboundError } from './outbound.ts';
import { isPublic } from './public_address.ts';

// A server on loopback stands in for every address that must not be reached. `reached` shows whether it was.
let server: Server;
let port: number;
let requests: string[] = [];
let respond: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    respond(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const names =
  (all: Record<string, string | string[]>): Lookup =>
  async (host) => {
    const address = all[host];
    if (!address) throw new Error('ENOTFOUND');
    return [address].flat().map((text) => ({ address: text, family: text.includes(':') ? 6 : 4 }));
  };
const strictOutbound = (lookup: Lookup = names({})) =>
  createOutbound({ OUTBOUND_ALLOW_CIDRS: [], OUTBOUND_PORTS: [80, 443, port] }, lookup);
const open = (lookup: Lookup = names({}), ports: number[] = []) =>
  createOutbound({ OUTBOUND_ALLOW_CIDRS: ['127.0.0.0/8'], OUTBOUND_PORTS: ports }, lookup);

async function reason(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    if (error instanceof OutboundError) return error.reason;
    throw error;
  }
  return 'sent';
}

test('a private address is refused in every notation', async () => {
  requests = [];
  respond = (_, response) => response.end('secret');
  const hosts = [
    ...[
      '127.0.0.1',
      '127.1',
      '2130706433',
      '0x7f000001',
      '017700000001',
      '0x7f.1',
      '127.0.0.1.',
      '0',
      '0.0.0.0',
      '①②⑦.⓪.⓪.①',
    ],
    ...[
      '[::1]',
      '[::]',
      '[::ffff:127.0.0.1]',
      '[::ffff:7f00:1]',
      '[::127.0.0.1]',
      '[64:ff9b::7f00:1]',
      '[64:ff9b:1::7f00:1]',
    ],
    ...[
      '10.0.0.1',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '169.254.169.254',
      '100.64.0.1',
      '198.18.0.1',
      '224.0.0.1',
    ],
    ...[
      '255.255.255.255',
      '192.0.2.1',
      '203.0.113.9',
      '[fe80::1]',
      '[fc00::1]',
      '[fd00:ec2::254]',
      '[ff02::1]',
      '[2001:db8::1]',
    ],
    ...['[2002:7f00:1::]', '[2001::1]', '[3fff::1]', '[4000::1]'],
  ];
  for (const host of hosts)
    expect(await reason(strictOutbound().fetch(`http://${host}:${port}/`)), host).toBe('address');
  const byName = strictOutbound(
    names({
      localhost: ['127.0.0.1', '::1'],
      'localhost.': '127.0.0.1',
      inside: '10.0.0.1',
      mixed: ['93.184.216.34', '10.0.0.1'],
    }),
  );
  for (const host of ['localhost', 'LOCALHOST', 'localhost.', 'inside', 'mixed'])
    expect(await reason(byName.fetch(`http://${host}:${port}/`)), host).toBe('address');
  expect(requests).toEqual([]);
});

test('public addresses are recognized', () => {
  for (const address of [
    '93.184.216.34',
    '1.1.1.1',
    '172.15.255.255',
    '172.32.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ])
    expect(isPublic(address), address).toBe(true);
  for (const nonsense of ['', 'localhost', '1.2.3', '::ffff:1.2.3.4']) expect(isPublic(nonsense), nonsense).toBe(false);
});

test('only HTTP URLs with an allowed port, a known name, and no credentials are accepted', async () => {
  for (const [url, expected] of [
    ['ftp://93.184.216.34/', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['javascript:alert(1)', 'scheme'],
    ['not an address', 'scheme'],
    ['http://user:pw@93.184.216.34/', 'credentials'],
    ['http://93.184.216.34:22/', 'port'],
    ['http://[2606:4700:4700::1111]:6379/', 'port'],
    ['http://nowhere.example/', 'name'],
  ] as const)
    expect(await reason(strictOutbound().check(url)), url).toBe(expected);
  await strictOutbound(names({ 'example.com': '93.184.216.34' })).check('https://example.com/hook');
});

test('the connection uses the checked address when the name resolves to a different one later', async () => {
  requests = [];
  respond = (_, response) => response.end('ok');
  // The name is looked up only once. The first result is an allowed address, and later results are refused ones.
  const resolved = ['127.0.0.1', '10.0.0.1', '10.0.0.1'];
  let lookups = 0;
  const rebinding: Lookup = async () => [{ address: resolved[lookups++]!, family: 4 }];
  const response = await open(rebinding, [port]).fetch(`http://rebind.example:${port}/once`);
  expect(response.body.toString()).toBe('ok');
  expect(lookups).toBe(1);
  expect(requests).toEqual(['GET /once']);
  expect(await reason(open(rebinding, [port]).fetch(`http://rebind.example:${port}/twice`))).toBe('address');
  expect(requests).toEqual(['GET /once']);
});

test('a redirect is returned or, on request, followed with the same checks', async () => {
  requests = [];
  const allowed = open(
    names({ 'first.example': '127.0.0.1', 'second.example': '127.0.0.2', 'inside.example': '10.0.0.1' }),
  );
  const headers: Record<string, string | undefined> = {};
  respond = (request, response) => {
    headers[request.url!] = request.headers.authorization;
    const to = {
      '/a': '/b',
      '/b': `http://127.0.0.1:${port}/c`,
      '/in': 'http://10.0.0.1/',
      '/named': 'http://inside.example/',
      '/loop': '/loop',
    }[request.url!];
    if (to) response.writeHead(302, { location: to }).end();
    else response.end(`${request.method}`);
  };
  const base = `http://first.example:${port}`;
  expect((await allowed.fetch(`${base}/a`)).status).toBe(302);
  const followed = await allowed.fetch(`${base}/a`, {
    method: 'POST',
    body: 'x',
    redirects: 3,
    headers: { Authorization: 'Bearer t' },
  });
  expect(followed).toMatchObject({ status: 200, url: `http://127.0.0.1:${port}/c`, truncated: false });
  expect(followed.body.toString()).toBe('GET');
  expect(headers).toEqual({ '/a': 'Bearer t', '/b': 'Bearer t', '/c': undefined });
  expect(await reason(allowed.fetch(`${base}/in`, { redirects: 3 }))).toBe('address');
  expect(await reason(allowed.fetch(`${base}/named`, { redirects: 3 }))).toBe('address');
  expect(await reason(allowed.fetch(`${base}/loop`, { redirects: 3 }))).toBe('redirect');
});

test('a slow response times out, a long one is truncated, and a failed connection is an error', async () => {
  respond = (request, response) => {
    if (request.url === '/long') response.end('x'.repeat(200_000));
    else if (request.url === '/drip') response.write('x');
  };
  const allowed = open();
  const long = await allowed.fetch(`http://127.0.0.1:${port}/long`);
  expect([long.body.length, long.truncated]).toEqual([65_536, true]);
  expect(await reason(allowed.fetch(`http://127.0.0.1:${port}/never`, { timeout_ms: 100 }))).toBe('timeout');
  expect(await reason(allowed.fetch(`http://127.0.0.1:${port}/drip`, { timeout_ms: 100 }))).toBe('timeout');
  const slowNames: Lookup = () => new Promise(() => {});
  expect(await reason(open(slowNames).fetch('http://slow.example/', { timeout_ms: 100 }))).toBe('timeout');
  expect(await reason(allowed.fetch('http://127.0.0.1:1/'))).toBe('network');
});

test('allowed networks can be reached on any port, and other private networks cannot be reached', async () => {
  requests = [];
  respond = (_, response) => response.end('ok');
  expect((await open().fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
  expect(await reason(open().fetch(`http://[::ffff:127.0.0.1]:${port}/`))).toBe('address');
  expect(await reason(open().fetch('http://192.168.0.1/'))).toBe('address');
  expect(requests).toEqual(['GET /']);
});

test.each([
  ...['169.254.169.254', '169.254.170.2', '168.63.129.16', '100.100.100.200', '192.0.0.192', '192.80.8.124'],
  ...['161.26.0.10', '166.8.0.1', 'fd00:ec2::254', 'fd20:ce::254', 'fe80::a9fe:a9fe', '::ffff:168.63.129.16'],
])('the cloud metadata address %s is refused', (address) => {
  expect(isPublic(address)).toBe(false);
});

test('a kept connection is used again, and a request over one that the server has closed is sent again', async () => {
  requests = [];
  const sockets = new Set<unknown>();
  let isClosing = false;
  respond = (request, response) => {
    sockets.add(request.socket);
    if (isClosing) {
      isClosing = false;
      request.socket.destroy();
    } else response.end('ok');
  };
  const outbound = open(names({ 'hook.example': '127.0.0.1' }));
  const url = `http://hook.example:${port}/kept`;
  const post = () => outbound.fetch(url, { method: 'POST', body: '{}', keep_alive: true });
  for (let count = 0; count < 3; count++) expect((await post()).status).toBe(200);
  expect(sockets.size).toBe(1);
  isClosing = true;
  expect((await post()).status).toBe(200);
  expect(requests.length).toBe(5);
  expect(sockets.size).toBe(2);
});

test('a kept connection does not bypass the check of the address', async () => {
  respond = (_, response) => response.end('ok');
  let address = '127.0.0.1';
  const outbound = open(async () => [{ address, family: 4 }]);
  const post = () => outbound.fetch(`http://moving.example:${port}/`, { method: 'POST', body: '', keep_alive: true });
  expect((await post()).status).toBe(200);
  requests = [];
  address = '10.0.0.1';
  expect(await reason(post())).toBe('address');
  expect(requests).toEqual([]);
});
