// Phones that do something by themselves once a message is there: answer, block, press. Once in ten seconds per phone and service, or
// two machines would talk for ever.
import type { Chat } from '../chat.ts';
import { samplePicture } from '../picture.ts';
import { ruleOf, type Viber } from './viber.ts';
import { press } from './writing.ts';

const actsAfter = 300;
const pause = 10_000;
const mostPairs = 10_000;

export class Habits {
  #viber: Viber;
  #last = new Map<string, number>();

  constructor(viber: Viber) {
    this.#viber = viber;
  }

  after(chat: Chat): void {
    const { world } = this.#viber;
    const rule = ruleOf(chat.phone);
    const act = actOf(this.#viber, chat);
    const delivered = chat.steps.find(({ status }) => status === 'delivered');
    if (!act || !delivered) return;
    // A button is pressed for each message; what comes back from a phone might be answered in turn.
    if (!rule.presses && this.#isTooSoon(`${chat.phone} ${chat.business_id}`)) return;
    world.schedule.at(delivered.due + actsAfter, () => {
      if (!chat.gone && world.messages.phones.stateOf(chat.phone) === 'on') act().catch(() => {});
    });
  }

  clear(): void {
    this.#last.clear();
  }

  #isTooSoon(pair: string): boolean {
    if (Date.now() - (this.#last.get(pair) ?? 0) < pause) return true;
    this.#last.delete(pair);
    this.#last.set(pair, Date.now());
    if (this.#last.size > mostPairs) this.#last.delete(this.#last.keys().next().value!);
    return false;
  }
}

function actOf(viber: Viber, chat: Chat): (() => Promise<unknown>) | undefined {
  const { reply, reply_picture, blocks, presses } = ruleOf(chat.phone);
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
