// A TCP or TLS connection as a promise that can be abandoned and never takes longer than its time-out.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

export type Endpoint = { host: string; port: number; tls?: boolean | ConnectionOptions };

export function openSocket(to: Endpoint, timeout_ms: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('Stopped'));
    const where = { host: to.host, port: to.port };
    const name = isIP(to.host) ? {} : { servername: to.host };
    const socket: Socket = to.tls
      ? connectTls({ ...where, ...name, ...(to.tls === true ? {} : to.tls) })
      : connectTcp(where);
    const give = (error: Error) => {
      finish();
      // Errors of a connection that nobody waits for any more.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const abandoned = () => give(new Error('Stopped'));
    const closed = () => give(new Error('The peer closed the connection'));
    const timer = setTimeout(() => give(new Error(`No connection within ${timeout_ms} ms`)), timeout_ms);
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abandoned);
      socket.removeListener('error', give);
      socket.removeListener('close', closed);
    };
    signal.addEventListener('abort', abandoned);
    socket.once('error', give);
    socket.once('close', closed);
    socket.once(to.tls ? 'secureConnect' : 'connect', () => {
      finish();
      resolve(socket);
    });
  });
}
