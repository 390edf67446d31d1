/**
 * A person at a glance, for the contact panel beside a conversation. Shows only what the timeline and the person's page
 * would show.
 */
import { type PersonSummary, SUMMARY_SIZE } from '@parley/contract/people/timeline.ts';
import { permits } from '@parley/contract/permission.ts';
import { findPerson, getConsentState, listAllNumbers, listPersonAudiences } from '../audiences/audiences.ts';
import { type Queryable, runTogether } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findNumber, readEntries, readScope } from './timeline.ts';
import { listLatestCampaigns, listTimelineKeys } from './timeline_queries.ts';

export async function getSummary(db: Queryable, actor: Actor, key: string, now: Date): Promise<PersonSummary> {
  const { account_id, permissions } = actor;
  const number = await findNumber(db, actor, key);
  const [numbers, person] = await runTogether(
    listAllNumbers(db, account_id, number),
    findPerson(db, account_id, number),
  );
  const { scope } = readScope(actor, numbers, ['note']);
  const [audiences, { states }, keys, campaigns] = await runTogether(
    listPersonAudiences(db, { account_id, number }),
    getConsentState(db, actor, number, now),
    listTimelineKeys(db, scope, { after: null, offset: 0, size: SUMMARY_SIZE - 1 }),
    permits(permissions, 'CAMPAIGNS:view') ? listLatestCampaigns(db, scope, SUMMARY_SIZE) : Promise.resolve(null),
  );
  const entries = await readEntries(db, actor, scope, keys);
  return {
    ...{ number, person_id: person?.id ?? null, tags: person?.tags ?? [], audiences, campaigns },
    consents: states.filter(({ state }) => state !== 'none'),
    notes: entries.flatMap(({ id, timestamp, note }) => (note ? [{ id, timestamp, ...note }] : [])),
  };
}
