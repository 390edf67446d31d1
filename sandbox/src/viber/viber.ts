// Viber Business Messages as the sandbox plays it: what services send, what phones answer, and the callbacks that follow. A message is
// in the journal before it is answered. Knows no socket but that of its callbacks; routes.ts stands around it.
import { chance } from '../carrier.ts';
import { type Chat, type ChatChannel, type Inbound, isWaiting, type Step } from '../chat.ts';
import type { Live } from '../live.ts';
import type { Profile } from '../profile.ts';
import type { World } from '../world.ts';
import { Businesses } from './businesses.ts';
import { messageBody, type Notice, noticeBody, statusBody } from './callbacks.ts';
import { Links, shownContent } from './content.ts';
import { Courier } from './courier.ts';
import { arrival, expiredStep } from './fate.ts';
import { Habits } from './habits.ts';
import { type ViberRule, viberMagicOf } from './magic.ts';
import { changeMoods, type Moods, usualMoods } from './moods.ts';
import { bare, Numbers, parseExact, sessionIdOf, tokenOf } from './numbers.ts';
import { type Accepted, type Business, readRequest, seqOf } from './request.ts';
import { type Session, Sessions } from './sessions.ts';
import { Refusal, status } from './statuses.ts';
import { writeInbound } from './writing.ts';

export interface ViberOptions {
  world: World;
  live: Live;
  preset: { callback_url: string; auth_token: string };
}

export interface Answer {
  /** Null: the connection is cut. */
  body: string | null;
  after_ms: number;
}

/** What only Viber knows of a message; a phone's message has but the session. */
export interface Extra {
  type?: number;
  label?: string;
  tag?: string;
  seq?: number | string | null;
  ttl_seconds?: number;
  expires?: number;
  link?: string | null;
  session?: number;
  session_opened?: number;
}

export interface RefusedLately {
  time: string;
  status: number;
  service_id: unknown;
  to: unknown;
  reason: string;
}

const moodsKey = 'viber/moods';
const noticePrefix = 'viber/notice/';
const mostLately = 50;
const mostRetried = 10_000;
const mostWithMedia = 50_000;
/** One phone's list of blocked services is no longer than this. */
const mostBlocked = 100;

export const extraOf = (chat: Chat): Extra => (chat.extra ?? {}) as Extra;
export const ruleOf = (digits: string): ViberRule => viberMagicOf(digits)?.rule ?? {};

export class Viber implements ChatChannel {
  world: World;
  businesses: Businesses;
  courier: Courier;
  sessions = new Sessions();
  links: Links;
  numbers = new Numbers();
  refused = new Map<number, number>();
  lately: RefusedLately[] = [];
  /** Where this sandbox is, for links in callbacks. */
  origin = '';
  #live: Live;
  #habits = new Habits(this);
  #refusals = new Map<string, number>();
  #moods: Moods | undefined;
  #withMedia = new Map<string, Chat>();

  constructor({ world, live, preset }: ViberOptions) {
    this.world = world;
    this.#live = live;
    this.businesses = new Businesses(world.facts, preset);
    this.courier = new Courier(
      (service_id) => this.businesses.find(service_id),
      () => this.moods,
      world.schedule,
    );
    this.links = new Links(world.files);
    for (const message of world.messages.kept.after(0)) if (message.kind === 'chat') this.#remember(message);
    for (const notice of world.facts.list<Notice>(noticePrefix)) this.#tell(notice);
  }

  get moods(): Moods {
    this.#moods ??= { ...usualMoods(), ...this.world.facts.get<Moods>(moodsKey) };
    return this.#moods;
  }

  setMoods(body: unknown): Moods {
    this.#moods = changeMoods(this.moods, body);
    this.world.facts.put(moodsKey, this.#moods);
    this.changed();
    return this.#moods;
  }

  /** One send_message. */
  async send(text: string): Promise<Answer> {
    const moods = this.moods;
    let body: unknown;
    try {
      try {
        body = parseExact(text);
      } catch {
        throw new Refusal(status.bad_data, 'the body is not valid JSON');
      }
      const request = readRequest(body, (service_id) => this.businesses.find(service_id));
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

  owe(chat: Chat, n: number): void {
    const inbound = chat.direction === 'from_phone';
    this.courier.owe({
      service_id: Number(chat.business_id),
      body: () => (inbound ? messageBody(chat, this.origin) : statusBody(chat, n)),
      // What a magic number does to callbacks, it does to those about messages to it.
      rule: inbound ? {} : ruleOf(chat.phone),
      gone: () => chat.gone === true,
      done: () => this.world.chats.acknowledged(chat, n),
    });
  }

  arrives(chat: Chat): Step[] {
    const { reads } = this.world.messages.phones.profileOf(chat.phone);
    return arrival(chat.phone, reads, this.moods, this.#listens(chat.business_id));
  }

  reads(chat: Chat): Step[] {
    const { reads } = this.world.messages.phones.profileOf(chat.phone);
    const rule = ruleOf(chat.phone);
    if (reads === 'never' || rule.seen === 'never') return [];
    const told = this.#listens(chat.business_id) && !rule.untold && !chance(this.moods.callbacks_lost_percent);
    return [{ status: 'read', due: Date.now(), ...(!told && { told: false }) }];
  }

  async write(digits: string, inbound: Inbound): Promise<Chat> {
    const chat = await writeInbound(this, digits, inbound);
    this.#keepMedia(chat);
    return chat;
  }

  /** The message whose picture, video or file this is. */
  mediaOf(token: string): Chat | undefined {
    const chat = this.#withMedia.get(token);
    return chat?.gone ? undefined : chat;
  }

  profileChanged(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void {
    const tell = (event: Notice['event'], service_id: number) => {
      if (!this.#listens(String(service_id))) return;
      const notice = { event, token: tokenOf(this.numbers.next()), service_id, phone: digits, time: Date.now() };
      this.world.facts.put(`${noticePrefix}${notice.token}`, notice);
      this.#tell(notice);
    };
    for (const id of now.viber_blocked) if (!before.viber_blocked.includes(id)) tell('unsubscribed', id);
    for (const id of before.viber_blocked) if (!now.viber_blocked.includes(id)) tell('subscribed', id);
  }

  block(digits: string, service_id: number): void {
    const { phones } = this.world.messages;
    const profile = phones.profileOf(digits);
    if (profile.viber_blocked.includes(service_id)) return;
    const viber_blocked = [...profile.viber_blocked, service_id].slice(-mostBlocked);
    this.world.setPhone(digits, phones.stateOf(digits), { ...profile, viber_blocked });
  }

  /** Services, settings or counters are others now. */
  changed(): void {
    this.#live.tell('viber', '', () => ({}));
  }

  reset(): void {
    this.#moods = undefined;
    this.courier.clear();
    this.sessions.clear();
    this.links.clear();
    this.#withMedia.clear();
    this.#habits.clear();
    this.#refusals.clear();
    this.refused.clear();
    this.lately = [];
    this.changed();
  }

  close(): void {
    this.courier.close();
  }

  async #take(request: Accepted, moods: Moods): Promise<Answer> {
    const rule = ruleOf(request.to);
    const magic = Object.keys(rule).length > 0;
    if (rule.refuse && this.#stillRefuses(`${request.to} ${JSON.stringify(request.content)}`, rule.refuse_times)) {
      throw new Refusal(rule.refuse, 'a magic number');
    }
    if (!magic && chance(moods.refused_percent)) throw new Refusal(moods.refused_status, 'by the settings');
    const profile = this.world.messages.phones.profileOf(request.to);
    if (!profile.viber) throw new Refusal(status.not_viber_user, 'the phone has no Viber');
    if (profile.viber_blocked.includes(request.service_id)) {
      throw new Refusal(status.user_blocked, 'the phone blocks the service');
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
    const session = this.sessions.open(service_id, to, Date.now(), moods);
    const refusal = this.sessions.refusal(session, moods);
    if (!session || refusal) throw new Refusal(status.wait_for_user, refusal ?? '');
    // Counted before the message is written down: what comes in the meantime must not slip through.
    this.sessions.said(session);
    return session;
  }

  async #accept(request: Accepted, session: Session | undefined): Promise<Chat> {
    const { world } = this;
    const token = tokenOf(this.numbers.next());
    const { content, link } = shownContent(token, request.content);
    const business = this.businesses.find(request.service_id)!;
    const phone = world.messages.phones.stateOf(request.to);
    const away = phone === 'off' || phone === 'out_of_reach';
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
        steps: away ? [] : arrival(request.to, reads, this.moods, business.callback_url !== ''),
      });
      this.#keepMedia(chat);
      this.#expireLater(chat);
      return chat;
    } catch (error) {
      if (session) this.sessions.unsaid(session);
      throw new Refusal(status.internal, (error as Error).message);
    }
  }

  /** What waits for its phone waits no longer than its TTL. */
  #expireLater(chat: Chat): void {
    if (!isWaiting(chat)) return;
    this.world.schedule.at(extraOf(chat).expires ?? 0, () => {
      if (chat.gone || !isWaiting(chat)) return;
      const told = this.#listens(chat.business_id) && !chance(this.moods.callbacks_lost_percent);
      this.world.chats.add(chat, [expiredStep(Date.now(), told)]);
    });
  }

  #keepMedia(chat: Chat): void {
    if (!chat.content.media) return;
    this.#withMedia.set(chat.id, chat);
    if (this.#withMedia.size > mostWithMedia) this.#withMedia.delete(this.#withMedia.keys().next().value!);
  }

  /** At start: sessions are what the messages say they are. */
  #remember(chat: Chat): void {
    if (chat.channel !== 'VIBER') return;
    this.#keepMedia(chat);
    this.#expireLater(chat);
    const { session: seq, session_opened: opened } = extraOf(chat);
    if (seq === undefined || opened === undefined) return;
    const session = this.sessions.recall(Number(chat.business_id), chat.phone, seq, opened);
    if (chat.direction === 'from_phone') session.unanswered = 0;
    else this.sessions.said(session);
  }

  #tell(notice: Notice): void {
    const key = `${noticePrefix}${notice.token}`;
    this.courier.owe({
      service_id: notice.service_id,
      body: () => noticeBody(notice),
      rule: ruleOf(notice.phone),
      gone: () => this.world.facts.get(key) === undefined,
      done: () => this.world.facts.remove(key),
    });
  }

  #listens(business_id: string): boolean {
    return (this.businesses.find(Number(business_id))?.callback_url ?? '') !== '';
  }

  #stillRefuses(key: string, times: number | undefined): boolean {
    if (times === undefined) return true;
    const refused = this.#refusals.get(key) ?? 0;
    this.#refusals.delete(key);
    if (refused >= times) return false;
    this.#refusals.set(key, refused + 1);
    if (this.#refusals.size > mostRetried) this.#refusals.delete(this.#refusals.keys().next().value!);
    return true;
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
    this.changed();
  }
}

/** `seq` as it goes back; 0 when there was none to give back. */
const written = (seq: ReturnType<typeof seqOf>): unknown => (typeof seq === 'string' ? bare(seq) : (seq ?? 0));

export type { Business };
