// Sessions of a service with a phone: opened only by a message of the phone, for a time, with a limit to what the business may say
// unanswered and in all. A message of the phone while one is open answers what was said; it makes the session no longer.
import { sessionIdOf } from './numbers.ts';

export interface Session {
  service_id: number;
  phone: string;
  /** What the session id is made of. */
  seq: number;
  opened: number;
  /** Business messages so far, and those since the phone last wrote. */
  sent: number;
  unanswered: number;
}

export interface SessionLimits {
  session_length_ms: number;
  messages_unanswered: number;
  messages_per_session: number;
}

const most = 100_000;

export class Sessions {
  #sessions = new Map<string, Session>();

  /** The session that is open now, if any. */
  open(service_id: number, phone: string, now: number, limits: SessionLimits): Session | undefined {
    const session = this.#sessions.get(keyOf(service_id, phone));
    return session && now < session.opened + limits.session_length_ms ? session : undefined;
  }

  /** Why the business may not write in a session now; undefined when it may. */
  refusal(session: Session | undefined, limits: SessionLimits): string | undefined {
    if (!session) return 'there is no open session: the user must write first';
    if (session.sent >= limits.messages_per_session) {
      return `the session has had its ${limits.messages_per_session} messages`;
    }
    if (session.unanswered >= limits.messages_unanswered) {
      return `${limits.messages_unanswered} messages in a row were not answered`;
    }
    return undefined;
  }

  /** That session: as it is known, or as it was when it was opened. */
  recall(service_id: number, phone: string, seq: number, opened: number): Session {
    const key = keyOf(service_id, phone);
    const known = this.#sessions.get(key);
    if (known?.seq === seq) return known;
    const session: Session = { service_id, phone, seq, opened, sent: 0, unanswered: 0 };
    this.#sessions.delete(key);
    this.#sessions.set(key, session);
    if (this.#sessions.size > most) this.#sessions.delete(this.#sessions.keys().next().value!);
    return session;
  }

  said(session: Session): void {
    session.sent += 1;
    session.unanswered += 1;
  }

  unsaid(session: Session): void {
    session.sent -= 1;
    session.unanswered -= 1;
  }

  all(): Iterable<Session> {
    return this.#sessions.values();
  }

  clear(): void {
    this.#sessions.clear();
  }
}

const keyOf = (service_id: number, phone: string) => `${service_id} ${phone}`;

export function sessionJson(session: Session, now: number, limits: SessionLimits) {
  const ends = session.opened + limits.session_length_ms;
  return {
    service_id: session.service_id,
    session_id: sessionIdOf(session.seq),
    opened: new Date(session.opened).toISOString(),
    ends: new Date(ends).toISOString(),
    open: now < ends,
    messages: session.sent,
    unanswered: session.unanswered,
  };
}
