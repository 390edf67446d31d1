// Magic phones that answer by themselves.
import type { Chat, Inbound } from '../chat.ts';
import { samplePicture } from '../picture.ts';
import { Problem } from '../problem.ts';
import type { WhatsappRule } from './magic.ts';
import type { Whatsapp } from './whatsapp.ts';

type What = NonNullable<WhatsappRule['answers']>;

const answerAfter = 300;
const answerPause = 10_000;
const most = 10_000;

export class Answers {
  #whatsapp: Whatsapp;
  #last = new Map<string, number>();

  constructor(whatsapp: Whatsapp) {
    this.#whatsapp = whatsapp;
  }

  /** Once in ten seconds per phone and number, or two machines would talk for ever. */
  later(chat: Chat, what: What): void {
    const { world, settings } = this.#whatsapp;
    const pair = `${chat.business_id} ${chat.phone}`;
    if (Date.now() - (this.#last.get(pair) ?? 0) < answerPause) return;
    if (this.#last.size > most) this.#last.clear();
    this.#last.set(pair, Date.now());
    world.schedule.at(Date.now() + settings.sent_delay_ms + settings.delivered_delay_ms + answerAfter, () => {
      if (chat.gone || world.messages.phones.stateOf(chat.phone) !== 'on') return;
      this.#whatsapp.write(chat.phone, { to: chat.business_id, ...this.#answer(chat, what) }).catch((error: Error) => {
        if (!(error instanceof Problem)) process.stderr.write(`sandbox: ${error.stack}\n`);
      });
    });
  }

  clear(): void {
    this.#last.clear();
  }

  #answer(chat: Chat, what: What): Partial<Inbound> {
    if (what === 'press') {
      const place = chat.content.buttons?.findIndex(({ type }) => type === 'quick_reply') ?? -1;
      return place < 0 ? { text: 'There is no button' } : { press: { message_id: chat.id, button: place } };
    }
    if (what !== 'picture') return { text: what };
    const { url } = this.#whatsapp.world.files.media(samplePicture(), 'image/png', 'picture.png');
    return { text: 'What I see from here', media_url: url };
  }
}
