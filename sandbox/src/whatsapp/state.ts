import { randomBytes } from 'node:crypto';
import type { Live } from '../live.ts';
import { Throttle } from '../world/carrier.ts';
import type { Chat, Inbound } from '../world/chat.ts';
import { Refusals } from '../world/refusals.ts';
import type { World } from '../world/world.ts';
import { Account, limitTier, tierOrder, type WhatsappConfig, type WhatsappNumber } from './account.ts';
import { AutoReplies } from './auto_replies.ts';
import { BusinessProfiles } from './business_profile.ts';
import type { WhatsappExtra } from './envelope.ts';
import { GraphError } from './graph/graph_error.ts';
import type { WhatsappRule } from './magic.ts';
import { MediaStore } from './media.ts';
import { PairLimit } from './pair_limit.ts';
import type { Circumstances } from './plan.ts';
import { changeWhatsappSettings, defaultWhatsappSettings, type WhatsappSettings } from './settings.ts';
import { Templates } from './templates/templates.ts';
import { Webhooks } from './webhooks.ts';
import { Windows } from './windows.ts';

const settingsKey = 'whatsapp:settings';

/**
 * The state shared by all parts of the WhatsApp simulator: the account, media, templates, settings, limits, and
 * webhooks.
 */
export abstract class WhatsappState {
  readonly world: World;
  readonly account: Account;
  readonly media: MediaStore;
  readonly profiles: BusinessProfiles;
  readonly templates: Templates;
  readonly webhooks: Webhooks;
  readonly throttle = new Throttle();
  readonly pairLimit = new PairLimit();
  readonly windows: Windows;
  readonly refusals = new Refusals();
  readonly autoReplies: AutoReplies;
  settings: WhatsappSettings;
  closed = false;
  protected readonly live: Live;

  constructor(world: World, live: Live, config: WhatsappConfig) {
    this.world = world;
    this.live = live;
    this.settings = { ...defaultWhatsappSettings(), ...world.facts.get<WhatsappSettings>(settingsKey) };
    this.autoReplies = new AutoReplies(
      world,
      () => this.settings,
      (digits, inbound) => this.write(digits, inbound),
    );
    this.windows = new Windows(world.messages);
    this.account = new Account(config, world.facts);
    this.media = new MediaStore(world.facts, world.files, config.app_secret);
    this.profiles = new BusinessProfiles(world.facts, this.media);
    this.webhooks = new Webhooks(world, this.account, () => this.settings);
    this.templates = new Templates(
      world.facts,
      this.media,
      world.schedule,
      (field, value) => {
        this.webhooks.addEvent(field, value);
        this.publishChange();
      },
      () => this.settings.review_delay_ms,
    );
  }

  /** Sends a message from the phone to a business. */
  abstract write(digits: string, inbound: Inbound): Promise<Chat>;

  changeSettings(body: unknown): WhatsappSettings {
    const before = limitTier(this.settings.messaging_limit);
    this.settings = changeWhatsappSettings(this.settings, body);
    if (limitTier(this.settings.messaging_limit) !== before) this.notifyLimitChange(before);
    this.world.facts.put(settingsKey, this.settings);
    this.webhooks.pump();
    this.publishChange();
    return this.settings;
  }

  /** Notifies the page that templates, numbers, or settings have changed. */
  publishChange(): void {
    this.live.publish('whatsapp', '', () => ({}));
  }

  newMessageId(digits: string): string {
    const bytes = Buffer.concat([
      Buffer.from([0x1c, 0x18, digits.length]),
      Buffer.from(digits),
      Buffer.from([0x15, 0x02, 0x00, 0x11, 0x18, 0x12]),
      Buffer.from(randomBytes(9).toString('hex').toUpperCase()),
      Buffer.from([0x00]),
    ]);
    return `wamid.${bytes.toString('base64')}`;
  }

  /** Finds a message on a phone by its WhatsApp ID or its sandbox ID. */
  find(digits: string, id: string): Chat | undefined {
    for (const item of this.newestMessages(digits)) if (item.id === id || String(item.seq) === id) return item;
    return undefined;
  }

  circumstances(digits: string, extra: WhatsappExtra, has_file: boolean, rule?: WhatsappRule): Circumstances {
    const { phones } = this.world.messages;
    const [state, profile] = [phones.getState(digits), phones.getProfile(digits)];
    return { settings: this.settings, state, profile, rule, extra, has_file };
  }

  /** Marks a message from a phone as read by the business, which may also show that it is typing. */
  markRead(id: string, typing: boolean): void {
    const chat = this.findById(id);
    if (chat?.direction !== 'from_phone') throw new GraphError(131009, `message_id: there is no message ${id}`);
    this.world.chats.markSeen(chat);
    if (typing) {
      this.live.publish('typing', chat.phone, () => ({ digits: chat.phone, channel: 'WHATSAPP', peer: chat.peer }));
    }
  }

  /** Decides on the display name once the review delay is over. A name that contains "declined" is declined. */
  reviewName(number: WhatsappNumber): void {
    if (number.name_status !== 'PENDING_REVIEW') return;
    this.world.schedule.at(number.created + this.settings.review_delay_ms, () => {
      const now = this.account.number(number.id);
      if (now?.name_status === 'PENDING_REVIEW')
        this.decideName(now, /declined/i.test(now.verified_name) ? 'DECLINED' : 'APPROVED');
    });
  }

  decideName(number: WhatsappNumber, name_status: WhatsappNumber['name_status']): void {
    this.account.put({ ...number, name_status });
    if (name_status === 'PENDING_REVIEW') return;
    this.webhooks.addEvent('phone_number_name_update', {
      display_phone_number: number.digits,
      decision: name_status === 'APPROVED' ? 'APPROVED' : 'REJECTED',
      requested_verified_name: number.verified_name,
      rejection_reason: name_status === 'APPROVED' ? null : 'NAME_DECLINED',
    });
    this.publishChange();
  }

  setQuality(number: WhatsappNumber, quality_rating: WhatsappNumber['quality_rating']): void {
    this.account.put({ ...number, quality_rating });
    this.webhooks.addEvent('phone_number_quality_update', {
      display_phone_number: number.digits,
      event: quality_rating === 'RED' ? 'FLAGGED' : 'UNFLAGGED',
      current_limit: limitTier(this.settings.messaging_limit),
    });
    this.publishChange();
  }

  /**
   * Sends a verification code to the phone with this number. A voice call is simulated by an SMS that contains the
   * spoken text.
   */
  sendCode({ digits }: WhatsappNumber, method: string, code: string): void {
    const pair = `${code.slice(0, 3)}-${code.slice(3)}`;
    const text = method === 'VOICE' ? `Call from WhatsApp: your code is ${pair}` : `Your WhatsApp code: ${pair}`;
    const draft = { system_id: '', sequence_number: 0, from: 'WhatsApp', to: digits, text, data_coding: 0 };
    const whole = { part: 1, parts: 1, part_ref: 0, reference: null, registered_delivery: 0, expires: 0 };
    void this.world.submit({ ...draft, ...whole }, this.world.planSubmit(digits, text)).catch(() => {});
  }

  /** Resolves when the business has acknowledged step n, or after five seconds. */
  async waitForAck(chat: Chat, n: number): Promise<void> {
    const end = Date.now() + 5_000;
    while ((chat.acked & (1 << n)) === 0 && Date.now() < end && !this.closed) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /** Yields the WhatsApp messages of a phone, newest first. */
  protected *newestMessages(digits: string): Generator<Chat> {
    for (const item of this.world.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind === 'chat' && item.channel === 'WHATSAPP') yield item;
    }
  }

  /** Finds a message by its WhatsApp ID alone, because the ID contains the number of the phone. */
  private findById(id: string): Chat | undefined {
    const bytes = Buffer.from(id.replace(/^wamid\./, ''), 'base64');
    return this.find(bytes.toString('latin1', 3, 3 + (bytes[2] ?? 0)), id);
  }

  private notifyLimitChange(old_limit: string): void {
    const { messaging_limit } = this.settings;
    const current_limit = limitTier(messaging_limit);
    const grows = tierOrder.indexOf(current_limit) > tierOrder.indexOf(old_limit);
    for (const { digits, status } of this.account.numbers()) {
      if (status !== 'CONNECTED') continue;
      this.webhooks.addEvent('phone_number_quality_update', {
        display_phone_number: digits,
        event: grows ? 'UPGRADE' : 'DOWNGRADE',
        old_limit,
        current_limit,
        max_daily_conversations_per_business: current_limit,
      });
    }
  }
}
