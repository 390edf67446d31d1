/**
 * SMS over SMPP 3.4. If the settings enable it, the carrier echoes our reference in `user_message_reference`. The
 * reference matches a delivery receipt to a message whose response was lost in a crash.
 */
import { randomUUID } from 'node:crypto';
import { SmppSettings } from '@parley/contract/channels/sms/settings.ts';
import { readAddress } from '@parley/smpp/address.ts';
import { type ClientOptions, type ClientState, SessionError, SmppClient } from '@parley/smpp/client.ts';
import { type Pdu, type PduDraft, PduError, statusName } from '@parley/smpp/pdu.ts';
import type { AcceptedPart, Adapter, Bind, BindEvents, Outcome, Outgoing, SendFailure } from '../channel.ts';
import { missingPayload, type PayloadRecorder, type WirePayload } from '../wire_payload.ts';
import { toFailure, unanswered, unsent } from './answer.ts';
import { answerId, readIncoming, readPduText, readReceiptText, readReport, readText } from './incoming.ts';
import { buildDrafts, countParts, type PartDraft } from './outgoing.ts';
import { readExchange } from './proposals.ts';
import { showPdu } from './show_pdu.ts';
import { checkCertificate, tlsOptions } from './tls.ts';

/** The share of one second's throughput that is submitted in advance. These messages can no longer be canceled. */
const AHEAD = 0.1;

const UP: ReadonlySet<ClientState> = new Set(['bound', 'throttled']);

// The secrets are read only when a bind is opened.
const SettingsWithoutSecrets = SmppSettings.omit({ password: true, tls_key: true });
const readSettings = (settings: unknown): SmppSettings => ({
  ...SettingsWithoutSecrets.parse(settings),
  password: '',
  tls_key: '',
});

export const smpp: Adapter = {
  name: 'smpp',
  binds: ({ settings }) => readSettings(settings).binds,
  open: ({ settings }, events) => new SmppBind(SmppSettings.parse(settings), events),
  parts: ({ settings }, text) => countParts(text, readSettings(settings)),
  tests: { read: ({ settings }, exchange) => readExchange(readSettings(settings), exchange) },
  check: ({ settings }) => checkCertificate(SmppSettings.parse(settings)),
  decoding: { readText: ({ settings }, octets, coding) => readText(octets, coding, readSettings(settings)) },
};

class SmppBind implements Bind {
  readonly window: number;
  private readonly settings: SmppSettings;
  private readonly events: BindEvents;
  private readonly sender: SmppClient;
  /** Equals `sender` in a transceiver bind. */
  private readonly receiver: SmppClient;
  private unsettled = 0;
  private current: string | null = null;

  constructor(settings: SmppSettings, events: BindEvents) {
    this.settings = settings;
    this.events = events;
    this.window = settings.window;
    const isTransceiver = settings.bind_mode === 'transceiver';
    this.sender = new SmppClient(this.options(isTransceiver ? 'transceiver' : 'transmitter'));
    this.receiver = isTransceiver ? this.sender : new SmppClient(this.options('receiver'));
    this.sender.start();
    if (!isTransceiver) this.receiver.start();
  }

  private options(bind: NonNullable<ClientOptions['bind']>): ClientOptions {
    const { host, port, system_id, password, system_type, window, throughput } = this.settings;
    return {
      host,
      port,
      tls: tlsOptions(this.settings),
      system_id,
      password,
      system_type,
      bind,
      window,
      ...(throughput === null ? {} : { throughput }),
      response_timeout_ms: this.settings.response_timeout_ms,
      enquire_link_ms: this.settings.enquire_link_ms,
      // Keeps the delay short, so that a carrier that comes up after the first failed attempts is soon reconnected.
      reconnect: { min_ms: 200, max_ms: 10_000 },
      onDeliver: (pdu) => this.deliver(pdu),
      onState: () => this.updateSession(),
      onLateResponse: (response, request) => this.reportLateResponse(response, request),
    };
  }

  get state(): ClientState {
    if (this.sender === this.receiver) return this.sender.state;
    // Without the receiver there are no delivery receipts, so nothing is sent while it is down.
    return UP.has(this.sender.state) && !UP.has(this.receiver.state) ? this.receiver.state : this.sender.state;
  }

  get detail(): string {
    const failing = UP.has(this.sender.state) ? this.receiver : this.sender;
    return UP.has(this.state) ? this.sender.detail : failing.detail;
  }

  get session(): string | null {
    return this.current;
  }

  get in_flight(): number {
    return this.sender.in_flight;
  }

  get throughput(): number | null {
    return this.settings.throughput;
  }

  get burst(): number {
    const { throughput } = this.settings;
    return throughput === null ? this.window : Math.min(this.window, Math.ceil(throughput * AHEAD));
  }

  get free(): number {
    if (this.state !== 'bound') return 0;
    const waiting = this.unsettled - this.sender.in_flight;
    return Math.max(0, Math.min(this.sender.free, this.burst - waiting));
  }

  async send(message: Outgoing): Promise<Outcome> {
    const began = performance.now();
    let parts = 1;
    try {
      const planned = buildDrafts(message, this.settings);
      parts = planned.parts;
      const { segments } = planned;
      const { recorder } = message;
      if (recorder) this.recordDrafts(message, recorder);
      const answers = await Promise.all(planned.drafts.map((part) => this.submit(part, recorder)));
      const accepted = answers.flatMap((answer) => answer.accepted ?? []);
      const ms = Math.round(performance.now() - began);
      return { parts, segments, accepted, failure: worstFailure(answers), detail: { ms, ...toDetail(answers) } };
    } catch (error) {
      // Nothing was sent: the text or an address does not fit into a PDU.
      const text = error instanceof PduError ? error.message : 'The message cannot be sent over SMPP';
      return { parts, accepted: [], failure: { kind: 'invalid', code: '', text }, detail: {} };
    }
  }

  /** Records the PDUs as they would be without codes. */
  private recordDrafts(message: Outgoing, recorder: PayloadRecorder): void {
    const { drafts } = buildDrafts({ ...message, text: recorder.masked.text }, this.settings);
    for (const { draft, text } of drafts)
      recorder.record(toPayload('sent', draft.command ?? 'submit_sm', showPdu(draft, text)));
  }

  private async submit({ part, draft }: PartDraft, recorder?: PayloadRecorder): Promise<Answer> {
    this.unsettled++;
    const settled = () => {
      this.unsettled--;
      this.events.changed();
    };
    try {
      const response = await this.sender.submit(draft);
      recorder?.record(toPayload('received', response.command, showPdu(response, null)));
      const failure = toFailure(response.command_status);
      if (failure) return { failure, status: response.command_status };
      const written_id = response.message_id ?? '';
      const external_id = answerId(written_id, this.settings);
      return { accepted: written_id === external_id ? { part, external_id } : { part, external_id, written_id } };
    } catch (error) {
      if (!(error instanceof SessionError)) throw error;
      recorder?.record(missingPayload(error.message));
      return { failure: error.sent ? unanswered(error.message) : unsent(error.message) };
    } finally {
      settled();
    }
  }

  private async deliver(pdu: Pdu): Promise<void> {
    const report = readReport(pdu, this.settings);
    if (report)
      return this.events.report(report, () =>
        toPayload('received', pdu.command, showPdu(pdu, readReceiptText(pdu, this.settings))),
      );
    await this.events.incoming(readIncoming(pdu, this.settings, this.current ?? randomUUID()), () =>
      toPayload('received', pdu.command, showPdu(pdu, readPduText(pdu, this.settings))),
    );
  }

  /** Like a delivery receipt, a late response is evidence that the carrier has the message. */
  private reportLateResponse(response: Pdu, request: PduDraft): void {
    if (response.command_status !== 0 || !response.message_id) return;
    this.events
      .report({
        external_id: answerId(response.message_id, this.settings),
        status: 'sent',
        state: 'ACCEPTED',
        code: null,
        reference: request.tlvs?.user_message_reference ?? null,
        number: readAddress(request.dest_addr_ton ?? 0, request.destination_addr ?? '').addr,
        sender: readAddress(request.source_addr_ton ?? 0, request.source_addr ?? '').addr,
        detail: { late_answer: true, id: response.message_id },
      })
      .catch(() => {});
  }

  private updateSession(): void {
    // Throttling pauses a session and does not end it; only a new connection starts another session.
    if (!UP.has(this.receiver.state)) this.current = null;
    else this.current ??= randomUUID();
    this.events.changed();
  }

  async close(drain_ms: number): Promise<void> {
    await this.sender.stop(drain_ms);
    if (this.receiver !== this.sender) await this.receiver.stop(0);
  }
}

const toPayload = (direction: WirePayload['direction'], title: string, fields: WirePayload['fields']): WirePayload => ({
  ...{ direction, title, fields, body: '', is_cut: false },
});

interface Answer {
  accepted?: AcceptedPart;
  failure?: SendFailure;
  status?: number;
}

/** The most severe failure counts for the whole message. The list is in ascending order. */
const GRAVITY: readonly SendFailure['kind'][] = [
  'connection',
  'throttled',
  'unknown',
  'opted_out',
  'config',
  'invalid',
  'rejected',
];

function worstFailure(answers: readonly Answer[]): SendFailure | null {
  let result: SendFailure | null = null;
  for (const { failure } of answers) {
    if (failure && (!result || GRAVITY.indexOf(failure.kind) > GRAVITY.indexOf(result.kind))) result = failure;
  }
  return result;
}

function toDetail(answers: readonly Answer[]): Outcome['detail'] {
  const ids = answers.flatMap((answer) => answer.accepted?.external_id ?? []);
  const statuses = answers.flatMap((answer) => (answer.status === undefined ? [] : [statusName(answer.status)]));
  return { ...(ids.length > 0 ? { ids } : {}), ...(statuses.length > 0 ? { statuses } : {}) };
}
