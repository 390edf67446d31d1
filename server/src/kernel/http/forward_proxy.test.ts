/** Tests that requests use the forward proxy, and that it gives no access to private networks. */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer, request as requestHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { callHttp, keepConnections } from '../../channels/http_call.ts';
import { CERTIFICATE, CERTIFICATE_KEY } from '../../test/peers/certificate.ts';
import { startForwardProxy, type TestProxy } from '../../test/peers/forward_proxy.ts';
import { loadConfig } from '../settings/config.ts';
import { fetchThroughProxy, proxyAgents, useForwardProxy } from './forward_proxy.ts';
import { createOutbound, type Lookup } from './outbound.ts';

let plain: Server;
let secure: Server;
let proxy: TestProxy;
let target: number;
const readPort = (server: Server) => (server.address() as AddressInfo).port;
const respond = (request: IncomingMessage) => `${request.method} ${request.headers.host}${request.url}`;

beforeAll(async () => {
  plain = createServer((request, response) => response.end(respond(request)));
  secure = createTlsServer({ cert: CERTIFICATE, key: CERTIFICATE_KEY }, (request, response) =>
    response.end(respond(request)),
  );
  for (const server of [plain, secure]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});
afterAll(async () => {
  for (const server of [plain, secure]) {
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});
beforeEach(async () => {
  target = readPort(plain);
  proxy = await startForwardProxy(() => target);
});
afterEach(async () => {
  useForwardProxy();
  await proxy.stop();
});

const use = (settings: Record<string, string> = {}) =>
  useForwardProxy(loadConfig({ MODE: 'demo', HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url, ...settings }));
const read = async (url: string, options = {}) =>
  (await callHttp({ method: 'GET', url }, { timeout_ms: 2_000, ...options })).body.toString();

test('requests to a carrier share one tunnel when the connection is kept alive', async () => {
  use();
  const keeper = keepConnections(1);
  for (const path of ['one', 'two'])
    expect(await read(`http://carrier.test/${path}`, { keeper })).toBe(`GET carrier.test/${path}`);
  expect(proxy.tunnels).toEqual(['carrier.test:80']);
  keeper.destroy();
});

test('TLS verifies the host name when it runs inside a tunnel', async () => {
  use();
  target = readPort(secure);
  const agent = proxyAgents({ ca: CERTIFICATE } as object).tls;
  const body = await new Promise<string>((resolve, reject) => {
    requestHttps('https://carrier.test/path', { agent }, (response) => {
      response.setEncoding('utf8').on('data', resolve);
    })
      .on('error', reject)
      .end();
  });
  expect([body, proxy.tunnels]).toEqual(['GET carrier.test/path', ['carrier.test:443']]);
  // Without the certificate authority, the certificate is rejected before any data is sent.
  await expect(read('https://carrier.test/')).rejects.toMatchObject({ message: /self-signed/, sent: false });
});

test('a request to a sign-in provider uses the proxy when one is set', async () => {
  use();
  const response = await fetchThroughProxy('http://login.test/token', {
    method: 'POST',
    body: new URLSearchParams({ a: '1' }),
  });
  expect([response.status, await response.text()]).toEqual([200, 'POST login.test/token']);
  expect(proxy.tunnels).toEqual(['login.test:80']);
});

test('a proxy rejects the tunnel when the credentials are wrong', async () => {
  proxy.credentials = 'parley:p@ss';
  use();
  await expect(read('http://carrier.test/')).rejects.toMatchObject({ message: /HTTP 407/, sent: false });
  use({ HTTP_PROXY: proxy.url.replace('//', '//parley:p%40ss@') });
  expect(await read('http://carrier.test/')).toBe('GET carrier.test/');
});

test('a request fails without being sent when the proxy is down', async () => {
  const { url } = proxy;
  use();
  await proxy.stop();
  await expect(read('http://carrier.test/')).rejects.toMatchObject({
    message: expect.stringContaining(`proxy ${new URL(url).host}: `),
    sent: false,
  });
  proxy = await startForwardProxy(() => target);
});

test.each([
  ['*', 'localhost', []],
  ['', 'localhost', []],
  ['', '127.0.0.1', []],
  ['.test', 'carrier.test', ['carrier.test:PORT']],
  ['127.0.0.1', 'carrier.test', ['carrier.test:PORT']],
])('NO_PROXY "%s" determines whether a request to %s uses the proxy', async (NO_PROXY, host, tunnels) => {
  use({ NO_PROXY: NO_PROXY === '.test' ? '.other.test,carrier.test:1' : NO_PROXY });
  const port = readPort(plain);
  expect(await read(`http://${host}:${port}/`)).toBe(`GET ${host}:${port}/`);
  expect(proxy.tunnels).toEqual(tunnels.map((text) => text.replace('PORT', String(port))));
});

test('a request bypasses the proxy when NO_PROXY contains the host, a parent domain, or its network', async () => {
  use({ no_proxy: 'carrier.test, .internal.test, 10.0.0.0/8' });
  for (const url of ['http://carrier.test:1/', 'http://a.internal.test:1/']) await expect(read(url)).rejects.toThrow();
  expect(proxy.tunnels).toEqual([]);
});

const lookup =
  (address: string): Lookup =>
  async () => [{ address, family: 4 }];
const guarded = (address: string, CIDRS: readonly string[] = []) =>
  createOutbound({ OUTBOUND_ALLOW_CIDRS: CIDRS, OUTBOUND_PORTS: [80, 443] }, lookup(address));

test("a request to a customer's URL opens a tunnel to the checked address when a proxy is set", async () => {
  use();
  const response = await guarded('93.184.216.34').fetch('http://hooks.test/path');
  expect([response.status, response.body.toString()]).toEqual([200, 'GET hooks.test/path']);
  target = readPort(secure);
  await expect(guarded('93.184.216.34').fetch('https://hooks.test/')).rejects.toMatchObject({ reason: 'network' });
  expect(proxy.tunnels).toEqual(['93.184.216.34:80', '93.184.216.34:443']);
});

test.each(['10.0.0.1', '127.0.0.1', '169.254.169.254'])(
  "a request to a customer's URL is rejected before it reaches the proxy when its host resolves to %s",
  async (address) => {
    use();
    await expect(guarded(address).fetch('http://hooks.test/')).rejects.toMatchObject({ reason: 'address' });
    await expect(guarded('93.184.216.34').fetch(`http://${address}/`)).rejects.toMatchObject({ reason: 'address' });
    expect(proxy.tunnels).toEqual([]);
  },
);

test("a request to a customer's URL on this machine bypasses the proxy when the network is allowed", async () => {
  use();
  const port = readPort(plain);
  const response = await guarded('127.0.0.1', ['127.0.0.0/8']).fetch(`http://hooks.test:${port}/`);
  expect([response.status, proxy.tunnels]).toEqual([200, []]);
});
