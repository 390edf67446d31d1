// Viber Business Messages as the sandbox plays it: what services send, what phones answer, and the callbacks that follow. A message is
// in the journal before it is answered. Knows no socket but that of its callbacks; routes.ts stands around it.
import { chance } from '../carrier.ts';
import { type Chat, type ChatChannel, type Inbound, isWaiting, type Step } from '../chat.ts';
import type { Live } from '../live.ts';
import type { Profile } from '../profile.ts';
import type { World } from '../world.ts';
import { Businesses } from './businesses.ts';
import { messageBody, type Notice, noticeBody, statusBody } from './callbacks.ts';
import { Links } from './content.ts';
import { Courier } from './courier.ts';
import { arrival, expiredStep } from './fate.ts';
import { type ViberRule, viberMagicOf } from './magic.ts';
import { changeMoods, type Moods, usualMoods } from './moods.ts';
import { Numbers, tokenOf } from './numbers.ts';
import { Sending } from './sending.ts';
import { Sessions } from './sessions.ts';
import { Templates } from './templates.ts';
import { writeInbound } from './writing.ts';

export interface ViberOptions {
  world: World;
  live: Live;
  preset: { callback_url: string; auth_token: string };
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

const moodsKey = 'viber/moods';
const noticePrefix = 'viber/notice/';
const mostWithMedia = 50_000;
/** One phone's list of blocked services is no longer than this. */
const mostBlocked = 100;

export const extraOf = (chat: Chat): Extra => (chat.extra ?? {}) as Extra;
export const ruleOf = (digits: string): ViberRule => viberMagicOf(digits)?.rule ?? {};

export class Viber implements ChatChannel {
  world: World;
  businesses: Businesses;
  templates: Templates;
  courier: Courier;
  sessions = new Sessions();
  links: Links;
  numbers = new Numbers();
  sending = new Sending(this);
  /** Where this sandbox is, for links in callbacks. */
  origin = '';
  #live: Live;
  #moods: Moods | undefined;
  #withMedia = new Map<string, Chat>();

  constructor({ world, live, preset }: ViberOptions) {
    this.world = world;
    this.#live = live;
    this.businesses = new Businesses(world.facts, preset);
    this.templates = new Templates(world.facts);
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

  owe(chat: Chat, n: number): void {
    const inbound = chat.direction === 'from_phone';
    this.courier.owe({
      service_id: Number(chat.business_id),
      about: chat.id,
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
    this.keep(chat);
    return chat;
  }

  /** What is to be known of a message from now on, new or found at start. */
  keep(chat: Chat): void {
    this.#keepMedia(chat);
    this.#expireLater(chat);
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

  /** Callbacks that are not acknowledged yet, about messages and about blocking. */
  get pending(): number {
    return this.world.messages.chats.VIBER.pending + this.world.facts.list(noticePrefix).length;
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
    this.#live.tell('viber', '', () => ({ settings: this.moods }));
  }

  reset(): void {
    this.#moods = undefined;
    this.courier.clear();
    this.sessions.clear();
    this.links.clear();
    this.#withMedia.clear();
    this.sending.clear();
    this.changed();
  }

  close(): void {
    this.courier.close();
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
    this.keep(chat);
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
      about: `${notice.phone} ${notice.service_id}`,
      body: () => noticeBody(notice),
      rule: ruleOf(notice.phone),
      gone: () => this.world.facts.get(key) === undefined,
      done: () => this.world.facts.remove(key),
    });
  }

  #listens(business_id: string): boolean {
    return (this.businesses.find(Number(business_id))?.callback_url ?? '') !== '';
  }
}
