/** Capabilities of carriers with an HTTP API, and what they report besides messages. */

/** The state of a phone that sends our messages. `failed_count` is the number of failed messages in the last hour. */
export interface DeviceState {
  battery_percent: number;
  is_charging: boolean;
  is_online: boolean;
  /** The generation of the mobile network. */
  network: 'none' | 'unknown' | '2G' | '3G' | '4G' | '5G';
  failed_count: number;
}

/** A message that may have reached the carrier. */
export interface SentMessage {
  from: string;
  to: string;
  text: string;
  reference: number;
  /** The time of the submission, in milliseconds. */
  sent_at: number;
}

/** Implemented if the carrier can be asked for a message whose response was lost. */
export interface MessageLookup {
  /** Returns the ids of the messages that equal this one. An empty list proves nothing. */
  find(connection: { id: string; settings: unknown }, message: SentMessage): Promise<readonly string[]>;
}

/** Implemented if messages can get reactions. An empty emoji removes the reaction. Safe to repeat. */
export interface Reactions {
  react(
    connection: { id: string; settings: unknown },
    reaction: { address: string; to: string; external_id: string; emoji: string },
  ): Promise<void>;
}

/** Implemented if the carrier can show people that their messages were read. */
export interface ReadMarks {
  mark(connection: { id: string; settings: unknown }, message: { address: string; external_id: string }): Promise<void>;
}
