/**
 * An adapter speaks one carrier protocol and classifies every failure as one of a fixed set of kinds. It never retries,
 * logs, or accesses the database. The table in this file decides what each kind means for a message, on every channel.
 */
import type { Readable } from 'node:stream';
import type { ShownRequest } from '@parley/contract/connections/connection_tests.ts';
import type { Button } from '@parley/contract/messages/content.ts';
import type { Referral } from '@parley/contract/messages/marks.ts';
import type { Failure } from '@parley/contract/messages/messages.ts';
import type { DeviceState, MessageLookup, Reactions, ReadMarks } from './carrier_facts.ts';
import type { Amendment, ChatEvent, IncomingContent } from './chat_event.ts';
import type { ConnectionTests, Numbering, SettingFault, WrittenReceipt } from './connection_test.ts';
import type { ExchangeObserver } from './http_exchange.ts';
import type { OutgoingContent, OutgoingMedia } from './outgoing_content.ts';
import type { TemplateReasons } from './template_reasons.ts';
import type { TemplateQuality, TemplateState } from './template_state.ts';
import type { PayloadRecorder, WirePayload } from './wire_payload.ts';

/**
 * - connection: the message was certainly not sent, or the carrier currently accepts no messages
 * - throttled: the carrier's rate limit is reached
 * - rejected: the carrier will never accept this message
 * - invalid: we built a request that the carrier cannot read
 * - config: the connection's settings are wrong for this message
 * - opted_out: the carrier reports that the person has opted out
 * - unknown: the message may have been sent, but no response arrived
 */
export type FailureKind = Exclude<Failure, 'expired'>;

export interface SendFailure {
  kind: FailureKind;
  /** The carrier's own code, unchanged. */
  code: string;
  /** The public text for the customer. */
  text: string;
  /** The text for operators and logs, if `text` omits the cause. */
  internal?: string;
  /** True for a temporary failure that can turn out to be permanent. It is retried only a few times. */
  limited?: boolean;
  /** True if the carrier limits only this sender or recipient. Other messages then keep their pace. */
  narrow?: boolean;
  /** True if the carrier refuses every message until an operator acts. The connection is paused. */
  pauses?: boolean;
  /** True if the carrier has closed the session, so no messages can be sent in it until the person writes. */
  closes?: boolean;
}

/**
 * The effect of each failure on a message. `again` returns the message to the queue. `evidence` leaves the decision to
 * a delivery receipt or to the end of the grace period. Any other value is the final status.
 */
export const AFTER: Record<FailureKind, 'again' | 'evidence' | 'failed' | 'rejected' | 'unsubscribed'> = {
  connection: 'again',
  throttled: 'again',
  unknown: 'evidence',
  rejected: 'rejected',
  invalid: 'failed',
  config: 'failed',
  opted_out: 'unsubscribed',
};

/** The facts about an exchange in a message's timeline, without message text or full phone numbers. */
export type Detail = Record<string, string | number | boolean | readonly (string | number)[]>;

export interface Outgoing {
  /** The sender's address at the carrier. */
  from: string;
  /** The number in digits with the country code, or the address that the channel assigned to the person. */
  to: string;
  text: string;
  /** Null for a text-only message. */
  content: OutgoingContent | null;
  /** Our reference, from 1 to 65535. Some carriers echo it, and phones use it to join the parts of a message. */
  reference: number;
  /** The same for all attempts to send a message, and for no other message. */
  key: string;
  /** Seconds after which the message expires. */
  valid_seconds: number;
  /** Parts that the carrier accepted in an earlier attempt. They are not sent again. */
  sent_parts: readonly number[];
  /** Set for a test message over HTTP. */
  observer?: ExchangeObserver;
  /** Set while the account records what goes to carriers. */
  recorder?: PayloadRecorder;
}

export interface AcceptedPart {
  part: number;
  external_id: string;
  /** The carrier's id, unchanged, if `external_id` has another format. */
  written_id?: string;
}

export interface Outcome {
  /** The number of parts of the whole message on this connection. */
  parts: number;
  /** The number of segments on the recipient's phone, if the carrier divides a part into segments. */
  segments?: number;
  /** The parts that the carrier accepted in this attempt. */
  accepted: AcceptedPart[];
  /** Null if the carrier has accepted all parts. */
  failure: SendFailure | null;
  detail: Detail;
}

/** A delivery receipt for a message, or for one part of it. */
export interface Report {
  /** The carrier's id, in the same format as `AcceptedPart.external_id`. Empty if the carrier reported none. */
  external_id: string;
  status: 'enroute' | 'sent' | 'delivered' | 'read' | 'failed' | 'rejected' | 'expired' | 'unsubscribed';
  /** The carrier's name for the status. */
  state: string;
  code: string | null;
  /** The reason for the failure, if the carrier reports more than the status. */
  failure?: Pick<SendFailure, 'kind' | 'text' | 'closes'>;
  /** Our reference, if the carrier echoed it. */
  reference: number | null;
  /** The recipient. */
  number: string;
  /** The sender's address at the carrier. */
  sender: string;
  numbering?: Numbering;
  written?: WrittenReceipt;
  /** The time of the event on the carrier's clock, in milliseconds. Omitted if the time or its zone is unknown. */
  at?: number;
  detail: Detail;
}

/** An inbound message, or one part of it. */
export interface Incoming {
  from: string;
  to: string;
  /** Null for a part. A character can be split between two parts, so the octets are joined before they are decoded. */
  text: string | null;
  part: { key: string; total: number; part: number; octets: Buffer; coding: number } | null;
  numbering?: Numbering;
  /** Stays the same for repeated deliveries of a message. */
  digest: Buffer;
  /** The bind's session. A bind that reconnects gets a new session. */
  session: string;
  /** The carrier's id, if the carrier never reuses ids. A message with a known id is always dropped. */
  external_id?: string;
  /** Another address of the same person. Later messages may have only this address. */
  alias?: string;
  /** The name that the person has chosen. */
  profile_name?: string;
  /** The time when the message was written, as in `Report`. */
  at?: number;
  content?: IncomingContent;
  /** Set for a change to an earlier message. If that message is unknown, the change is shown as a separate message. */
  amends?: Amendment;
  referral?: Referral;
  /** The type and the content of a message that the adapter does not know. */
  unknown?: { type: string; content: string };
}

/** A carrier's report about anything other than a message. Reports of any other kind are ignored. */
export type Notice =
  | {
      kind: 'template';
      external_id: string;
      status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED';
      paused: boolean;
      /** True if the template is disabled permanently. */
      disabled: boolean;
      /** The carrier's reason, unchanged. Empty if the carrier states none. */
      reason: string;
      category: string | null;
    }
  /** The quality rating or category of a template, regardless of its status. */
  | { kind: 'template_detail'; external_id: string; quality?: TemplateQuality; category?: string }
  /**
   * A sender's quality, limits, name, and restrictions, which are shown to its owner. `address` may be the sender's
   * code. An empty address means all senders on the connection.
   */
  | { kind: 'sender'; address: string; state: Record<string, string | number | boolean> }
  /** The person opted out of messages of this kind, or opted back in. */
  | { kind: 'consent'; address: string; from: string; stopped: boolean }
  | ({ kind: 'device' } & DeviceState)
  | ChatEvent;

export interface CallbackRequest {
  method: 'GET' | 'POST';
  /** The public URL that the carrier called, because some signatures cover it. */
  url: string;
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes, because signatures are calculated from them. */
  body: Buffer;
}

/** The content is stored before the response is sent. A response with a `status` other than 2xx has no content. */
export interface Callback {
  status: number;
  body: string;
  reports: readonly Report[];
  incoming: readonly Incoming[];
  notices: readonly Notice[];
}

/** A template for review, with placeholders like `{tag}` or `{tag:fallback}` and one sample for each, header first. */
export interface TemplateDraft {
  name: string;
  language: string;
  category: string;
  header: string | null;
  text: string;
  footer: string | null;
  buttons: readonly Button[];
  media: OutgoingMedia | null;
  samples: readonly string[];
}

/** The carrier understood the request and refused it. The error message can be shown to users. */
export class CarrierRefusal extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.name = 'CarrierRefusal';
    this.code = code;
  }
}

/** The profile that recipients see. Null leaves the field unchanged at the carrier, and an empty string removes it. */
export interface SenderProfile {
  about: string | null;
  description: string | null;
  address: string | null;
  email: string | null;
  website: string | null;
  /** One of `PROFILE_CATEGORIES`. */
  category: string | null;
  picture: OutgoingMedia | null;
}
export interface ProfileRefusal {
  field: keyof SenderProfile;
  text: string;
}

/** `waits` means that the carrier requires the number to be verified with a code before it can send. */
export interface Enrolled {
  address: string;
  waits: boolean;
}

export type BindState = 'connecting' | 'bound' | 'throttled' | 'waiting' | 'stopped';

/** Receives the events of a bind. The carrier gets its acknowledgment only once the promises have resolved. */
export interface BindEvents {
  /** `show` builds the readable form of what arrived. It is called only if it is recorded. */
  report(report: Report, show?: () => WirePayload): Promise<void>;
  incoming(incoming: Incoming, show?: () => WirePayload): Promise<void>;
  /** Called when the state or the free capacity of the bind has changed. */
  changed(): void;
}

/** One worker's session with a carrier: an SMPP session, or the calls to an HTTP interface. */
export interface Bind {
  readonly state: BindState;
  readonly detail: string;
  readonly session: string | null;
  /** The number of messages that may await a response at the same time. */
  readonly window: number;
  readonly in_flight: number;
  /** The number of messages that can be sent right now. */
  readonly free: number;
  readonly burst: number;
  readonly throughput: number | null;
  /** Settles exactly once and never rejects. */
  send(message: Outgoing): Promise<Outcome>;
  /** Waits up to `drain_ms` for open messages, then closes the bind. */
  close(drain_ms: number): Promise<void>;
}

export interface ConnectionSpec {
  id: string;
  settings: unknown;
  /** The public URL for callbacks. Set for binds, because some carriers take it with each message. */
  callback_url?: string;
}

/**
 * One carrier protocol. The four required members are enough to send; everything else is an optional capability.
 * Capabilities get a connection's settings with decrypted secrets unless they state otherwise.
 */
export interface Adapter {
  readonly name: string;
  /** True if the carrier sends a message with the same `key` only once, so that a lost response can be repeated. */
  readonly isIdempotent?: boolean;
  /** The number of binds that these settings define. */
  binds(connection: ConnectionSpec): number;
  open(connection: ConnectionSpec, events: BindEvents): Bind;
  /** The number of parts in which the text is sent over this connection. */
  parts(connection: ConnectionSpec, text: string): number;
  /** Finds an unusable setting, such as a key that does not belong to the certificate. */
  check?(connection: ConnectionSpec): SettingFault | null;
  readonly callbacks?: Callbacks;
  readonly registration?: CallbackRegistration;
  readonly decoding?: TextDecoding;
  readonly templates?: TemplateReview;
  readonly senders?: SenderLifecycle;
  readonly media?: MediaSource;
  readonly reads?: ReadMarks;
  readonly reactions?: Reactions;
  readonly tests?: ConnectionTests;
  readonly lookup?: MessageLookup;
  /** Implemented if a message is one HTTP request: the request as operators see it, with masked secrets. */
  readonly preview?: { request(connection: ConnectionSpec, message: Outgoing): ShownRequest };
}

/** Implemented if the carrier calls us over HTTP. */
export interface Callbacks {
  /** Checks the signature, then parses the request. Has no side effects. */
  read(connection: ConnectionSpec, request: CallbackRequest): Callback;
}

/** Implemented if we register the callback URL with the carrier through its API. */
export interface CallbackRegistration {
  /** Safe to repeat. */
  subscribe(connection: ConnectionSpec, url: string): Promise<void>;
  /** Undoes `subscribe` for all connections with the same carrier account. Omitted if senders cannot leave it. */
  unsubscribe?(connection: ConnectionSpec): Promise<void>;
  /** Identifies the carrier account. Its connections share templates and the callback URL. Needs no secrets. */
  account(connection: ConnectionSpec): string;
}

/** Decodes inbound text in the carrier's own encoding. Without this capability, inbound octets are UTF-8. */
export interface TextDecoding {
  /** Reads the joined octets of a message that arrived in parts. Needs no secrets. */
  readText(connection: ConnectionSpec, octets: Buffer, coding: number): string;
}

/** Implemented if the carrier approves templates. A refusal is a `CarrierRefusal`; any other error can be retried. */
export interface TemplateReview {
  submit(connection: ConnectionSpec, draft: TemplateDraft): Promise<TemplateState>;
  change(connection: ConnectionSpec, external_id: string, draft: TemplateDraft): Promise<TemplateState>;
  remove(connection: ConnectionSpec, template: { external_id: string; name: string }): Promise<void>;
  list(connection: ConnectionSpec): Promise<TemplateState[]>;
  /** The carrier's reasons by code, in words for the customer. */
  readonly reasons: TemplateReasons;
}

/** Implemented if senders are enrolled with the carrier. A refusal is a `CarrierRefusal`. */
export interface SenderLifecycle {
  /**
   * Enrolls one of our numbers as a sender and returns the carrier's name for it. Safe to repeat. `pin` is the number's
   * own six-digit PIN.
   */
  enroll(connection: ConnectionSpec, sender: { number: string; display_name: string; pin: string }): Promise<Enrolled>;
  /** Asks the carrier to send a verification code to the number. */
  requestCode(connection: ConnectionSpec, address: string, method: 'sms' | 'voice'): Promise<void>;
  verifyCode(connection: ConnectionSpec, address: string, code: string): Promise<void>;
  /** Removes the sender from the carrier, if it exists there. */
  release(connection: ConnectionSpec, address: string): Promise<void>;
  /** Returns the fields that the carrier refused. The carrier accepted the rest. */
  putProfile(connection: ConnectionSpec, address: string, profile: SenderProfile): Promise<ProfileRefusal[]>;
  /** Reads a sender's carrier state, which is shown to its owner. */
  fetchState(connection: ConnectionSpec, address: string): Promise<Record<string, string | number | boolean>>;
}

/** Implemented if people can send files. */
export interface MediaSource {
  fetch(
    connection: ConnectionSpec,
    source: string,
  ): Promise<{ stream: Readable; content_type: string; bytes: number | null }>;
}
