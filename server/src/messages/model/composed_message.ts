import type { Content } from '@parley/contract/messages/content.ts';

/** The text and content of one message, with its template filled in and its file resolved. */
export interface ComposedMessage {
  text: string;
  /** Null for SMS. */
  content: Content | null;
  template_id: string | null;
  /** The purpose that the caller requested. If it is null, the purpose is derived from the conversation. */
  purpose: 'promotional' | 'transactional' | null;
}
