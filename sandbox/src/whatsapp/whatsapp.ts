/**
 * WhatsApp as simulated by the sandbox: the business account with its numbers, templates, and files, the people it
 * writes to, and the resulting webhooks. Everything that must survive a restart is in the world's journal.
 */
import type { Live } from '../live.ts';
import type { Chat, ChatChannel, Inbound, Step } from '../world/chat.ts';
import type { Profile } from '../world/profile.ts';
import { toUserId } from '../world/user_id.ts';
import type { World } from '../world/world.ts';
import type { WhatsappConfig, WhatsappNumber } from './account.ts';
import { whatsappExtra } from './envelope.ts';
import { write } from './inbound.ts';
import { findWhatsappMagic } from './magic.ts';
import { arrivalSteps } from './plan.ts';
import { fetchLinked } from './sending.ts';
import { defaultWhatsappSettings } from './settings.ts';
import { WhatsappState } from './state.ts';

export class Whatsapp extends WhatsappState implements ChatChannel {
  constructor(world: World, live: Live, config: WhatsappConfig) {
    super(world, live, config);
    world.chats.connect('WHATSAPP', this);
    this.webhooks.resume();
    this.resumeReviews();
  }

  start(chat: Chat): void {
    if (whatsappExtra(chat).fetch) void fetchLinked(this, chat);
  }

  notify(chat: Chat, n: number): void {
    this.webhooks.add({ kind: 'chat', chat, n });
  }

  stepsOnArrival(chat: Chat): Step[] {
    const rule = findWhatsappMagic(chat.phone)?.rule;
    if (chat.steps.length === 0 || rule?.statuses === 'sent_only') return [];
    const steps = arrivalSteps(Date.now(), this.circumstances(chat.phone, whatsappExtra(chat), false, rule));
    return rule?.statuses === 'none' ? steps.map((step) => ({ ...step, told: false })) : steps;
  }

  stepsOnRead(chat: Chat): Step[] {
    const silent = this.world.messages.phones.getProfile(chat.phone).reads === 'never';
    return [{ status: 'read', due: Date.now(), ...(silent && { told: false }) }];
  }

  write(digits: string, inbound: Inbound): Promise<Chat> {
    return write(this, digits, inbound);
  }

  profileChanged(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void {
    if (before.marketing_stopped === now.marketing_stopped) return;
    const value = now.marketing_stopped ? 'stop' : 'resume';
    const contact = { ...(!now.number_hidden && { wa_id: digits }), user_id: toUserId(digits) };
    const detail = `User requested to ${value} marketing messages`;
    for (const number of this.contactedNumbers(digits)) {
      const preference = {
        ...contact,
        detail,
        category: 'marketing_messages',
        value,
        timestamp: Math.floor(Date.now() / 1000),
      };
      this.webhooks.addEvent('user_preferences', {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: number.digits, phone_number_id: number.id },
        contacts: [contact],
        user_preferences: [preference],
      });
    }
  }

  keepsFact(fact: string): boolean {
    return /^whatsapp:(number|profile|subscription|template|sample|deleted)\b/.test(fact);
  }

  reset(): void {
    this.settings = defaultWhatsappSettings();
    this.webhooks.reset();
    this.media.reset();
    this.resumeReviews();
    this.refusals.clear();
    this.pairLimit.clear();
    this.windows.clear();
    this.autoReplies.clear();
    this.publishChange();
  }

  close(): void {
    this.closed = true;
    this.webhooks.close();
  }

  private resumeReviews(): void {
    this.templates.resume();
    for (const number of this.account.numbers()) this.reviewName(number);
  }

  /** Returns the numbers of the business with which the phone has exchanged messages. */
  private contactedNumbers(digits: string): WhatsappNumber[] {
    const numbers = new Map<string, WhatsappNumber>();
    for (const { business_id } of this.newestMessages(digits)) {
      const number = numbers.has(business_id) ? undefined : this.account.number(business_id);
      if (number) numbers.set(number.id, number);
    }
    return [...numbers.values()];
  }
}
