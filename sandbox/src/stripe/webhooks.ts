/** Sends signed webhooks, and repeats each one until the response is a success. */
import { createHmac, randomBytes } from 'node:crypto';
import { Poster } from '../http/poster.ts';
import { Schedule } from '../storage/schedule.ts';
import type { CardRule } from './cards.ts';
import type { StripeObject } from './objects.ts';

export interface WebhookTarget {
  url: string;
  secret: string;
}

const lateMs = 4_000;
const reversedMs = 400;
const maxAttempts = 12;

/** The header that proves who sent the body, and when. */
export const signature = (secret: string, body: string, seconds = Math.floor(Date.now() / 1000)): string =>
  `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`;

export class Webhooks {
  readonly log: { type: string; object: string; time: string; answer: string }[] = [];
  private readonly poster = new Poster();
  private readonly schedule = new Schedule();
  private readonly target: () => WebhookTarget;

  constructor(target: () => WebhookTarget) {
    this.target = target;
  }

  /** `step` is the place of the event in its payment: later events can be sent before earlier ones. */
  send(type: string, object: StripeObject, delivery: CardRule['webhooks'], step: number): void {
    if (delivery === 'lost') {
      this.note(type, object.id, 'lost on purpose');
      return;
    }
    const body = JSON.stringify({
      id: `evt_${randomBytes(12).toString('hex')}`,
      object: 'event',
      type,
      created: Math.floor(Date.now() / 1000),
      livemode: false,
      data: { object },
    });
    const wait = delivery === 'late' ? lateMs : delivery === 'reversed' ? Math.max(0, 3 - step) * reversedMs : 0;
    for (let copy = 0; copy < (delivery === 'twice' ? 2 : 1); copy++)
      this.schedule.at(Date.now() + wait, () => void this.attempt(type, object.id, body, 1));
  }

  close(): void {
    this.schedule.close();
    this.poster.close();
  }

  private async attempt(type: string, object: string, body: string, attempt: number): Promise<void> {
    const { url, secret } = this.target();
    if (!url) {
      this.note(type, object, 'no webhook address');
      return;
    }
    const headers = { 'content-type': 'application/json', 'stripe-signature': signature(secret, body) };
    const status = await this.poster.post(url, headers, body).catch((error: Error) => error.message);
    this.note(type, object, typeof status === 'number' ? `HTTP ${status}` : status);
    if (typeof status === 'number' && status < 300) return;
    if (attempt < maxAttempts)
      this.schedule.at(
        Date.now() + 250 * 2 ** Math.min(attempt, 7),
        () => void this.attempt(type, object, body, attempt + 1),
      );
  }

  private note(type: string, object: string, answer: string): void {
    this.log.unshift({ type, object, time: new Date().toISOString(), answer });
    this.log.length = Math.min(this.log.length, 100);
  }
}
