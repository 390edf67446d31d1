// WhatsApp in the box: the business account with its numbers, templates and files, the people it writes to and the webhooks that tell of
// them. Everything that lasts is in the world's journal; here is only what may be forgotten in a restart.
import { randomBytes } from 'node:crypto';
import { Throttle } from '../carrier.ts';
import type { Chat, ChatChannel, Inbound, Step } from '../chat.ts';
import type { Live } from '../live.ts';
import type { Profile } from '../profile.ts';
import { Refusals } from '../refusals.ts';
import { userIdOf } from '../user_id.ts';
import type { World } from '../world.ts';
import { Account, tierOf, tierOrder, type WhatsappConfig, type WhatsappNumber } from './account.ts';
import { Answers } from './answers.ts';
import { BusinessProfiles } from './business_profile.ts';
import { type Extra, extraOf } from './envelope.ts';
import { GraphError } from './graph_error.ts';
import { write } from './inbound.ts';
import { type WhatsappRule, whatsappMagicOf } from './magic.ts';
import { MediaShelf } from './media.ts';
import { Pairs } from './pairs.ts';
import { arrivalSteps, type Circumstances } from './plan.ts';
import { fetchLinked } from './sending.ts';
import { changeWhatsapp, usualWhatsapp, type WhatsappSettings } from './settings.ts';
import { Templates } from './templates.ts';
import { Webhooks } from './webhooks.ts';
import { Windows } from './windows.ts';

const settingsKey = 'whatsapp:settings';

export class Whatsapp implements ChatChannel {
  world: World;
  account: Account;
  media: MediaShelf;
  profiles: BusinessProfiles;
  templates: Templates;
  webhooks: Webhooks;
  throttle = new Throttle();
  pairs = new Pairs();
  windows: Windows;
  refusals = new Refusals();
  closed = false;
  settings: WhatsappSettings;
  #live: Live;
  answers: Answers;

  constructor(world: World, live: Live, config: WhatsappConfig) {
    this.world = world;
    this.#live = live;
    this.settings = { ...usualWhatsapp(), ...world.facts.get<WhatsappSettings>(settingsKey) };
    this.answers = new Answers(this);
    this.windows = new Windows(world.messages);
    this.account = new Account(config, world.facts);
    this.media = new MediaShelf(world.facts, world.files, config.app_secret);
    this.profiles = new BusinessProfiles(world.facts, this.media);
    this.webhooks = new Webhooks(world, this.account, () => this.settings);
    this.templates = new Templates(
      world.facts,
      this.media,
      world.schedule,
      (field, value) => {
        this.webhooks.event(field, value);
        this.tell();
      },
      () => this.settings.review_delay_ms,
    );
    world.chats.connect('WHATSAPP', this);
    this.templates.resume();
    this.webhooks.resume();
    for (const number of this.account.numbers()) this.reviewName(number);
  }

  change(body: unknown): WhatsappSettings {
    const before = tierOf(this.settings.messaging_limit);
    this.settings = changeWhatsapp(this.settings, body);
    if (tierOf(this.settings.messaging_limit) !== before) this.#tellLimit(before);
    this.world.facts.put(settingsKey, this.settings);
    this.webhooks.pump();
    this.tell();
    return this.settings;
  }

  /** The page shows templates, numbers and settings: read them again. */
  tell(): void {
    this.#live.tell('whatsapp', '', () => ({}));
  }

  newId(digits: string): string {
    const bytes = Buffer.concat([
      Buffer.from([0x1c, 0x18, digits.length]),
      Buffer.from(digits),
      Buffer.from([0x15, 0x02, 0x00, 0x11, 0x18, 0x12]),
      Buffer.from(randomBytes(9).toString('hex').toUpperCase()),
      Buffer.from([0x00]),
    ]);
    return `wamid.${bytes.toString('base64')}`;
  }

  /** By the id WhatsApp gave it or the sandbox's own. */
  find(digits: string, id: string): Chat | undefined {
    for (const item of this.world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind !== 'chat' || item.channel !== 'WHATSAPP') continue;
      if (item.id === id || String(item.seq) === id) return item;
    }
    return undefined;
  }

  /** The number of the phone is in the id. */
  findById(id: string): Chat | undefined {
    const bytes = Buffer.from(id.replace(/^wamid\./, ''), 'base64');
    return this.find(bytes.toString('latin1', 3, 3 + (bytes[2] ?? 0)), id);
  }

  circumstances(digits: string, extra: Extra, has_file: boolean, rule?: WhatsappRule): Circumstances {
    const { phones } = this.world.messages;
    const [state, profile] = [phones.stateOf(digits), phones.profileOf(digits)];
    return { settings: this.settings, state, profile, rule, extra, has_file };
  }

  starts(chat: Chat): void {
    if (extraOf(chat).fetch) void fetchLinked(this, chat);
  }

  owe(chat: Chat, n: number): void {
    this.webhooks.owe({ kind: 'chat', chat, n });
  }

  arrives(chat: Chat): Step[] {
    const rule = whatsappMagicOf(chat.phone)?.rule;
    if (chat.steps.length === 0 || rule?.statuses === 'sent_only') return [];
    const steps = arrivalSteps(Date.now(), this.circumstances(chat.phone, extraOf(chat), false, rule));
    return rule?.statuses === 'none' ? steps.map((step) => ({ ...step, told: false })) : steps;
  }

  reads(chat: Chat): Step[] {
    const silent = this.world.messages.phones.profileOf(chat.phone).reads === 'never';
    return [{ status: 'read', due: Date.now(), ...(silent && { told: false }) }];
  }

  write(digits: string, inbound: Inbound): Promise<Chat> {
    return write(this, digits, inbound);
  }

  profileChanged(digits: string, before: Readonly<Profile>, now: Readonly<Profile>): void {
    if (before.marketing_stopped === now.marketing_stopped) return;
    const value = now.marketing_stopped ? 'stop' : 'resume';
    const who = { ...(!now.number_hidden && { wa_id: digits }), user_id: userIdOf(digits) };
    const detail = `User requested to ${value} marketing messages`;
    for (const number of this.#businessesOf(digits)) {
      const preference = {
        ...who,
        detail,
        category: 'marketing_messages',
        value,
        timestamp: Math.floor(Date.now() / 1000),
      };
      this.webhooks.event('user_preferences', {
        messaging_product: 'whatsapp',
        metadata: { display_phone_number: number.digits, phone_number_id: number.id },
        contacts: [who],
        user_preferences: [preference],
      });
    }
  }

  /** The business has read a message, and may be typing. */
  markRead(id: string, typing: boolean): void {
    const chat = this.findById(id);
    if (chat?.direction !== 'from_phone') throw new GraphError(131009, `message_id: there is no message ${id}`);
    this.world.chats.seen(chat);
    if (typing) {
      this.#live.tell('typing', chat.phone, () => ({ digits: chat.phone, channel: 'WHATSAPP', peer: chat.peer }));
    }
  }

  /** Names are looked at once, after the time reviews take; words in them decide. */
  reviewName(number: WhatsappNumber): void {
    if (number.name_status !== 'PENDING_REVIEW') return;
    this.world.schedule.at(number.created + this.settings.review_delay_ms, () => {
      const now = this.account.number(number.id);
      if (now?.name_status === 'PENDING_REVIEW')
        this.decideName(now, /declined/i.test(now.verified_name) ? 'DECLINED' : 'APPROVED');
    });
  }

  rate(number: WhatsappNumber, quality_rating: WhatsappNumber['quality_rating']): void {
    this.account.put({ ...number, quality_rating });
    this.webhooks.event('phone_number_quality_update', {
      display_phone_number: number.digits,
      event: quality_rating === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
      current_limit: tierOf(this.settings.messaging_limit),
    });
    this.tell();
  }

  /** To the phone of the number: by SMS, or as somebody would write down what a call said. */
  carryCode({ digits }: WhatsappNumber, method: string, code: string): void {
    const pair = `${code.slice(0, 3)}-${code.slice(3)}`;
    const text = method === 'VOICE' ? `Call of WhatsApp: your code is ${pair}` : `Your WhatsApp code: ${pair}`;
    const draft = { system_id: '', sequence_number: 0, from: 'WhatsApp', to: digits, text, data_coding: 0 };
    const whole = { part: 1, parts: 1, part_ref: 0, reference: null, registered_delivery: 0, expires: 0 };
    void this.world.submit({ ...draft, ...whole }, this.world.fate(digits, text)).catch(() => {});
  }

  #tellLimit(old_limit: string): void {
    const { messaging_limit } = this.settings;
    const current_limit = tierOf(messaging_limit);
    const grows = tierOrder.indexOf(current_limit) > tierOrder.indexOf(old_limit);
    for (const { digits, status } of this.account.numbers()) {
      if (status !== 'CONNECTED') continue;
      this.webhooks.event('phone_number_quality_update', {
        display_phone_number: digits,
        event: grows ? 'UPGRADE' : 'DOWNGRADE',
        old_limit,
        current_limit,
        max_daily_conversations_per_business: current_limit,
      });
    }
  }

  decideName(number: WhatsappNumber, name_status: WhatsappNumber['name_status']): void {
    this.account.put({ ...number, name_status });
    if (name_status === 'PENDING_REVIEW') return;
    this.webhooks.event('phone_number_name_update', {
      display_phone_number: number.digits,
      decision: name_status === 'APPROVED' ? 'APPROVED' : 'REJECTED',
      requested_verified_name: number.verified_name,
      rejection_reason: name_status === 'APPROVED' ? null : 'NAME_DECLINED',
    });
    this.tell();
  }

  /** Resolves when the business has acknowledged the step, or after five seconds. */
  async acknowledged(chat: Chat, n: number): Promise<void> {
    const end = Date.now() + 5_000;
    while ((chat.acked & (1 << n)) === 0 && Date.now() < end && !this.closed) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  keeps(fact: string): boolean {
    return /^whatsapp:(number|profile|subscription|template|sample|deleted)\b/.test(fact);
  }

  reset(): void {
    this.settings = usualWhatsapp();
    this.webhooks.reset();
    this.media.reset();
    this.templates.resume();
    for (const number of this.account.numbers()) this.reviewName(number);
    this.refusals.clear();
    this.pairs.clear();
    this.windows.clear();
    this.answers.clear();
    this.tell();
  }

  close(): void {
    this.closed = true;
    this.webhooks.close();
  }

  #businessesOf(digits: string): WhatsappNumber[] {
    const found = new Map<string, WhatsappNumber>();
    for (const item of this.world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind !== 'chat' || item.channel !== 'WHATSAPP' || found.has(item.business_id)) continue;
      const number = this.account.number(item.business_id);
      if (number) found.set(number.id, number);
    }
    return [...found.values()];
  }
}
