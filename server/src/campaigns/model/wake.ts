/**
 * Wakes the fan-out and the counting in this process before their next interval. A wake-up is only a hint; a missed
 * wake-up causes only a delay.
 */
type Waker = () => void;
const fanouts = new Set<Waker>();

export function onFanoutCall(wake: Waker): () => void {
  fanouts.add(wake);
  return () => fanouts.delete(wake);
}

export function wakeFanout(): void {
  for (const wake of fanouts) wake();
}

type Touch = (account_id: string, campaign_id: string) => void;
const counters = new Set<Touch>();

export function onTouched(touch: Touch): () => void {
  counters.add(touch);
  return () => counters.delete(touch);
}

/** Requests a new count for a campaign whose messages changed. */
export function touchCampaign(account_id: string, campaign_id: string): void {
  for (const touch of counters) touch(account_id, campaign_id);
}
