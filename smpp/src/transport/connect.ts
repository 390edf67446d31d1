/** Opens a TCP or TLS connection that can be canceled and is bounded by a timeout. */

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';

type Endpoint = { host: string; port: number; tls?: boolean | ConnectionOptions };

export function openSocket(endpoint: Endpoint, timeout_ms: number, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new Error('Stopped'));
    const address = { host: endpoint.host, port: endpoint.port };
    const name = isIP(endpoint.host) ? {} : { servername: endpoint.host };
    const socket: Socket = endpoint.tls
      ? connectTls({ ...address, ...name, ...(endpoint.tls === true ? {} : endpoint.tls) })
      : connectTcp(address);
    const fail = (error: Error) => {
      removeListeners();
      // The promise is settled, so later socket errors are ignored.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const onAbort = () => fail(new Error('Stopped'));
    const onClose = () => fail(new Error('The peer closed the connection'));
    const timer = setTimeout(() => fail(new Error(`No connection within ${timeout_ms} ms`)), timeout_ms);
    const removeListeners = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      socket.removeListener('error', fail);
      socket.removeListener('close', onClose);
    };
    signal.addEventListener('abort', onAbort);
    socket.once('error', fail);
    socket.once('close', onClose);
    socket.once(endpoint.tls ? 'secureConnect' : 'connect', () => {
      removeListeners();
      resolve(socket);
    });
  });
}
