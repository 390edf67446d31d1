/** The content of a message for a carrier. */
import type { Readable } from 'node:stream';
import type { Cards } from '@parley/contract/messages/cards.ts';
import type { Button, Purpose } from '@parley/contract/messages/content.ts';

/** A file for a carrier. We upload it, or the carrier fetches it from `link`. */
export interface OutgoingMedia {
  type: 'image' | 'video' | 'document';
  /** Identifies the file, so that it is uploaded only once. Null if only the link to a customer's file is known. */
  key: string | null;
  link: string;
  file_name: string;
  content_type: string | null;
  bytes: number | null;
  /** The URL of a video's preview image. */
  picture?: string;
  /** Reads a range of a customer's linked file, and its total size. Returns null if the size is unknown. */
  readRange?: (from: number, bytes: number) => Promise<{ octets: Buffer; total: number } | null>;
  /** Null if only the link is known. */
  open: (() => Promise<Readable>) | null;
}

/** Everything in a message except its text. */
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
    /** The names of the `body_values`, for carriers that take values by name. */
    body_names?: readonly string[] | undefined;
  } | null;
  purpose: Purpose | null;
  /** The carrier's id of the message that this one quotes. */
  quoted_id?: string | null;
  /** A location, contacts, or a list, on channels that have them. */
  cards?: Cards;
}
