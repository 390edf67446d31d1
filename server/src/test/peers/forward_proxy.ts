/** A forward proxy on loopback. All of its tunnels lead to one port, regardless of the host name. */
import { createServer, type IncomingMessage } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface TestProxy {
  url: string;
  /** The targets of the tunnels, in order. */
  tunnels: string[];
  /** The credentials that the proxy requires, as `user:password`. */
  credentials: string | null;
  stop(): Promise<void>;
}

export async function startForwardProxy(target: () => number): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connection', (socket: Socket) => sockets.add(socket));
  const proxy: TestProxy = {
    url: '',
    tunnels: [],
    credentials: null,
    stop: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  server.on('connect', (request: IncomingMessage, client: Socket, head: Buffer) => {
    client.on('error', () => {});
    const expected = proxy.credentials && `Basic ${Buffer.from(proxy.credentials).toString('base64')}`;
    if (expected && request.headers['proxy-authorization'] !== expected)
      return client.end('HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n');
    proxy.tunnels.push(request.url!);
    const upstream = connect(target(), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on('error', () => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
