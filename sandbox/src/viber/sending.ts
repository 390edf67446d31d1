/**
 * Handles one send_message request: refuses it with a status, or stores it in the journal and responds with a token. A
 * setting or a magic number can also cut the connection.
 */
import { chance } from '../world/carrier.ts';
import type { Chat } from '../world/chat.ts';
import { Refusals } from '../world/refusals.ts';
import { AutoActions } from './auto_actions.ts';
import { toContent } from './content.ts';
import type { ViberExtra } from './extra.ts';
import { viberRule } from './magic.ts';
import { bareNumber, parseExact, toSessionId, toToken } from './numbers.ts';
import { deliverySteps } from './plan.ts';
import { type Accepted, readRequest, readSeq } from './request.ts';
import type { Session } from './sessions.ts';
import type { ViberSettings } from './settings.ts';
import type { ViberState } from './state.ts';
import { Refusal, status } from './statuses.ts';

interface SendResponse {
  /** Null means that the connection is dropped. */
  body: string | null;
  after_ms: number;
}

interface RecentRefusal {
  time: string;
  status: number;
  service_id: unknown;
  to: unknown;
  reason: string;
}

const maxRecentRefusals = 50;

export class Sending {
  /** The number of times each refusal status was used, and the newest refusals. */
  readonly refused = new Map<number, number>();
  recentRefusals: RecentRefusal[] = [];
  private readonly viber: ViberState;
  private readonly autoActions: AutoActions;
  private readonly refusals = new Refusals();

  constructor(viber: ViberState) {
    this.viber = viber;
    this.autoActions = new AutoActions(viber);
  }

  clear(): void {
    this.refused.clear();
    this.recentRefusals = [];
    this.refusals.clear();
    this.autoActions.clear();
  }

  async send(text: string): Promise<SendResponse> {
    const { settings } = this.viber;
    let body: unknown;
    try {
      try {
        body = parseExact(text);
      } catch {
        throw new Refusal(status.bad_data, 'the body is not valid JSON');
      }
      const request = readRequest(body, {
        findBusiness: (service_id) => this.viber.businesses.find(service_id),
        findTemplate: (template_id) => this.viber.templates.find(template_id),
      });
      return await this.process(request, settings);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.countRefusal(error, body);
      return {
        body: JSON.stringify({ status: error.status, seq: echoSeq(readSeq(body)) }),
        after_ms: settings.answer_delay_ms,
      };
    }
  }

  private async process(request: Accepted, settings: ViberSettings): Promise<SendResponse> {
    const rule = viberRule(request.to);
    const isMagic = Object.keys(rule).length > 0;
    if (
      rule.refuse &&
      this.refusals.shouldRefuse(`${request.to} ${JSON.stringify(request.content)}`, rule.refuse_times)
    ) {
      throw new Refusal(rule.refuse, 'the number is magic');
    }
    if (!isMagic && chance(settings.refused_percent))
      throw new Refusal(settings.refused_status, 'the settings refuse it');
    const { phones } = this.viber.world.messages;
    const profile = phones.getProfile(request.to);
    if (!profile.viber) throw new Refusal(status.not_viber_user, 'the phone has no Viber');
    if (profile.viber_blocked.includes(request.service_id)) {
      throw new Refusal(status.user_blocked, 'the phone blocks the service');
    }
    if (phones.getState(request.to) === 'reject') {
      throw new Refusal(status.user_blocked, 'the phone rejects every message');
    }
    if (rule.cut === 'lost') return { body: null, after_ms: 0 };
    const session = this.requireSession(request, settings);
    const chat = await this.accept(request, session);
    this.autoActions.schedule(chat);
    const lost = rule.cut === 'accepted' || (!isMagic && chance(settings.answers_lost_percent));
    const body = {
      status: status.ok,
      message_token: bareNumber(chat.id),
      seq: echoSeq(request.seq),
      session_id: session && bareNumber(toSessionId(session.seq)),
    };
    return { body: lost ? null : JSON.stringify(body), after_ms: rule.respond_after_ms ?? settings.answer_delay_ms };
  }

  private requireSession({ kind, service_id, to }: Accepted, settings: ViberSettings): Session | undefined {
    if (kind !== 'session') return undefined;
    const session = this.viber.sessions.findOpen(service_id, to, Date.now(), settings);
    const refusal = this.viber.sessions.refusal(session, settings);
    if (!session || refusal) throw new Refusal(status.wait_for_user, refusal ?? '');
    // The message is counted before it is stored, so that requests arriving in the meantime cannot exceed the limit.
    this.viber.sessions.countSent(session);
    return session;
  }

  private async accept(request: Accepted, session: Session | undefined): Promise<Chat> {
    const { world } = this.viber;
    const token = toToken(this.viber.numbers.next());
    const { content, link } = toContent(token, request.content);
    const business = this.viber.businesses.find(request.service_id)!;
    const unreachable = world.messages.phones.getState(request.to) !== 'on';
    const { reads } = world.messages.phones.getProfile(request.to);
    const { type, label, tag, seq, ttl_seconds } = request;
    const extra: ViberExtra = { type, label, tag, seq, ttl_seconds, expires: Date.now() + ttl_seconds * 1000, link };
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
        steps: unreachable ? [] : deliverySteps(request.to, reads, this.viber.settings, business.callback_url !== ''),
      });
      this.viber.track(chat);
      return chat;
    } catch (error) {
      if (session) this.viber.sessions.uncountSent(session);
      throw new Refusal(status.internal, (error as Error).message);
    }
  }

  private countRefusal({ status: code, message }: Refusal, body: unknown): void {
    const { service_id, dest: to } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
    this.refused.set(code, (this.refused.get(code) ?? 0) + 1);
    this.recentRefusals.unshift({
      time: new Date().toISOString(),
      status: code,
      service_id: service_id ?? null,
      to: to ?? null,
      reason: message,
    });
    this.recentRefusals.length = Math.min(this.recentRefusals.length, maxRecentRefusals);
    this.viber.publishChange();
  }
}

/** Returns `seq` in the form in which the response repeats it, or 0 if the request had none. */
const echoSeq = (seq: ReturnType<typeof readSeq>): unknown => (typeof seq === 'string' ? bareNumber(seq) : (seq ?? 0));
