/**
 * The carrier's SMPP servers: they check binds, respond to submits, and send receipts and replies. `world/` decides
 * what happens to a message and stores it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pdu, PduError, STATUS } from '@parley/smpp/pdu.ts';
import { type BoundSession, createSmppServer, type ResponseFields, type SmppServer } from '@parley/smpp/server.ts';
import { stamp } from '@parley/smpp/time.ts';
import type { Live } from '../live.ts';
import { isAllowed, Throttle } from '../world/carrier.ts';
import { isAcked, type Sms, state } from '../world/message.ts';
import type { Receiver } from '../world/outbox.ts';
import type { World } from '../world/world.ts';
import type { KeyPair } from './certificate.ts';
import { formatMessageId, parseMessageId } from './message_id.ts';
import { readSubmission, receiptFields, replyFields } from './wire.ts';

/** The upper limit for the carrier setting `window`. The setting itself limits the deliveries in flight. */
const maxInFlight = 1000;
/** If the receipt is sent before the response, the response waits this long for the receipt's acknowledgment. */
const receiptFirstTimeout = 1000;

interface Bind {
  session: BoundSession;
  tls: boolean;
  submitted: number;
  delivered: number;
  receiver: Receiver | undefined;
}

interface SmscOptions {
  world: World;
  live: Live;
  key_pair: KeyPair;
  /** A deliver_sm that gets no response within this time is sent again. */
  answer_timeout_ms?: number;
}

export class Smsc {
  /** Binds are refused until this time. */
  refusingUntil = 0;
  readonly certificate: string;
  private world: World;
  private readonly live: Live;
  private readonly plain: SmppServer;
  private readonly tls: SmppServer;
  private readonly throttle = new Throttle();
  private readonly bindBySession = new Map<BoundSession, Bind>();

  constructor({ world, live, key_pair, answer_timeout_ms = 10_000 }: SmscOptions) {
    this.world = world;
    this.live = live;
    this.certificate = key_pair.cert;
    const server = (tls: boolean) =>
      createSmppServer({
        ...(tls && { tls: { key: key_pair.key, cert: key_pair.cert } }),
        system_id: 'sandbox',
        window: maxInFlight,
        response_timeout_ms: answer_timeout_ms,
        authenticate: (bind) => this.authenticate(bind),
        onBound: (session) => this.handleBound(session, tls),
        onClosed: (session) => this.handleClosed(session),
      });
    this.plain = server(false);
    this.tls = server(true);
  }

  listenPlain(port: number, host: string): Promise<number> {
    return this.plain.listen(port, host);
  }

  listenTls(port: number, host: string): Promise<number> {
    return this.tls.listen(port, host);
  }

  async close(): Promise<void> {
    await Promise.all([this.plain.close(), this.tls.close()]);
  }

  binds() {
    return [...this.bindBySession.values()].map(({ session, tls, submitted, delivered, receiver }) => ({
      system_id: session.system_id,
      bind: session.bind,
      tls,
      remote: session.remote,
      since: session.bound_at.toISOString(),
      submitted,
      delivered,
      in_flight: receiver?.in_flight ?? 0,
    }));
  }

  /** Closes every connection without unbind and refuses new binds for the given time. */
  disconnectAll(for_ms: number): { cut: number; refusing_binds_until: string | null } {
    const sessions = [...this.bindBySession.keys()];
    this.refusingUntil = for_ms > 0 ? Date.now() + for_ms : 0;
    for (const session of sessions) session.destroy();
    const until = for_ms > 0 ? new Date(this.refusingUntil).toISOString() : null;
    return { cut: sessions.length, refusing_binds_until: until };
  }

  private authenticate(bind: Pdu): number {
    if (this.refusingUntil > Date.now()) return STATUS.ESME_RBINDFAIL;
    const allowed = isAllowed(this.world.carrier, bind.system_id ?? '', bind.password ?? '');
    return allowed && bind.system_id ? STATUS.ESME_ROK : STATUS.ESME_RINVPASWD;
  }

  private handleBound(session: BoundSession, tls: boolean): void {
    const bind: Bind = { session, tls, submitted: 0, delivered: 0, receiver: undefined };
    this.bindBySession.set(session, bind);
    session.onSubmit = (pdu) => this.handleSubmit(pdu, bind);
    session.onRequest = (pdu) => this.handleQuery(pdu, session.system_id);
    if (session.bind !== 'transmitter') {
      bind.receiver = {
        system_id: session.system_id,
        in_flight: 0,
        deliver: (message, n) => this.deliver(bind, message, n),
      };
      this.world.outbox.addReceiver(bind.receiver);
    }
    this.live.publish('bind', '', () => this.binds());
  }

  private handleClosed(session: BoundSession): void {
    const receiver = this.bindBySession.get(session)?.receiver;
    this.bindBySession.delete(session);
    if (receiver) this.world.outbox.removeReceiver(receiver);
    this.live.publish('bind', '', () => this.binds());
  }

  private async deliver(bind: Bind, message: Sms, n: number): Promise<number> {
    const fields =
      message.kind === 'reply'
        ? replyFields(message, n, this.world.carrier)
        : receiptFields(message, n, this.world.carrier);
    const { command_status } = await bind.session.deliver(fields);
    if (command_status === STATUS.ESME_ROK) bind.delivered += 1;
    return command_status;
  }

  private async handleSubmit(pdu: Pdu, bind: Bind): Promise<ResponseFields> {
    const world = this.world;
    const { system_id } = bind.session;
    if (pdu.command === 'submit_multi') return this.refuse(STATUS.ESME_RSUBMITFAIL);
    if (!this.throttle.take(system_id, world.carrier.throttle_per_second, Date.now())) {
      return this.refuse(STATUS.ESME_RTHROTTLED);
    }
    let draft: ReturnType<typeof readSubmission>;
    try {
      draft = readSubmission(pdu, system_id, new Date(), world.carrier);
    } catch (error) {
      return this.refuse(error instanceof PduError ? error.command_status : STATUS.ESME_RSYSERR);
    }
    const plan = world.planSubmit(draft.to, draft.text);
    if (plan.lost) return null;
    if (plan.refuse !== STATUS.ESME_ROK) return this.refuse(plan.refuse);
    const submission = await world.submit(draft, plan).catch(() => undefined);
    if (!submission) return this.refuse(STATUS.ESME_RSYSERR);
    bind.submitted += 1;
    if (plan.receipt_before_response) {
      const until = Date.now() + receiptFirstTimeout;
      while (submission.receipts.length > 0 && !isAcked(submission, 0) && Date.now() < until) await sleep(5);
    }
    if (world.carrier.response_delay_ms > 0) await sleep(world.carrier.response_delay_ms);
    if (!plan.responds) return null;
    return { message_id: formatMessageId(submission.seq, world.carrier.id_format, 'response') };
  }

  private refuse(command_status: number): ResponseFields {
    this.world.countRefusal(command_status);
    return { command_status };
  }

  private handleQuery(pdu: Pdu, system_id: string): ResponseFields {
    if (pdu.command !== 'query_sm') {
      return { command_status: pdu.command === 'cancel_sm' ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RREPLACEFAIL };
    }
    const message_id = pdu.message_id ?? '';
    const candidates = parseMessageId(message_id).map((seq) => this.world.messages.kept.find(seq));
    const message = candidates.find(
      (candidate) => candidate?.kind === 'submission' && candidate.system_id === system_id,
    );
    if (message?.kind !== 'submission') return { command_status: STATUS.ESME_RQUERYFAIL };
    const final = message.state !== state.enroute;
    return {
      message_id,
      final_date: final ? `${stamp(new Date(message.settled))}00000+` : '',
      message_state: message.state,
      error_code: 0,
    };
  }
}
