/**
 * An SMPP server (SMSC): accepts connections, binds clients that authenticate, and closes all other connections. A
 * connection that does not bind in time is closed, so unauthenticated clients cannot hold sockets open.
 */

import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions, type Server as TlsServer } from 'node:tls';
import { BoundSession } from './bound.ts';
import { type Pdu, type PduError, STATUS } from './pdu.ts';
import { type CloseReason, Session } from './session.ts';

export type { BoundSession, DeliverDraft, ResponseFields } from './bound.ts';

export type ServerOptions = {
  tls?: TlsOptions;
  /** Returns the status of the bind response. Any value other than 0 rejects the bind. */
  authenticate: (bind: Pdu, remote: string) => number | Promise<number>;
  /** Set onSubmit here, because requests are read only after this function returns. */
  onBound?: (session: BoundSession) => void;
  onClosed?: (session: BoundSession, reason: CloseReason) => void;
  onBadPdu?: (remote: string, error: PduError) => void;
  /** The name of the server in bind responses, or a function that returns it for a bind. */
  system_id?: string | ((bind: Pdu) => string);
  /** The maximum number of deliveries to one client that may be waiting for a response. */
  window?: number;
  max_connections?: number;
  /** The maximum number of connections from one address that have not bound yet. */
  max_unbound?: number;
  /** The time that a client has to bind. */
  bind_timeout_ms?: number;
  response_timeout_ms?: number;
  enquire_link_ms?: number;
  enquire_link_timeout_ms?: number;
  max_pdu?: number;
};

export type SmppServer = {
  /** Resolves with the port. If `port` is 0, the system chooses one. */
  listen(port: number, host?: string): Promise<number>;
  /** Stops listening, unbinds all clients, and disconnects those that do not respond in time. */
  close(grace_ms?: number): Promise<void>;
  /** Replaces the certificate of new connections. Throws if the key does not belong to it. */
  setCertificate(pair: Pick<TlsOptions, 'cert' | 'key'>): void;
  readonly sessions: ReadonlySet<BoundSession>;
  /** The number of open connections, bound or not. */
  readonly connections: number;
};

export function createSmppServer(options: ServerOptions): SmppServer {
  const sessions = new Set<BoundSession>();
  const sockets = new Set<Socket>();
  const unbound = new UnboundCounts(options.max_unbound ?? Number.POSITIVE_INFINITY);
  const accept = (socket: Socket) => startSession(socket, options, sessions, () => unbound.leave(socket));
  const listener: Server = options.tls
    ? createTlsServer({ handshakeTimeout: options.bind_timeout_ms ?? 10_000, ...options.tls }, accept)
    : createServer(accept);
  // 'connection' also fires for sockets still in the TLS handshake, which close() must destroy too.
  listener.on('connection', (socket: Socket) => {
    if (!unbound.enter(socket)) return socket.destroy();
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  listener.maxConnections = options.max_connections ?? 1_000;
  return {
    sessions,
    setCertificate: (pair) => (listener as TlsServer).setSecureContext({ ...options.tls, ...pair }),
    get connections() {
      return sockets.size;
    },
    listen: (port, host) =>
      new Promise((resolve, reject) => {
        listener.once('error', reject);
        listener.listen(port, host, () => {
          listener.removeListener('error', reject);
          // Errors are ignored, because the server keeps listening after later ones (such as running out of file
          // descriptors).
          listener.on('error', () => undefined);
          const address = listener.address();
          resolve(typeof address === 'object' && address ? address.port : port);
        });
      }),
    close: async (grace_ms = 1_000) => {
      const closed = listener.listening
        ? new Promise<void>((resolve) => listener.close(() => resolve()))
        : Promise.resolve();
      await Promise.all([...sessions].map((session) => session.unbind(grace_ms)));
      const ended = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)));
      for (const socket of sockets) socket.destroy();
      await Promise.all([closed, ...ended]);
    },
  };
}

/** Counts the connections that have not bound yet, by address. */
class UnboundCounts {
  private readonly counts = new Map<string, number>();
  private readonly waiting = new Map<string, string>();
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  /** Returns false if the address has too many. A TLS socket and the socket below it have the same name. */
  enter(socket: Socket): boolean {
    const { remoteAddress = '', remotePort = 0 } = socket;
    const count = this.counts.get(remoteAddress) ?? 0;
    if (count >= this.max) return false;
    const name = `${remoteAddress} ${remotePort}`;
    this.counts.set(remoteAddress, count + 1);
    this.waiting.set(name, remoteAddress);
    socket.once('close', () => this.forget(name));
    return true;
  }

  leave({ remoteAddress = '', remotePort = 0 }: Socket): void {
    this.forget(`${remoteAddress} ${remotePort}`);
  }

  private forget(name: string): void {
    const address = this.waiting.get(name);
    if (address === undefined) return;
    this.waiting.delete(name);
    const count = this.counts.get(address)! - 1;
    if (count === 0) this.counts.delete(address);
    else this.counts.set(address, count);
  }
}

function startSession(
  socket: Socket,
  options: ServerOptions,
  sessions: Set<BoundSession>,
  onAdmitted: () => void,
): void {
  let bound: BoundSession | null = null;
  let binding = false;
  const { response_timeout_ms, enquire_link_ms, enquire_link_timeout_ms, max_pdu, onBadPdu } = options;
  const session: Session = new Session(socket, {
    ...(response_timeout_ms !== undefined && { response_timeout_ms }),
    ...(enquire_link_ms !== undefined && { enquire_link_ms }),
    ...(enquire_link_timeout_ms !== undefined && { enquire_link_timeout_ms }),
    ...(max_pdu !== undefined && { max_pdu }),
    ...(onBadPdu && { onBadPdu: (error: PduError) => onBadPdu(session.remote, error) }),
    onRequest: (pdu) => {
      if (bound) void bound.receive(pdu);
      else if (isBind(pdu) && !binding) void admit(pdu);
      else if (pdu.command !== 'outbind' && pdu.command !== 'alert_notification') {
        session.respond(pdu, { command_status: STATUS.ESME_RINVBNDSTS });
      }
    },
    onClose: (reason) => {
      clearTimeout(deadline);
      if (!bound) return;
      sessions.delete(bound);
      bound.closed(reason);
      options.onClosed?.(bound, reason);
    },
  });
  const deadline = setTimeout(
    () => session.destroy({ kind: 'local', text: 'Did not bind in time' }),
    options.bind_timeout_ms ?? 10_000,
  );

  async function admit(bind: Pdu): Promise<void> {
    binding = true;
    let command_status: number;
    try {
      command_status = await options.authenticate(bind, session.remote);
    } catch {
      command_status = STATUS.ESME_RSYSERR;
    }
    if (!session.open) return;
    if (command_status !== 0) {
      session.respond(bind, { command_status });
      session.close({ kind: 'local', text: 'Bind rejected' });
      return;
    }
    clearTimeout(deadline);
    onAdmitted();
    bound = new BoundSession(session, bind, options.window ?? 10);
    sessions.add(bound);
    session.respond(bind, {
      system_id: (typeof options.system_id === 'function' ? options.system_id(bind) : options.system_id) ?? 'smsc',
      tlvs: { sc_interface_version: 0x34 },
    });
    options.onBound?.(bound);
  }
}

const isBind = (pdu: Pdu) =>
  pdu.command === 'bind_transceiver' || pdu.command === 'bind_transmitter' || pdu.command === 'bind_receiver';
