/**
 * What an adapter is: it speaks one carrier protocol and classifies what comes back, in a closed vocabulary. It never retries, logs or touches the
 * database; what a failure means for a message is decided here, in one table, for every channel alike.
 */
import type { Readable } from 'node:stream';
import type { Button, Purpose } from '@parley/contract/messages/content.ts';
import type { Failure } from '@parley/contract/messages/messages.ts';

/**
 * connection  it certainly never left, or the carrier cannot take anything now
 * throttled   the carrier asks for less
 * rejected    the carrier will not take this one, whenever it is asked
 * invalid     we built something the carrier cannot read
 * config      the connection's settings are wrong for this message
 * opted_out   the person does not want it, says the carrier
 * unknown     it may have left and no answer came
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
  /** "Not now" that may also mean "never": tried again only so often. */
  limited?: boolean;
  /** The conversation is over there, whatever we believed: nothing more within it until the person writes. */
  closes?: boolean;
}

/** again: back to the queue. evidence: nobody knows; only a report or the grace period settles it. Otherwise final, with the status. */
export const AFTER: Record<FailureKind, 'again' | 'evidence' | 'failed' | 'rejected' | 'unsubscribed'> = {
  connection: 'again',
  throttled: 'again',
  unknown: 'evidence',
  rejected: 'rejected',
  invalid: 'failed',
  config: 'failed',
  opted_out: 'unsubscribed',
};

/** What to say about it to those who may read a message's timeline: no text, no whole number. */
export type Detail = Record<string, string | number | boolean | readonly (string | number)[]>;

/** A file on its way to a carrier: to be handed over, or fetched by it from `link`. */
export interface OutgoingMedia {
  type: 'image' | 'video' | 'document';
  /** The same for the same file, for as long as there is one: what was handed over once need not be again. Null: somebody else's, only the link is known. */
  key: string | null;
  link: string;
  file_name: string;
  content_type: string | null;
  bytes: number | null;
  /** Of a video: where a picture of it is. */
  picture?: string;
  /** Of somebody else's: some of its octets, and how many it has; null when nobody says. */
  stretch?: (from: number, bytes: number) => Promise<{ octets: Buffer; total: number } | null>;
  /** Null when only the link is known. */
  open: (() => Promise<Readable>) | null;
}

/** All of a message that is not its text. */
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
    /** What each of `body_values` is called, where the carrier asks for values by name. */
    body_names?: readonly string[] | undefined;
  } | null;
  purpose: Purpose | null;
}

export interface Outgoing {
  /** As the carrier knows the sender. */
  from: string;
  /** Digits with country code, or the address the channel gave the person. */
  to: string;
  text: string;
  /** Null: text only. */
  content: OutgoingContent | null;
  /** Ours, echoed by carriers that can: 1 to 65535. Also joins the parts of a long message on the phone. */
  reference: number;
  /** Seconds after which it is not worth delivering any more. */
  valid_seconds: number;
  /** Parts the carrier has taken in an earlier attempt: not sent again. */
  sent_parts: readonly number[];
}

export interface AcceptedPart {
  part: number;
  external_id: string;
}

export interface Outcome {
  /** How many parts the whole message has on this connection. */
  parts: number;
  /** Those the carrier took in this attempt. */
  accepted: AcceptedPart[];
  /** Null: all parts are with the carrier now. */
  failure: SendFailure | null;
  detail: Detail;
}

/** What became of a message, or of one part of it. */
export interface Report {
  /** In the form of `AcceptedPart.external_id`; empty when the carrier gave none. */
  external_id: string;
  status: 'enroute' | 'sent' | 'delivered' | 'read' | 'failed' | 'rejected' | 'expired' | 'unsubscribed';
  /** The carrier's word for it. */
  state: string;
  code: string | null;
  /** Of one that failed, where the carrier says more than its status does: what it means, and in words. */
  failure?: Pick<SendFailure, 'kind' | 'text' | 'closes'>;
  /** Our reference, when the carrier echoed it. */
  reference: number | null;
  /** Whose phone. */
  number: string;
  /** Our address the message was from. */
  sender: string;
  /** When it happened, by the carrier's clock, in milliseconds; left out where the carrier does not tell, or not of which zone. */
  at?: number;
  detail: Detail;
}

/** Somebody wrote to us, all of it or one part. */
export interface Incoming {
  from: string;
  to: string;
  /** Null for a part: a letter can be cut in two, so octets are joined before they are read. */
  text: string | null;
  part: { key: string; total: number; part: number; octets: Buffer; coding: number } | null;
  /** Same for what the carrier delivers again. */
  digest: Buffer;
  /** On which line it came: one that is cut and opened again is another session. */
  session: string;
  /** The carrier's id of it, where it gives one that never repeats: what came under it once is not taken again, however late. */
  external_id?: string;
  /** Another address of the same person, which may be all there is next time. */
  alias?: string;
  /** As the person calls themself. */
  profile_name?: string;
  /** When they wrote it, as in `Report`. */
  at?: number;
  content?: IncomingContent;
}

/** What a person sent besides text. `media.source` is the carrier's id or address of the file, read by `fetchMedia`. */
export interface IncomingContent {
  media: {
    type: 'image' | 'video' | 'document';
    source: string;
    content_type: string | null;
    file_name: string | null;
  } | null;
  pressed: { text: string; value: string } | null;
  /** The carrier's id of the message of ours that it answers. */
  answers: string | null;
}

/** Null: not rated (yet). */
export type TemplateQuality = 'GREEN' | 'YELLOW' | 'RED' | null;

/** What a carrier tells besides messages. Closed: what fits none of these is not told. */
export type Notice =
  | {
      kind: 'template';
      external_id: string;
      status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED';
      paused: boolean;
      /** Of one that is paused: for good. */
      disabled: boolean;
      /** The carrier's word; empty when it gives none. */
      reason: string;
      category: string | null;
    }
  /** Of a template, whether it is approved, resting or neither: how people take it, or what it counts as now. */
  | { kind: 'template_detail'; external_id: string; quality?: TemplateQuality; category?: string }
  /** Quality, limits, names, restrictions of a sender: shown to its owner. `address` may be its code; empty: of all senders of the connection. */
  | { kind: 'sender'; address: string; state: Record<string, string | number | boolean> }
  /** The person wants no more of this kind, or wants it again. */
  | { kind: 'consent'; address: string; from: string; stopped: boolean };

export interface CallbackRequest {
  method: 'GET' | 'POST';
  query: Readonly<Record<string, string>>;
  headers: Readonly<Record<string, string>>;
  /** As it came, to the byte: signatures are over this. */
  body: Buffer;
}

/** What is in it is written down before the answer is given; a `status` other than 2xx carries nothing. */
export interface Callback {
  status: number;
  body: string;
  reports: readonly Report[];
  incoming: readonly Incoming[];
  notices: readonly Notice[];
}

/** A template as a carrier is asked to approve it. Placeholders are `{tag}` or `{tag:fallback}`; `samples` has one for each, header first. */
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
  /** Together what the carrier tells templates apart by: one that was taken by it without our hearing of it is found again by them. */
  name: string;
  language: string;
  status: 'IN_PROCESS' | 'COMPLETED' | 'CANCELED';
  paused: boolean;
  disabled: boolean;
  reason: string;
  category: string | null;
  /** Left out where the answer says nothing of it. */
  quality?: TemplateQuality;
}

/** Where the carrier approves templates. A refusal is a `CarrierRefusal`; anything else that is thrown may be tried again. */
export interface TemplateDesk {
  submit(connection: ConnectionSpec, draft: TemplateDraft): Promise<TemplateState>;
  change(connection: ConnectionSpec, external_id: string, draft: TemplateDraft): Promise<TemplateState>;
  remove(connection: ConnectionSpec, template: { external_id: string; name: string }): Promise<void>;
  list(connection: ConnectionSpec): Promise<TemplateState[]>;
}

/** The carrier has understood and says no: the words are for people. */
export class CarrierRefusal extends Error {
  readonly code: string;
  constructor(code: string, text: string) {
    super(text);
    this.name = 'CarrierRefusal';
    this.code = code;
  }
}

/** What people see when they open a sender. Null: it stays as it is there; empty: nothing. */
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

/** `waits`: it is there, but the carrier wants it shown by a code of its own before anything is sent from it. */
export interface Enrolled {
  address: string;
  waits: boolean;
}

export type LineState = 'connecting' | 'bound' | 'throttled' | 'waiting' | 'stopped';

/** The carrier is told "taken" only when these resolve. */
export interface LineEvents {
  report(report: Report): Promise<void>;
  incoming(incoming: Incoming): Promise<void>;
  /** State or room changed: look again. */
  changed(): void;
}

export interface Line {
  readonly state: LineState;
  readonly detail: string;
  readonly session: string | null;
  /** Messages without an answer that the carrier allows. */
  readonly window: number;
  readonly in_flight: number;
  /** How many messages could leave right now, and at most at once. */
  readonly free: number;
  readonly burst: number;
  /** Settles exactly once and never rejects. */
  send(message: Outgoing): Promise<Outcome>;
  /** Lets what is under way finish for so long, then ends. */
  close(drain_ms: number): Promise<void>;
}

export interface ConnectionSpec {
  id: string;
  settings: unknown;
}

export interface Adapter {
  readonly name: string;
  /** Lines that these settings ask for. */
  lines(connection: ConnectionSpec): number;
  open(connection: ConnectionSpec, events: LineEvents): Line;
  /** In how many parts the text goes over this connection. */
  parts(connection: ConnectionSpec, text: string): number;
  /** Joined octets of a message that came in parts. */
  readText(connection: ConnectionSpec, octets: Buffer, coding: number): string;
  // The rest is of channels over HTTP. Settings are given with their secrets opened.
  /** Pure: reads what a carrier calls back with, signature first. */
  callback?(connection: ConnectionSpec, request: CallbackRequest): Callback;
  /** Tells the carrier where to call back; again and again does no harm. */
  subscribe?(connection: ConnectionSpec, url: string): Promise<void>;
  /** A number of ours becomes a sender there; the answer is how the carrier knows it. Again and again does no harm. `pin`: six digits, the number's own. */
  enroll?(connection: ConnectionSpec, sender: { number: string; display_name: string; pin: string }): Promise<Enrolled>;
  /** A code of the carrier goes to the number. A refusal is a `CarrierRefusal`, here and below. */
  requestCode?(connection: ConnectionSpec, address: string, method: 'sms' | 'voice'): Promise<void>;
  verifyCode?(connection: ConnectionSpec, address: string, code: string): Promise<void>;
  /** It is no sender there any more; one that is none is as wanted. */
  release?(connection: ConnectionSpec, address: string): Promise<void>;
  /** Undoes `subscribe`, for all that shares the carrier's account. */
  unsubscribe?(connection: ConnectionSpec): Promise<void>;
  /** Which account of the carrier's this is: templates, and where it calls back, are shared within. Needs no secrets. */
  accountOf?(connection: ConnectionSpec): string;
  /** What it does not take is told field by field; the rest is taken. */
  putProfile?(connection: ConnectionSpec, address: string, profile: SenderProfile): Promise<ProfileRefusal[]>;
  /** What the carrier says of a sender, for its owner to read. */
  look?(connection: ConnectionSpec, address: string): Promise<Record<string, string | number | boolean>>;
  /** A file that a person sent. */
  fetchMedia?(
    connection: ConnectionSpec,
    source: string,
  ): Promise<{ stream: Readable; content_type: string; bytes: number | null }>;
  /** The person sees that it was read. */
  markRead?(connection: ConnectionSpec, message: { address: string; external_id: string }): Promise<void>;
  readonly templates?: TemplateDesk;
}
