/** Plans when each contact of an estimate gets the message. */
import type { ZoneSources } from '@parley/contract/campaigns/timing.ts';
import type { Queryable } from '../../kernel/db/db.ts';
import type { Contact } from '../model/reach.ts';
import { listZoned, type Planner, readContactZones, type Slot } from '../timing/planner.ts';

export interface Delivery {
  planner: Planner;
  now: Date;
  start?: Date;
}

export interface PlannedSlot extends Slot {
  source: keyof ZoneSources | null;
}

/** `slots` has the slot of each reachable contact; it is empty without a planner. */
export async function planContacts(
  db: Queryable,
  account_id: string,
  contacts: readonly Contact[],
  delivery: Delivery | undefined,
): Promise<{
  reachable: readonly Contact[];
  slots: PlannedSlot[];
  excluded: { contact: Contact; reason: 'no_window' | 'missed' }[];
}> {
  if (!delivery) return { reachable: contacts, slots: [], excluded: [] };
  const { planner, now } = delivery;
  const zones = await readContactZones(db, account_id, listZoned(planner, contacts));
  const reachable: Contact[] = [];
  const slots: PlannedSlot[] = [];
  const excluded: { contact: Contact; reason: 'no_window' | 'missed' }[] = [];
  for (const contact of contacts) {
    const { number, country } = contact;
    const addressee = { number, country, timezone: zones.get(number) };
    const plan = planner.plan(addressee, now);
    if (typeof plan === 'string') {
      excluded.push({ contact, reason: plan });
      continue;
    }
    reachable.push(contact);
    slots.push({ ...plan, source: planner.needsZone(country) ? planner.zone(addressee).source : null });
  }
  return { reachable, slots, excluded };
}
