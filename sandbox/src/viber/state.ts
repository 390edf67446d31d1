import type { Live } from '../live.ts';
import { chance } from '../world/carrier.ts';
import { type Chat, type Inbound, isWaiting } from '../world/chat.ts';
import type { World } from '../world/world.ts';
import { Businesses } from './businesses.ts';
import { CallbackQueue } from './callback_queue.ts';
import { Links } from './content.ts';
import { viberExtra } from './extra.ts';
import { Numbers } from './numbers.ts';
import { expiredStep } from './plan.ts';
import { Sessions } from './sessions.ts';
import { changeViberSettings, defaultViberSettings, type ViberSettings } from './settings.ts';
import { Templates } from './templates.ts';

export interface ViberOptions {
  world: World;
  live: Live;
  /** The callback URL and the token of the service that always exists. */
  preset: { callback_url: string; auth_token: string };
}

const settingsKey = 'viber/moods';
const maxMediaMessages = 50_000;
/** The maximum number of services that one phone can block. */
const maxBlocked = 100;

/**
 * The state shared by all parts of the Viber simulator: services, templates, sessions, settings, and pending callbacks.
 */
export abstract class ViberState {
  readonly world: World;
  readonly businesses: Businesses;
  readonly templates: Templates;
  readonly callbacks: CallbackQueue;
  readonly sessions = new Sessions();
  readonly links: Links;
  readonly numbers = new Numbers();
  /** The origin of this sandbox, for links in callbacks. */
  origin = '';
  private readonly live: Live;
  private currentSettings: ViberSettings | undefined;
  private readonly mediaMessages = new Map<string, Chat>();

  constructor({ world, live, preset }: ViberOptions) {
    this.world = world;
    this.live = live;
    this.businesses = new Businesses(world.facts, preset);
    this.templates = new Templates(world.facts);
    this.callbacks = new CallbackQueue(
      (service_id) => this.businesses.find(service_id),
      () => this.settings,
      world.schedule,
    );
    this.links = new Links(world.files);
  }

  /** Sends a message from the phone to a service. */
  abstract write(digits: string, inbound: Inbound): Promise<Chat>;

  get settings(): ViberSettings {
    this.currentSettings ??= { ...defaultViberSettings(), ...this.world.facts.get<ViberSettings>(settingsKey) };
    return this.currentSettings;
  }

  changeSettings(body: unknown): ViberSettings {
    this.currentSettings = changeViberSettings(this.settings, body);
    this.world.facts.put(settingsKey, this.currentSettings);
    this.publishChange();
    return this.currentSettings;
  }

  /** Starts tracking a message: its media becomes available, and it expires if it waits too long for its phone. */
  track(chat: Chat): void {
    this.trackMedia(chat);
    this.scheduleExpiry(chat);
  }

  /** Finds the message that contains this picture, video, or file. */
  findMediaMessage(token: string): Chat | undefined {
    const chat = this.mediaMessages.get(token);
    return chat?.gone ? undefined : chat;
  }

  block(digits: string, service_id: number): void {
    const { phones } = this.world.messages;
    const profile = phones.getProfile(digits);
    if (profile.viber_blocked.includes(service_id)) return;
    const viber_blocked = [...profile.viber_blocked, service_id].slice(-maxBlocked);
    this.world.setPhone(digits, phones.getState(digits), { ...profile, viber_blocked });
  }

  /** Notifies the page that services, settings, or counters have changed. */
  publishChange(): void {
    this.live.publish('viber', '', () => ({ settings: this.settings }));
  }

  /** Returns whether the service has a callback URL. */
  protected hasCallback(business_id: string): boolean {
    return (this.businesses.find(Number(business_id))?.callback_url ?? '') !== '';
  }

  protected clear(): void {
    this.currentSettings = undefined;
    this.callbacks.clear();
    this.sessions.clear();
    this.links.clear();
    this.mediaMessages.clear();
  }

  /** A message waits for its phone no longer than its TTL. */
  private scheduleExpiry(chat: Chat): void {
    if (!isWaiting(chat)) return;
    this.world.schedule.at(viberExtra(chat).expires ?? 0, () => {
      if (chat.gone || !isWaiting(chat)) return;
      const notifies = this.hasCallback(chat.business_id) && !chance(this.settings.callbacks_lost_percent);
      this.world.chats.addSteps(chat, [expiredStep(Date.now(), notifies)]);
    });
  }

  private trackMedia(chat: Chat): void {
    if (!chat.content.media) return;
    this.mediaMessages.set(chat.id, chat);
    if (this.mediaMessages.size > maxMediaMessages) {
      this.mediaMessages.delete(this.mediaMessages.keys().next().value!);
    }
  }
}
