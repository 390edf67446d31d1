/**
 * Viber Business Messages as simulated by the sandbox: services send, phones write, and callbacks follow. A message is
 * written to the journal before its request gets a response.
 */
import { chance } from '../world/carrier.ts';
import type { Chat, ChatChannel, Inbound, Step } from '../world/chat.ts';
import type { Profile } from '../world/profile.ts';
import { messageBody, type Notice, noticeBody, statusBody } from './callback_body.ts';
import { viberExtra } from './extra.ts';
import { writeInbound } from './inbound.ts';
import { viberRule } from './magic.ts';
import { toToken } from './numbers.ts';
import { deliverySteps } from './plan.ts';
import { Sending } from './sending.ts';
import { type ViberOptions, ViberState } from './state.ts';

const noticePrefix = 'viber/notice/';

export class Viber extends ViberState implements ChatChannel {
  readonly sending = new Sending(this);

  constructor(options: ViberOptions) {
    super(options);
    const { messages, facts } = options.world;
    for (const message of messages.kept.after(0)) if (message.kind === 'chat') this.restore(message);
    for (const notice of facts.list<Notice>(noticePrefix)) this.sendNotice(notice);
  }

  notify(chat: Chat, n: number): void {
    const inbound = chat.direction === 'from_phone';
    this.callbacks.add({
      service_id: Number(chat.business_id),
      about: chat.id,
      body: () => (inbound ? messageBody(chat, this.origin) : statusBody(chat, n)),
      // A magic number changes the callbacks about messages sent to it, but not about messages that it sends.
      rule: inbound ? {} : viberRule(chat.phone),
      gone: () => chat.gone === true,
      done: () => this.world.chats.acknowledge(chat, n),
    });
  }

  stepsOnArrival(chat: Chat): Step[] {
    const { reads } = this.world.messages.phones.getProfile(chat.phone);
    return deliverySteps(chat.phone, reads, this.settings, this.hasCallback(chat.business_id));
  }

  stepsOnRead(chat: Chat): Step[] {
    const { reads } = this.world.messages.phones.getProfile(chat.phone);
    const rule = viberRule(chat.phone);
    if (reads === 'never' || rule.seen === 'never') return [];
    const notifies =
      this.hasCallback(chat.business_id) && !rule.silent && !chance(this.settings.callbacks_lost_percent);
    return [{ status: 'read', due: Date.now(), ...(!notifies && { told: false }) }];
  }

  async write(digits: string, inbound: Inbound): Promise<Chat> {
    const chat = await writeInbound(this, digits, inbound);
    this.track(chat);
    return chat;
  }

  profileChanged(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void {
    const notify = (event: Notice['event'], service_id: number) => {
      if (!this.hasCallback(String(service_id))) return;
      const notice = { event, token: toToken(this.numbers.next()), service_id, phone: digits, time: Date.now() };
      this.world.facts.put(`${noticePrefix}${notice.token}`, notice);
      this.sendNotice(notice);
    };
    for (const id of now.viber_blocked) if (!before.viber_blocked.includes(id)) notify('unsubscribed', id);
    for (const id of before.viber_blocked) if (!now.viber_blocked.includes(id)) notify('subscribed', id);
  }

  /** The number of callbacks, about messages and about blocking, that have not been acknowledged yet. */
  get pending(): number {
    return this.world.messages.chats.VIBER.pending + this.world.facts.list(noticePrefix).length;
  }

  reset(): void {
    this.clear();
    this.sending.clear();
    this.publishChange();
  }

  close(): void {
    this.callbacks.close();
  }

  /** Rebuilds tracking and session counters from a message found in the journal at startup. */
  private restore(chat: Chat): void {
    if (chat.channel !== 'VIBER') return;
    this.track(chat);
    const { session: seq, session_opened: opened } = viberExtra(chat);
    if (seq === undefined || opened === undefined) return;
    const session = this.sessions.restore(Number(chat.business_id), chat.phone, seq, opened);
    if (chat.direction === 'from_phone') session.unanswered = 0;
    else this.sessions.countSent(session);
  }

  private sendNotice(notice: Notice): void {
    const key = `${noticePrefix}${notice.token}`;
    this.callbacks.add({
      service_id: notice.service_id,
      about: `${notice.phone} ${notice.service_id}`,
      body: () => noticeBody(notice),
      rule: viberRule(notice.phone),
      gone: () => this.world.facts.get(key) === undefined,
      done: () => this.world.facts.remove(key),
    });
  }
}
