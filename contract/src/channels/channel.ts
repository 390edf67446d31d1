/** What a channel is, as data: everything the gate, the price, the composer and the preview ask of it. Its adapter is the server's, its look the web's. */
import type { ChannelName } from '../common.ts';
import type { MessageType } from '../messages/content.ts';

export interface ChannelRules {
  readonly name: ChannelName;
  readonly label: string;
  readonly types: readonly MessageType[];
  readonly max_text: number;
  readonly max_buttons: number;
  readonly button_text: number;
  /** What the price counts: parts of a text, or whole messages. */
  readonly counts: 'segments' | 'messages';
  /** When what was held for a message is taken: once the carrier has it, or once the person does. */
  readonly charged_at: 'sent' | 'delivered';
  /** Who says which connection carries a message: the routes, by number; or its sender, who is known to one carrier only. */
  readonly carried_by: 'routes' | 'sender';
  /**
   * A person's message opens a session; null where anybody may be written to at any time. `renewed`: each further message of theirs begins its hours
   * anew. `outside`: what may be sent without one. `in_a_row`: so many of ours without an answer close it early,
   * `in_session`: so many in all.
   */
  readonly session: {
    readonly hours: number;
    readonly renewed: boolean;
    readonly outside: 'templates' | 'promotional';
    readonly in_a_row: number | null;
    readonly in_session: number | null;
  } | null;
  /** People have an address there that need not be a phone number. */
  readonly other_addresses: boolean;
  /** How the outcome of what was read comes back. */
  readonly reads: boolean;
}
