/**
 * The SMPP server for customers' programs. Any number of processes can listen. Connections, sessions, windows,
 * and rates are limited, and a connection that does not bind in time is closed.
 */
import type { BindType } from '@parley/contract/smpp/smpp.ts';
import type { Pdu } from '@parley/smpp/pdu.ts';
import { type BoundSession, createSmppServer, type ResponseFields, type SmppServer } from '@parley/smpp/server.ts';
import { STATUS } from '@parley/smpp/status.ts';
import { DEFAULT_BRAND } from '../kernel/brand/brand.ts';
import { newId } from '../kernel/clock.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { type BindGate, createBindGate } from './bind_gate.ts';
import { type CertificatePair, type CertificateReader, followCertificate, readCertificate } from './certificate.ts';
import { startDeliveries } from './deliver.ts';
import { type Member, Members, noteError } from './members.ts';
import { answer } from './submit.ts';

const LIMITS = {
  window: 50,
  response_timeout_ms: 30_000,
  max_connections: 2_000,
  max_unbound: 20,
  bind_timeout_ms: 10_000,
  enquire_link_ms: 30_000,
} as const;
/** How long the server waits for programs to confirm unbind when it stops. */
const UNBIND_MS = 2_000;

export interface Listener {
  /** The ports in use; null for a port that is not open. */
  readonly port: number | null;
  readonly tls_port: number | null;
  readonly members: Members;
  stop(): Promise<void>;
}

export async function startListener(kernel: Kernel): Promise<Listener> {
  const { config } = kernel;
  const members = new Members(kernel);
  const gate = createBindGate(kernel);
  const servers: SmppServer[] = [];
  const certificates: CertificateReader[] = [];
  const open = async (port: number | null, tls: boolean): Promise<number | null> => {
    if (port === null) return null;
    const pair = tls ? readCertificate(kernel) : null;
    const server = createServer(kernel, members, gate, pair);
    const opened = await server.listen(port, config.HOST);
    servers.push(server);
    if (pair) certificates.push(followCertificate(kernel, server, pair));
    return opened;
  };
  const deliveries = startDeliveries(kernel, members);
  const stop = async () => {
    for (const certificate of certificates) certificate.stop();
    await Promise.all(servers.map((server) => server.close(UNBIND_MS)));
    await deliveries.stop();
    await members.stop();
  };
  try {
    const port = await open(config.SMPP_PORT, false);
    const tls_port = await open(config.SMPP_TLS_PORT, true);
    return { port, tls_port, members, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The server uses TLS if it has a certificate. */
function createServer(kernel: Kernel, members: Members, gate: BindGate, pair: CertificatePair | null): SmppServer {
  const { log } = kernel;
  const tls = pair !== null;
  const admitted = new WeakMap<Pdu, Member>();
  const bound = new WeakMap<BoundSession, Member>();
  const names = new WeakMap<Pdu, string>();
  return createSmppServer({
    ...LIMITS,
    ...(pair && { tls: pair }),
    system_id: (bind) => names.get(bind) ?? DEFAULT_BRAND.name,
    async authenticate(bind, remote) {
      const address = remote.slice(0, remote.lastIndexOf(':'));
      const id = newId();
      const result = await gate.admit({ id, bind, address, tls });
      if (typeof result === 'number') return result;
      names.set(bind, result.server_name);
      const bind_type = bind.command.slice('bind_'.length) as BindType;
      // The session is set as soon as the bind is complete.
      const member = { id, address, tls, bind_type, account: result, session: null as never, ...COUNTERS };
      admitted.set(bind, member);
      return STATUS.ESME_ROK;
    },
    onBound(session) {
      const member: Member = Object.assign(admitted.get(session.bind_pdu)!, { session });
      bound.set(session, member);
      members.add(member);
      session.onSubmit = (pdu) => receive(kernel, members, member, pdu);
      session.onRequest = (pdu) => receive(kernel, members, member, pdu);
      log.info(
        { account_id: member.account.account_id, system_id: session.system_id, address: member.address },
        'bound',
      );
    },
    onClosed(session, reason) {
      const member = bound.get(session);
      if (!member) return;
      members.remove(member);
      log.info({ account_id: member.account.account_id, system_id: session.system_id, reason: reason.kind }, 'unbound');
    },
  });
}

const COUNTERS = {
  in_flight: 0,
  accepted: 0,
  refused: 0,
  delivered: 0,
  rate: 0,
  last_error: null,
  last_error_at: null,
};

async function receive(kernel: Kernel, members: Members, member: Member, pdu: Pdu): Promise<ResponseFields> {
  const refused = (text: string) => {
    member.refused++;
    noteError(member, text);
  };
  if (member.in_flight >= members.window(member)) {
    refused('The program exceeded its window');
    return { command_status: STATUS.ESME_RMSGQFUL };
  }
  if (!members.takeToken(member)) {
    refused('The program exceeded its messages per second');
    return { command_status: STATUS.ESME_RTHROTTLED };
  }
  member.in_flight++;
  try {
    const caller = { session_id: member.id, address: member.address, account: member.account };
    const response = await answer(kernel, caller, pdu, refused);
    if (pdu.command === 'submit_sm' && !response.command_status) member.accepted++;
    return response;
  } finally {
    member.in_flight--;
  }
}
