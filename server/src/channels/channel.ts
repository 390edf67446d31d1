/**
 * What an adapter is: it speaks one carrier protocol and classifies what comes back, in a closed vocabulary. It never retries, logs or touches the
 * database; what a failure means for a message is decided here, in one table, for every channel alike.
 */
import type { Failure } from '@parley/contract/messages.ts';

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
  /** In words, for people. */
  text: string;
  /** "Not now" that may also mean "never": tried again only so often. */
  limited?: boolean;
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

export interface Outgoing {
  from: string;
  /** Digits with country code. */
  to: string;
  text: string;
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
  /** Our reference, when the carrier echoed it. */
  reference: number | null;
  /** Whose phone. */
  number: string;
  /** Our address the message was from. */
  sender: string;
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
}
