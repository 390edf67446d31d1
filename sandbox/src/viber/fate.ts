// What becomes of a message that was taken: the steps of its life, decided once, when the phone can be reached. Magic comes first,
// then how the person reads, then what Viber's settings lose.
import { chance } from '../carrier.ts';
import type { Step } from '../chat.ts';
import type { Profile } from '../profile.ts';
import { type ViberRule, viberMagicOf } from './magic.ts';
import type { Moods } from './moods.ts';

/** `message_status` of the callbacks: 0 and 1 are published, the number of "expired" is chosen. */
export const messageStatus = { delivered: 0, seen: 1, expired: 2 } as const;

const seenFirstBy = 500;

export function delayOf({ delivered_delay_ms, delivered_jitter_ms }: Moods): number {
  return delivered_delay_ms + Math.round(Math.random() * delivered_jitter_ms);
}

function step(status: Step['status'], due: number, told: boolean): Step {
  const plan: Step = { status, due };
  return told ? plan : { ...plan, told: false };
}

export function expiredStep(due: number, told: boolean): Step {
  const error = { code: messageStatus.expired, title: 'Expired before it could be delivered' };
  return { ...step('failed', due, told), error };
}

/** `listening`: there is an address to tell. */
export function arrival(
  digits: string,
  reads: Profile['reads'],
  moods: Moods,
  listening: boolean,
  now = Date.now(),
): Step[] {
  const rule: ViberRule = viberMagicOf(digits)?.rule ?? {};
  const magic = Object.keys(rule).length > 0;
  const told = () => listening && !rule.untold && (magic || !chance(moods.callbacks_lost_percent));
  const delivered = now + (rule.delivered_after_ms ?? delayOf(moods));
  if (rule.expires) return [expiredStep(delivered, told())];
  const willRead = rule.seen === 'only' || rule.seen === 'first' || (reads === 'at_once' && rule.seen !== 'never');
  const seen = delivered + moods.seen_delay_ms;
  if (rule.seen === 'first') {
    return [step('delivered', delivered + seenFirstBy, told()), step('read', delivered, told())];
  }
  const onlySeen = rule.seen === 'only' || (!magic && moods.seen_without_delivered && reads !== 'never');
  const steps = [step('delivered', delivered, !onlySeen && told())];
  if (willRead) steps.push(step('read', seen, told()));
  return steps;
}
