/**
 * An adapter speaks one carrier protocol and classifies every failure in a closed vocabulary. It never retries, logs or
 * touches the database: one table here decides what a failure means for a message, for every channel alike.
 */
import type { Readable } from 'node:stream';
import type { Button, Purpose } from '@parley/contract/messages/content.ts';
import type { Failure } from '@parley/contract/messages/messages.ts';

/**
 * connection  the message certainly never left, or the carrier takes nothing now
 * throttled   the carrier's rate limit is reached
 * rejected    the carrier will never take this message
 * invalid     we built something the carrier cannot read
 * config      the connection's settings are wrong for this message
 * opted_out   the carrier says that the person has opted out
 * unknown     the message may have left, and there was no response
 */
export type FailureKind = Exclude<Failure, 'expired'>;

export interface SendFailure {
  kind: FailureKind;
  /** As the carrier wrote it. */
  code: string;
  /** In words, for the customer. */
  text: string;
  /** For operators and logs, where `text` leaves the cause out. */
  internal?: string;
  /** A temporary failure that can turn out to be permanent: retried only a few times. */
  limited?: boolean;
  /** The carrier has closed the session: nothing more can be sent within it until the person writes. */
  closes?: boolean;
}

/**
 * again: back to the queue. evidence: only a delivery receipt or the grace period can decide. Otherwise the final
 * status.
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

/** What a message's timeline shows of an exchange: no text, no whole number. */
export type Detail = Record<string, string | number | boolean | readonly (string | number)[]>;

/** A file on its way to a carrier: uploaded to it, or fetched by it from `link`. */
export interface OutgoingMedia {
  type: 'image' | 'video' | 'document';
  /** Identifies the file, so that it is uploaded only once. Null when only a link is known, to somebody else's file. */
  key: string | null;
  link: string;
  file_name: string;
  content_type: string | null;
  bytes: number | null;
  /** Of a video: the address of its preview image. */
  picture?: string;
  /** Of somebody else's file: some of its octets, and its size; null when that is unknown. */
  stretch?: (from: number, bytes: number) => Promise<{ octets: Buffer; total: number } | null>;
  /** Null when only the link is known. */
  open: (() => Promise<Readable>) | null;
}

/** Everything in a message but its text. */
export interface OutgoingContent {
  media: OutgoingMedia | null;
  header: string | null;
  footer: string | null;
  buttons: readonly Button[];
  template: {
    name: string;
    external_id: string | null;
    language: string;
    header_values: readonly string[];
    body_values: readonly string[];
    /** The name of each of `body_values`, where the carrier takes values by name. */
    body_names?: readonly string[] | undefined;
  } | null;
  purpose: Purpose | null;
}

export interface Outgoing {
  /** The sender, by the carrier's name for it. */
  from: string;
  /** Digits with country code, or the address the channel gave the person. */
  to: string;
  text: string;
  /** Null: text only. */
  content: OutgoingContent | null;
  /** Ours, echoed by carriers that can: 1 to 65535. Also joins the parts of a long message on the phone. */
  reference: number;
  /** Seconds after which the message expires. */
  valid_seconds: number;
  /** Parts that the carrier accepted in an earlier attempt: not sent again. */
  sent_parts: readonly number[];
}

export interface AcceptedPart {
  part: number;
  external_id: string;
}

export interface Outcome {
  /** The number of parts of the whole message on this connection. */
  parts: number;
  /** The parts the carrier accepted in this attempt. */
  accepted: AcceptedPart[];
  /** Null when the carrier has accepted all parts. */
  failure: SendFailure | null;
  detail: Detail;
}

/** A delivery receipt for a message, or for one part of it. */
export interface Report {
  /** In the form of `AcceptedPart.external_id`; empty when the carrier gave none. */
  external_id: string;
  status: 'enroute' | 'sent' | 'delivered' | 'read' | 'failed' | 'rejected' | 'expired' | 'unsubscribed';
  /** The carrier's word for the status. */
  state: string;
  code: string | null;
  /** Why it failed, where the carrier says more than the status does. */
  failure?: Pick<SendFailure, 'kind' | 'text' | 'closes'>;
  /** Our reference, when the carrier echoed it. */
  reference: number | null;
  /** The recipient. */
  number: string;
  /** The sender, by the carrier's name for it. */
  sender: string;
  /** When it happened, by the carrier's clock, in milliseconds; left out where time or time zone are unknown. */
  at?: number;
  detail: Detail;
}

/** An inbound message, or one part of it. */
export interface Incoming {
  from: string;
  to: string;
  /** Null for a part: a character can be cut in two, so octets are joined before they are decoded. */
  text: string | null;
  part: { key: string; total: number; part: number; octets: Buffer; coding: number } | null;
  /** The same when the carrier delivers the message again. */
  digest: Buffer;
  /** The session of the bind: one that was cut and opened again has another session. */
  session: string;
  /** The carrier's id, where ids never repeat: a message with a known id is dropped, however late it comes. */
  external_id?: string;
  /** Another address of the same person, which may be the only one next time. */
  alias?: string;
  /** The name the person has chosen. */
  profile_name?: string;
  /** When it was written, as in `Report`. */
  at?: number;
  content?: IncomingContent;
}

/** What a person sent beside text. `media.source` is the carrier's id or address of the file, for `MediaSource`. */
export interface IncomingContent {
  media: {
    type: 'image' | 'video' | 'document';
    source: string;
    content_type: string | null;
    file_name: string | null;
  } | null;
  pressed: { text: string; value: string } | null;
  /** The carrier's id of the outbound message that it replies to. */
  answers: string | null;
}

/** Null: not rated (yet). */
export type TemplateQuality = 'GREEN' | 'YELLOW' | 'RED' | null;

/** What a carrier reports beside messages. Anything that fits none of these is ignored. */
export type Notice =
  | {
      kind: 'template';
      external_id: string;
      status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED';
      paused: boolean;
      /** Paused for good. */
      disabled: boolean;
      /** The carrier's word; empty when it gives none. */
      reason: string;
      category: string | null;
    }
  /** The quality rating or the category of a template, whatever its status. */
  | { kind: 'template_detail'; external_id: string; quality?: TemplateQuality; category?: string }
  /**
   * Quality, limits, names, restrictions of a sender: shown to its owner. `address` may be its code; empty: of all
   * senders of the connection.
   */
  | { kind: 'sender'; address: string; state: Record<string, string | number | boolean> }
  /** The person opted out of this kind of messages, or opted in again. */
  | { kind: 'consent'; address: string; from: string; stopped: boolean };

export interface CallbackRequest {
  method: 'GET' | 'POST';
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** The exact bytes, which signatures are calculated from. */
  body: Buffer;
}

/** The content is stored before the response is sent. A `status` other than 2xx has no content. */
export interface Callback {
  status: number;
  body: string;
  reports: readonly Report[];
  incoming: readonly Incoming[];
  notices: readonly Notice[];
}

/**
 * A template as a carrier reviews it. Placeholders are `{tag}` or `{tag:fallback}`; `samples` has one for each, header
 * first.
 */
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

export interface TemplateState {
  external_id: string;
  /** With `language`, the carrier's key: finds a template that it took while its response was lost. */
  name: string;
  language: string;
  status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED';
  paused: boolean;
  disabled: boolean;
  reason: string;
  category: string | null;
  /** Left out where the response does not say. */
  quality?: TemplateQuality;
}

/** The carrier understood the request and refused it. The message can be shown to people. */
export class CarrierRefusal extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.name = 'CarrierRefusal';
    this.code = code;
  }
}

/** The profile that people see. Null leaves a field at the carrier as it is; empty removes it. */
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

/** `waits`: the carrier wants the number verified by a code before anything is sent from it. */
export interface Enrolled {
  address: string;
  waits: boolean;
}

export type BindState = 'connecting' | 'bound' | 'throttled' | 'waiting' | 'stopped';

/** What comes in over a bind. The carrier gets its confirmation only when these resolve. */
export interface BindEvents {
  report(report: Report): Promise<void>;
  incoming(incoming: Incoming): Promise<void>;
  /** The state or the room of the bind has changed. */
  changed(): void;
}

/** A connection of one worker to a carrier: an SMPP session, or the calls to an HTTP interface. */
export interface Bind {
  readonly state: BindState;
  readonly detail: string;
  readonly session: string | null;
  /** Messages that the carrier allows to be sent and not answered yet. */
  readonly window: number;
  readonly in_flight: number;
  /** How many messages could leave right now, and at most at once. */
  readonly free: number;
  readonly burst: number;
  /** Settles exactly once and never rejects. */
  send(message: Outgoing): Promise<Outcome>;
  /** Gives messages under way that long to finish, then ends. */
  close(drain_ms: number): Promise<void>;
}

export interface ConnectionSpec {
  id: string;
  settings: unknown;
}

/**
 * One carrier protocol. The four required members are all it takes to send; what else the protocol has is a capability.
 * Capabilities are given a connection's settings with secrets opened, unless they say otherwise.
 */
export interface Adapter {
  readonly name: string;
  /** How many binds these settings ask for. */
  binds(connection: ConnectionSpec): number;
  open(connection: ConnectionSpec, events: BindEvents): Bind;
  /** In how many parts the text is sent over this connection. */
  parts(connection: ConnectionSpec, text: string): number;
  readonly callbacks?: Callbacks;
  readonly registration?: CallbackRegistration;
  readonly decoding?: TextDecoding;
  readonly templates?: TemplateReview;
  readonly senders?: SenderLifecycle;
  readonly media?: MediaSource;
  readonly reads?: ReadMarks;
}

/** The carrier calls us over HTTP. */
export interface Callbacks {
  /** Pure: checks the signature, then reads the request. */
  read(connection: ConnectionSpec, request: CallbackRequest): Callback;
}

/** The callback address is registered with the carrier by a call. */
export interface CallbackRegistration {
  /** Can be repeated. */
  subscribe(connection: ConnectionSpec, url: string): Promise<void>;
  /** Undoes `subscribe` for every connection with the same carrier account. */
  unsubscribe(connection: ConnectionSpec): Promise<void>;
  /** The carrier's account, within which templates and the callback address are shared. Needs no secrets. */
  account(connection: ConnectionSpec): string;
}

/** Messages come in as octets in an encoding of the carrier's. Without it they are UTF-8. */
export interface TextDecoding {
  /** Reads the joined octets of a message that came in parts. Needs no secrets. */
  readText(connection: ConnectionSpec, octets: Buffer, coding: number): string;
}

/** The carrier approves templates. A refusal is a `CarrierRefusal`; any other error can be retried. */
export interface TemplateReview {
  submit(connection: ConnectionSpec, draft: TemplateDraft): Promise<TemplateState>;
  change(connection: ConnectionSpec, external_id: string, draft: TemplateDraft): Promise<TemplateState>;
  remove(connection: ConnectionSpec, template: { external_id: string; name: string }): Promise<void>;
  list(connection: ConnectionSpec): Promise<TemplateState[]>;
}

/** Senders are enrolled at the carrier. A refusal is a `CarrierRefusal`. */
export interface SenderLifecycle {
  /**
   * Makes a number of ours a sender and returns the carrier's name for it. Can be repeated. `pin`: six digits, the
   * number's own.
   */
  enroll(connection: ConnectionSpec, sender: { number: string; display_name: string; pin: string }): Promise<Enrolled>;
  /** The carrier sends a verification code to the number. */
  requestCode(connection: ConnectionSpec, address: string, method: 'sms' | 'voice'): Promise<void>;
  verifyCode(connection: ConnectionSpec, address: string, code: string): Promise<void>;
  /** Ends the sender at the carrier, if there is one. */
  release(connection: ConnectionSpec, address: string): Promise<void>;
  /** Returns the fields that the carrier refused; it has taken the others. */
  putProfile(connection: ConnectionSpec, address: string, profile: SenderProfile): Promise<ProfileRefusal[]>;
  /** The carrier state of a sender, for its owner to read. */
  fetchState(connection: ConnectionSpec, address: string): Promise<Record<string, string | number | boolean>>;
}

/** People can send files. */
export interface MediaSource {
  fetch(
    connection: ConnectionSpec,
    source: string,
  ): Promise<{ stream: Readable; content_type: string; bytes: number | null }>;
}

/** The sender of an inbound message can be shown that it was read. */
export interface ReadMarks {
  mark(connection: ConnectionSpec, message: { address: string; external_id: string }): Promise<void>;
}
