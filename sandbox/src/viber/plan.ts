/**
 * Plans the steps of an accepted message once its phone can be reached. The rule of a magic number applies first, then
 * the phone's reading habit, then the settings that drop callbacks.
 */
import { chance } from '../world/carrier.ts';
import type { Step } from '../world/chat.ts';
import type { Profile } from '../world/profile.ts';
import { viberRule } from './magic.ts';
import type { ViberSettings } from './settings.ts';

/** The `message_status` in callbacks: 0 and 1 are published; the number for "expired" is our choice. */
export const messageStatus = { delivered: 0, seen: 1, expired: 2 } as const;

/** How long "seen" precedes "delivered" for the magic number that reverses their order. */
const seenFirstBy = 500;

function deliveryDelay({ delivered_delay_ms, delivered_jitter_ms }: ViberSettings): number {
  return delivered_delay_ms + Math.round(Math.random() * delivered_jitter_ms);
}

function step(status: Step['status'], due: number, notifies: boolean): Step {
  const plan: Step = { status, due };
  return notifies ? plan : { ...plan, told: false };
}

export function expiredStep(due: number, notifies: boolean): Step {
  const error = { code: messageStatus.expired, title: 'Expired before it could be delivered' };
  return { ...step('failed', due, notifies), error };
}

/** `hasCallback` is true if the service has a callback URL. */
export function deliverySteps(
  digits: string,
  reads: Profile['reads'],
  settings: ViberSettings,
  hasCallback: boolean,
  now = Date.now(),
): Step[] {
  const rule = viberRule(digits);
  const isMagic = Object.keys(rule).length > 0;
  const notifies = () => hasCallback && !rule.silent && (isMagic || !chance(settings.callbacks_lost_percent));
  const delivered = now + (rule.delivered_after_ms ?? deliveryDelay(settings));
  if (rule.expires) return [expiredStep(delivered, notifies())];
  const willRead = rule.seen === 'only' || rule.seen === 'first' || (reads === 'at_once' && rule.seen !== 'never');
  const seen = delivered + settings.seen_delay_ms;
  if (rule.seen === 'first') {
    return [step('delivered', delivered + seenFirstBy, notifies()), step('read', delivered, notifies())];
  }
  const onlySeen = rule.seen === 'only' || (!isMagic && settings.seen_without_delivered && reads !== 'never');
  const steps = [step('delivered', delivered, !onlySeen && notifies())];
  if (willRead) steps.push(step('read', seen, notifies()));
  return steps;
}
