import type { Content } from '@parley/contract/messages/content.ts';

/** The text and content of one message, with its template filled in and its file resolved. */
export interface ComposedMessage {
  text: string;
  /** Null for SMS. */
  content: Content | null;
  template_id: string | null;
  /** The purpose the caller requested; null derives it from the conversation. */
  purpose: 'promotional' | 'transactional' | null;
}
