/** A message draft. */
import type { Cards } from './cards.ts';
import type { Button, MessageType } from './content.ts';

export interface MessageDraft {
  readonly type: MessageType;
  readonly text: string;
  readonly template: string | null;
  readonly variables: readonly (string | null)[] | null;
  readonly media_id: string | null;
  readonly url: string | null;
  /** The displayed name of a document, without its extension. */
  readonly file_name: string | null;
  readonly buttons: readonly Button[];
  /** The ID of the message that this one quotes. */
  readonly reply_to: string | null;
  /** Null without a location, contacts, or a list. */
  readonly cards: Cards | null;
  readonly purpose: 'promotional' | 'transactional' | null;
}
