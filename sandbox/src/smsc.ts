// The carrier on its sockets: who may bind, what a submit is answered, how receipts and replies go out. What a message's fate is, and
// that it is never forgotten, is decided in world.ts.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pdu, PduError, STATUS } from '@parley/smpp/pdu.ts';
import { type BoundSession, createSmppServer, type ResponseFields, type SmppServer } from '@parley/smpp/server.ts';
import { stamp } from '@parley/smpp/time.ts';
import { allowed, Throttle } from './carrier.ts';
import type { KeyPair } from './certificate.ts';
import type { Live } from './live.ts';
import { isAcked, type Sms, state } from './message.ts';
import type { Line } from './outbox.ts';
import { messageId, seqsOf } from './view.ts';
import { readSubmission, receiptFields, replyFields } from './wire.ts';
import type { World } from './world.ts';

/** The carrier setting `window` is what counts; this is its upper limit. */
const mostInFlight = 1000;
const receiptFirstFor = 1000;

interface Bind {
  session: BoundSession;
  tls: boolean;
  submitted: number;
  delivered: number;
  line: Line | undefined;
}

export interface SmscOptions {
  world: World;
  live: Live;
  key_pair: KeyPair;
  /** A deliver_sm without an answer for so long is sent again. */
  answer_timeout_ms?: number;
}

export class Smsc {
  /** Binds are refused until then. */
  refusingUntil = 0;
  certificate: string;
  #world: World;
  #live: Live;
  #plain: SmppServer;
  #tls: SmppServer;
  #throttle = new Throttle();
  #binds = new Map<BoundSession, Bind>();

  constructor({ world, live, key_pair, answer_timeout_ms = 10_000 }: SmscOptions) {
    this.#world = world;
    this.#live = live;
    this.certificate = key_pair.cert;
    const server = (tls: boolean) =>
      createSmppServer({
        ...(tls && { tls: { key: key_pair.key, cert: key_pair.cert } }),
        system_id: 'sandbox',
        window: mostInFlight,
        response_timeout_ms: answer_timeout_ms,
        authenticate: (bind) => this.#authenticate(bind),
        onBound: (session) => this.#bound(session, tls),
        onClosed: (session) => this.#closed(session),
      });
    this.#plain = server(false);
    this.#tls = server(true);
  }

  listenPlain(port: number, host: string): Promise<number> {
    return this.#plain.listen(port, host);
  }

  listenTls(port: number, host: string): Promise<number> {
    return this.#tls.listen(port, host);
  }

  async close(): Promise<void> {
    await Promise.all([this.#plain.close(), this.#tls.close()]);
  }

  binds() {
    return [...this.#binds.values()].map(({ session, tls, submitted, delivered, line }) => ({
      system_id: session.system_id,
      bind: session.bind,
      tls,
      remote: session.remote,
      since: session.bound_at.toISOString(),
      submitted,
      delivered,
      in_flight: line?.in_flight ?? 0,
    }));
  }

  /** Breaks every line without a word, as a digger does; and, for a time, lets nobody back in. */
  cut(for_ms: number): { cut: number; refusing_binds_until: string | null } {
    const sessions = [...this.#binds.keys()];
    this.refusingUntil = for_ms > 0 ? Date.now() + for_ms : 0;
    for (const session of sessions) session.destroy();
    const until = for_ms > 0 ? new Date(this.refusingUntil).toISOString() : null;
    return { cut: sessions.length, refusing_binds_until: until };
  }

  #authenticate(bind: Pdu): number {
    if (this.refusingUntil > Date.now()) return STATUS.ESME_RBINDFAIL;
    const known = allowed(this.#world.carrier, bind.system_id ?? '', bind.password ?? '');
    return known && bind.system_id ? STATUS.ESME_ROK : STATUS.ESME_RINVPASWD;
  }

  #bound(session: BoundSession, tls: boolean): void {
    const bind: Bind = { session, tls, submitted: 0, delivered: 0, line: undefined };
    this.#binds.set(session, bind);
    session.onSubmit = (pdu) => this.#submitted(pdu, bind);
    session.onRequest = (pdu) => this.#queried(pdu, session.system_id);
    if (session.bind !== 'transmitter') {
      bind.line = {
        system_id: session.system_id,
        in_flight: 0,
        deliver: (message, n) => this.#deliver(bind, message, n),
      };
      this.#world.outbox.opened(bind.line);
    }
    this.#live.tell('bind', '', () => this.binds());
  }

  #closed(session: BoundSession): void {
    const line = this.#binds.get(session)?.line;
    this.#binds.delete(session);
    if (line) this.#world.outbox.closed(line);
    this.#live.tell('bind', '', () => this.binds());
  }

  async #deliver(bind: Bind, message: Sms, n: number): Promise<number> {
    const fields = message.kind === 'reply' ? replyFields(message, n) : receiptFields(message, n, this.#world.carrier);
    const answer = await bind.session.deliver(fields);
    if (answer.command_status === STATUS.ESME_ROK) bind.delivered += 1;
    return answer.command_status;
  }

  async #submitted(pdu: Pdu, bind: Bind): Promise<ResponseFields> {
    const world = this.#world;
    const { system_id } = bind.session;
    if (pdu.command === 'submit_multi') return this.#refuse(STATUS.ESME_RSUBMITFAIL);
    if (!this.#throttle.take(system_id, world.carrier.throttle_per_second, Date.now())) {
      return this.#refuse(STATUS.ESME_RTHROTTLED);
    }
    let draft: ReturnType<typeof readSubmission>;
    try {
      draft = readSubmission(pdu, system_id, new Date());
    } catch (error) {
      return this.#refuse(error instanceof PduError ? error.command_status : STATUS.ESME_RSYSERR);
    }
    const fate = world.fate(draft.to, draft.text);
    if (fate.lost) return null;
    if (fate.refuse !== STATUS.ESME_ROK) return this.#refuse(fate.refuse);
    const submission = await world.submit(draft, fate).catch(() => undefined);
    if (!submission) return this.#refuse(STATUS.ESME_RSYSERR);
    bind.submitted += 1;
    if (fate.receipt_before_response) {
      const until = Date.now() + receiptFirstFor;
      while (submission.receipts.length > 0 && !isAcked(submission, 0) && Date.now() < until) await sleep(5);
    }
    if (world.carrier.response_delay_ms > 0) await sleep(world.carrier.response_delay_ms);
    if (!fate.answered) return null;
    return { message_id: messageId(submission.seq, world.carrier.id_format, 'response') };
  }

  #refuse(command_status: number): ResponseFields {
    this.#world.countRefusal(command_status);
    return { command_status };
  }

  #queried(pdu: Pdu, system_id: string): ResponseFields {
    if (pdu.command !== 'query_sm') {
      return { command_status: pdu.command === 'cancel_sm' ? STATUS.ESME_RCANCELFAIL : STATUS.ESME_RREPLACEFAIL };
    }
    const message_id = pdu.message_id ?? '';
    const found = seqsOf(message_id).map((seq) => this.#world.messages.kept.find(seq));
    const message = found.find((candidate) => candidate?.kind === 'submission' && candidate.system_id === system_id);
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
