/**
 * Magic phones that act automatically once a message is delivered: they reply, block the service, or press a button.
 */
import type { Chat } from '../world/chat.ts';
import { samplePicture } from '../world/picture.ts';
import { press } from './inbound.ts';
import { viberRule } from './magic.ts';
import type { ViberState } from './state.ts';

const actionDelay = 300;
/**
 * A phone acts at most once per service within this time, so that two automatic senders do not reply to each other
 * forever.
 */
const minInterval = 10_000;
const maxPairs = 10_000;

export class AutoActions {
  private readonly viber: ViberState;
  private readonly last = new Map<string, number>();

  constructor(viber: ViberState) {
    this.viber = viber;
  }

  /** Schedules the action that the phone takes after this message, if any. */
  schedule(chat: Chat): void {
    const { world } = this.viber;
    const rule = viberRule(chat.phone);
    const act = findAction(this.viber, chat);
    const delivered = chat.steps.find(({ status }) => status === 'delivered');
    if (!act || !delivered) return;
    // The limit does not apply to buttons, because a press sends no message that the service could reply to.
    if (!rule.presses && this.isTooSoon(`${chat.phone} ${chat.business_id}`)) return;
    world.schedule.at(delivered.due + actionDelay, () => {
      if (!chat.gone && world.messages.phones.getState(chat.phone) === 'on') act().catch(() => {});
    });
  }

  clear(): void {
    this.last.clear();
  }

  private isTooSoon(pair: string): boolean {
    if (Date.now() - (this.last.get(pair) ?? 0) < minInterval) return true;
    this.last.delete(pair);
    this.last.set(pair, Date.now());
    if (this.last.size > maxPairs) this.last.delete(this.last.keys().next().value!);
    return false;
  }
}

function findAction(viber: ViberState, chat: Chat): (() => Promise<unknown>) | undefined {
  const { reply, reply_picture, blocks, presses } = viberRule(chat.phone);
  const to = chat.business_id;
  if (reply) return () => viber.write(chat.phone, { to, text: reply });
  if (reply_picture) {
    return () => {
      const { url } = viber.world.files.media(samplePicture(), 'image/png', 'sunset.png');
      return viber.write(chat.phone, { to, media_url: url, text: 'This one' });
    };
  }
  if (blocks) return async () => viber.block(chat.phone, Number(to));
  if (presses && chat.content.buttons) return () => press(viber, chat, 0);
  return undefined;
}
