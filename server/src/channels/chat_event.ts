/** Events of a chat carrier other than new messages and statuses, and the content that they share with messages. */

import type { ContactCard, Place } from '@parley/contract/messages/cards.ts';

/**
 * The content of an inbound message other than text. `media.source` is the input for `MediaSource`: the carrier's id
 * for the file, or the file's URL.
 */
export interface IncomingContent {
  media: {
    type: 'image' | 'video' | 'document';
    source: string;
    content_type: string | null;
    file_name: string | null;
  } | null;
  pressed: { text: string; value: string; from_list?: true } | null;
  location?: Place;
  contacts?: ContactCard[];
  /** The carrier's id for the outbound message that this message replies to. */
  answers: string | null;
}

/** A change to an earlier message, which the carrier names by its id. An empty `emoji` removes the reaction. */
export type Amendment = { external_id: string } & (
  | { kind: 'edit'; text: string }
  | { kind: 'revoke' }
  | { kind: 'reaction'; emoji: string }
);

export type ChatEvent =
  /** The person has a new number. */
  | { kind: 'number'; address: string; external_id: string; before: string; after: string; at?: number }
  /** A message that the business sent from its phone app, not through Parley. */
  | {
      kind: 'echo';
      address: string;
      to: string;
      external_id: string;
      text: string;
      at?: number;
      content?: IncomingContent;
      amends?: Amendment;
    }
  /** An error of the connection that is not about a message. */
  | { kind: 'error'; code: string; text: string };
