// The 24 hours after a person wrote, in which a business may write freely; and whom it wrote to outside of them. Both are known from
// the messages that are kept: here is only what was looked up already.
import type { Messages } from '../messages.ts';
import { GraphError } from './graph_error.ts';

const lasts = 24 * 3_600_000;
const most = 300_000;

export class Windows {
  #messages: Messages;
  /** When a person last wrote to a number. */
  #opened = new Map<string, number>();
  #contacts = new Map<string, number>();

  constructor(messages: Messages) {
    this.#messages = messages;
  }

  isOpen(business_id: string, digits: string): boolean {
    const key = `${business_id} ${digits}`;
    let last = this.#opened.get(key);
    if (last === undefined) {
      last = this.#lastWritten(business_id, digits);
      this.#remember(key, last);
    }
    return Date.now() - last < lasts;
  }

  wrote(business_id: string, digits: string, time: number): void {
    this.#remember(`${business_id} ${digits}`, time);
  }

  /** Counts one more person of so many in 24 hours; 0 is no limit. */
  contact(digits: string, limit: number): void {
    if (limit === 0) return;
    const since = Date.now() - lasts;
    for (const [other, at] of this.#contacts) if (at < since) this.#contacts.delete(other);
    if (!this.#contacts.has(digits) && this.#contacts.size >= limit) {
      throw new GraphError(131064, 'The limit of people written to in 24 hours was reached');
    }
    this.#contacts.set(digits, Date.now());
  }

  clear(): void {
    this.#opened.clear();
    this.#contacts.clear();
  }

  #lastWritten(business_id: string, digits: string): number {
    for (const item of this.#messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind !== 'chat' || item.direction !== 'from_phone') continue;
      if (item.channel === 'WHATSAPP' && item.business_id === business_id) return item.time;
    }
    return 0;
  }

  #remember(key: string, time: number): void {
    this.#opened.set(key, time);
    if (this.#opened.size > most) this.#opened.delete(this.#opened.keys().next().value!);
  }
}
