import type { Content } from '@parley/contract/messages/content.ts';
import type { ProblemName } from '@parley/contract/problem.ts';

/** The text and content of one message, with its template filled in and its file resolved. */
export interface ComposedMessage {
  text: string;
  /** Null for SMS. */
  content: Content | null;
  template_id: string | null;
  /** The purpose that the caller requested. If it is null, the purpose is derived from the conversation. */
  purpose: 'promotional' | 'transactional' | null;
  /** The texts and contents by recipient, in the order of the request; absent if all get the same message. */
  personal?: readonly PersonalMessage[];
  /**
   * What recipients with an open session get instead of the template, in the order of the request. Only for channels
   * where people without one get only templates.
   */
  in_session?: readonly PersonalMessage[] | undefined;
}

export interface PersonalMessage {
  text: string;
  content: Content | null;
  /** Why this recipient cannot get the message. */
  refusal?: ProblemName | undefined;
}
