// One send_message from its bytes to its answer: refused with a status, or in the journal and answered with a token, or, where a setting
// or a magic number says so, not answered at all.
import { chance } from '../carrier.ts';
import type { Chat } from '../chat.ts';
import { Refusals } from '../refusals.ts';
import { shownContent } from './content.ts';
import { arrival } from './fate.ts';
import { Habits } from './habits.ts';
import type { Moods } from './moods.ts';
import { bare, parseExact, sessionIdOf, tokenOf } from './numbers.ts';
import { type Accepted, readRequest, seqOf } from './request.ts';
import type { Session } from './sessions.ts';
import { Refusal, status } from './statuses.ts';
import { type Extra, ruleOf, type Viber } from './viber.ts';

export interface Answer {
  /** Null: the connection is cut. */
  body: string | null;
  after_ms: number;
}

export interface RefusedLately {
  time: string;
  status: number;
  service_id: unknown;
  to: unknown;
  reason: string;
}

const mostLately = 50;

export class Sending {
  /** How often each status was answered, and the newest of those refusals. */
  refused = new Map<number, number>();
  lately: RefusedLately[] = [];
  #viber: Viber;
  #habits: Habits;
  #refusals = new Refusals();

  constructor(viber: Viber) {
    this.#viber = viber;
    this.#habits = new Habits(viber);
  }

  clear(): void {
    this.refused.clear();
    this.lately = [];
    this.#refusals.clear();
    this.#habits.clear();
  }

  /** One send_message. */
  async send(text: string): Promise<Answer> {
    const moods = this.#viber.moods;
    let body: unknown;
    try {
      try {
        body = parseExact(text);
      } catch {
        throw new Refusal(status.bad_data, 'the body is not valid JSON');
      }
      const request = readRequest(body, {
        business: (service_id) => this.#viber.businesses.find(service_id),
        template: (template_id) => this.#viber.templates.find(template_id),
      });
      return await this.#take(request, moods);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.#countRefusal(error, body);
      return {
        body: JSON.stringify({ status: error.status, seq: written(seqOf(body)) }),
        after_ms: moods.answer_delay_ms,
      };
    }
  }

  async #take(request: Accepted, moods: Moods): Promise<Answer> {
    const rule = ruleOf(request.to);
    const magic = Object.keys(rule).length > 0;
    if (rule.refuse && this.#refusals.still(`${request.to} ${JSON.stringify(request.content)}`, rule.refuse_times)) {
      throw new Refusal(rule.refuse, 'a magic number');
    }
    if (!magic && chance(moods.refused_percent)) throw new Refusal(moods.refused_status, 'by the settings');
    const { phones } = this.#viber.world.messages;
    const profile = phones.profileOf(request.to);
    if (!profile.viber) throw new Refusal(status.not_viber_user, 'the phone has no Viber');
    if (profile.viber_blocked.includes(request.service_id)) {
      throw new Refusal(status.user_blocked, 'the phone blocks the service');
    }
    if (phones.stateOf(request.to) === 'reject') {
      throw new Refusal(status.user_blocked, 'the phone refuses every message');
    }
    if (rule.cut === 'lost') return { body: null, after_ms: 0 };
    const session = this.#sessionFor(request, moods);
    const chat = await this.#accept(request, session);
    this.#habits.after(chat);
    const lost = rule.cut === 'taken' || (!magic && chance(moods.answers_lost_percent));
    const body = {
      status: status.ok,
      message_token: bare(chat.id),
      seq: written(request.seq),
      session_id: session && bare(sessionIdOf(session.seq)),
    };
    return { body: lost ? null : JSON.stringify(body), after_ms: rule.answer_after_ms ?? moods.answer_delay_ms };
  }

  #sessionFor({ kind, service_id, to }: Accepted, moods: Moods): Session | undefined {
    if (kind !== 'session') return undefined;
    const session = this.#viber.sessions.open(service_id, to, Date.now(), moods);
    const refusal = this.#viber.sessions.refusal(session, moods);
    if (!session || refusal) throw new Refusal(status.wait_for_user, refusal ?? '');
    // Counted before the message is written down: what comes in the meantime must not slip through.
    this.#viber.sessions.said(session);
    return session;
  }

  async #accept(request: Accepted, session: Session | undefined): Promise<Chat> {
    const { world } = this.#viber;
    const token = tokenOf(this.#viber.numbers.next());
    const { content, link } = shownContent(token, request.content);
    const business = this.#viber.businesses.find(request.service_id)!;
    const away = world.messages.phones.stateOf(request.to) !== 'on';
    const { reads } = world.messages.phones.profileOf(request.to);
    const { type, label, tag, seq, ttl_seconds } = request;
    const extra: Extra = { type, label, tag, seq, ttl_seconds, expires: Date.now() + ttl_seconds * 1000, link };
    if (session) Object.assign(extra, { session: session.seq, session_opened: session.opened });
    try {
      const chat = await world.chats.accept({
        channel: 'VIBER',
        direction: 'to_phone',
        phone: request.to,
        peer: business.name,
        business_id: String(business.service_id),
        id: token,
        content,
        reference: request.tracking_data || null,
        reply_to: null,
        extra: { ...extra },
        steps: away ? [] : arrival(request.to, reads, this.#viber.moods, business.callback_url !== ''),
      });
      this.#viber.keep(chat);
      return chat;
    } catch (error) {
      if (session) this.#viber.sessions.unsaid(session);
      throw new Refusal(status.internal, (error as Error).message);
    }
  }

  #countRefusal({ status: code, message }: Refusal, body: unknown): void {
    const { service_id, dest: to } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    this.lately.unshift({
      time: new Date().toISOString(),
      status: code,
      service_id: service_id ?? null,
      to: to ?? null,
      reason: message,
    });
    this.lately.length = Math.min(this.lately.length, mostLately);
    this.#viber.changed();
  }
}

/** `seq` as it goes back; 0 when there was none to give back. */
const written = (seq: ReturnType<typeof seqOf>): unknown => (typeof seq === 'string' ? bare(seq) : (seq ?? 0));
