/**
 * The 24-hour windows that messages from people open, during which a business may write freely, and the people to whom
 * it wrote outside a window. This is a cache of facts from the stored messages.
 */
import type { Messages } from '../world/messages.ts';
import { GraphError } from './graph/graph_error.ts';

const windowMs = 24 * 3_600_000;
const maxEntries = 300_000;

export class Windows {
  private readonly messages: Messages;
  /** The times when each person last wrote to each number. */
  private readonly opened = new Map<string, number>();
  private readonly recipients = new Map<string, number>();

  constructor(messages: Messages) {
    this.messages = messages;
  }

  isOpen(business_id: string, digits: string): boolean {
    const key = `${business_id} ${digits}`;
    let last = this.opened.get(key);
    if (last === undefined) {
      last = this.findLastInbound(business_id, digits);
      this.remember(key, last);
    }
    return Date.now() - last < windowMs;
  }

  recordInbound(business_id: string, digits: string, time: number): void {
    this.remember(`${business_id} ${digits}`, time);
  }

  /** Counts a person toward the 24-hour limit; 0 means no limit. */
  countRecipient(digits: string, limit: number): void {
    if (limit === 0) return;
    const since = Date.now() - windowMs;
    for (const [other, at] of this.recipients) if (at < since) this.recipients.delete(other);
    if (!this.recipients.has(digits) && this.recipients.size >= limit) {
      throw new GraphError(131064, 'The limit of people to message in 24 hours is reached');
    }
    this.recipients.set(digits, Date.now());
  }

  clear(): void {
    this.opened.clear();
    this.recipients.clear();
  }

  private findLastInbound(business_id: string, digits: string): number {
    for (const item of this.messages.phones.get(digits)?.thread.before(Number.MAX_SAFE_INTEGER) ?? []) {
      if (item.kind !== 'chat' || item.direction !== 'from_phone') continue;
      if (item.channel === 'WHATSAPP' && item.business_id === business_id) return item.time;
    }
    return 0;
  }

  private remember(key: string, time: number): void {
    this.opened.set(key, time);
    if (this.opened.size > maxEntries) this.opened.delete(this.opened.keys().next().value!);
  }
}
