/** A connection that a test can cut, such as the one to a provider that dies. */
import { connect as connectTo, createServer, type Server, type Socket } from 'node:net';

export interface Tunnel {
  port: number;
  cut(): void;
  reopen(): void;
}

/** Forwards connections to a port until it is cut. */
export async function openTunnel(target: number): Promise<Tunnel> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((client) => {
    const remote = connectTo(target, '127.0.0.1');
    for (const [one, two] of [
      [client, remote],
      [remote, client],
    ] as const) {
      sockets.add(one);
      one.pipe(two);
      one.on('error', () => two.destroy());
      one.on('close', () => two.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  return {
    port,
    cut() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
    reopen() {
      server.listen(port, '127.0.0.1');
    },
  };
}
