/**
 * Sessions between a service and a phone. Only a message from the phone opens a session. A session lasts for a fixed
 * time. It limits how many messages the business may send, both in total and without a reply. A later message from the
 * phone counts as a reply but does not extend the session.
 */
import { toSessionId } from './numbers.ts';

export interface Session {
  service_id: number;
  phone: string;
  /** The session ID is derived from this number. */
  seq: number;
  opened: number;
  /** The number of messages that the business sent, in total and since the phone last wrote. */
  sent: number;
  unanswered: number;
}

interface SessionLimits {
  session_length_ms: number;
  messages_unanswered: number;
  messages_per_session: number;
}

const maxSessions = 100_000;

export class Sessions {
  private readonly sessions = new Map<string, Session>();

  /** Returns the session that is open now, if any. */
  findOpen(service_id: number, phone: string, now: number, limits: SessionLimits): Session | undefined {
    const session = this.sessions.get(toKey(service_id, phone));
    return session && now < session.opened + limits.session_length_ms ? session : undefined;
  }

  /** Returns why the business may not send a session message now, or undefined if it may. */
  refusal(session: Session | undefined, limits: SessionLimits): string | undefined {
    if (!session) return 'there is no open session: the user must write first';
    if (session.sent >= limits.messages_per_session) {
      return `the session limit of ${limits.messages_per_session} messages is reached`;
    }
    if (session.unanswered >= limits.messages_unanswered) {
      return `${limits.messages_unanswered} messages in a row got no reply`;
    }
    return undefined;
  }

  /**
   * Returns the session with this number. If the session is unknown, recreates it in the state that it had when it was
   * opened.
   */
  restore(service_id: number, phone: string, seq: number, opened: number): Session {
    const key = toKey(service_id, phone);
    const existing = this.sessions.get(key);
    if (existing?.seq === seq) return existing;
    const session: Session = { service_id, phone, seq, opened, sent: 0, unanswered: 0 };
    this.sessions.delete(key);
    this.sessions.set(key, session);
    if (this.sessions.size > maxSessions) this.sessions.delete(this.sessions.keys().next().value!);
    return session;
  }

  countSent(session: Session): void {
    session.sent += 1;
    session.unanswered += 1;
  }

  uncountSent(session: Session): void {
    session.sent -= 1;
    session.unanswered -= 1;
  }

  all(): Iterable<Session> {
    return this.sessions.values();
  }

  clear(): void {
    this.sessions.clear();
  }
}

const toKey = (service_id: number, phone: string) => `${service_id} ${phone}`;

export function sessionJson(session: Session, now: number, limits: SessionLimits) {
  const ends = session.opened + limits.session_length_ms;
  return {
    service_id: session.service_id,
    session_id: toSessionId(session.seq),
    opened: new Date(session.opened).toISOString(),
    ends: new Date(ends).toISOString(),
    open: now < ends,
    messages: session.sent,
    unanswered: session.unanswered,
  };
}
