/** Calls to the fan-out and the counting of this process, so that they need not wait for their next look. Only ever a hint. */
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

/** The messages of a campaign changed: it is to be counted again. */
export function touchCampaign(account_id: string, campaign_id: string): void {
  for (const touch of counters) touch(account_id, campaign_id);
}
