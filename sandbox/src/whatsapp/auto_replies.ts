/** Magic phones that reply automatically. */
import { Problem } from '../problem.ts';
import type { Chat, Inbound } from '../world/chat.ts';
import { samplePicture } from '../world/picture.ts';
import type { World } from '../world/world.ts';
import type { WhatsappRule } from './magic.ts';
import type { WhatsappSettings } from './settings.ts';

type ReplyKind = NonNullable<WhatsappRule['reply']>;
type Write = (digits: string, inbound: Inbound) => Promise<Chat>;

const replyDelay = 300;
/**
 * A phone replies to the same number at most once within this time, so that two automatic senders do not reply to each
 * other forever.
 */
const minInterval = 10_000;
const maxPairs = 10_000;

export class AutoReplies {
  private readonly world: World;
  private readonly settings: () => WhatsappSettings;
  private readonly write: Write;
  private readonly lastReplies = new Map<string, number>();

  constructor(world: World, settings: () => WhatsappSettings, write: Write) {
    this.world = world;
    this.settings = settings;
    this.write = write;
  }

  schedule(chat: Chat, kind: ReplyKind): void {
    const pair = `${chat.business_id} ${chat.phone}`;
    if (Date.now() - (this.lastReplies.get(pair) ?? 0) < minInterval) return;
    if (this.lastReplies.size > maxPairs) this.lastReplies.clear();
    this.lastReplies.set(pair, Date.now());
    const { sent_delay_ms, delivered_delay_ms } = this.settings();
    this.world.schedule.at(Date.now() + sent_delay_ms + delivered_delay_ms + replyDelay, () => {
      if (chat.gone || this.world.messages.phones.getState(chat.phone) !== 'on') return;
      const inbound = { to: chat.business_id, ...this.compose(chat, kind) };
      this.write(chat.phone, inbound).catch((error: Error) => {
        if (!(error instanceof Problem)) process.stderr.write(`sandbox: ${error.stack}\n`);
      });
    });
  }

  clear(): void {
    this.lastReplies.clear();
  }

  private compose(chat: Chat, kind: ReplyKind): Partial<Inbound> {
    if (kind === 'press') {
      const place = chat.content.buttons?.findIndex(({ type }) => type === 'quick_reply') ?? -1;
      return place < 0 ? { text: 'There is no button' } : { press: { message_id: chat.id, button: place } };
    }
    if (kind !== 'picture') return { text: kind };
    const { url } = this.world.files.media(samplePicture(), 'image/png', 'picture.png');
    return { text: 'The view from here', media_url: url };
  }
}
