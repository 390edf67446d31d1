/** A person at a glance, for the contact beside a conversation. Shows what the timeline and the person would show. */
import { type PersonSummary, SUMMARY_SIZE } from '@parley/contract/people/timeline.ts';
import { permits } from '@parley/contract/permission.ts';
import { allNumbers, findPerson, getConsentState, personAudiences } from '../audiences/audiences.ts';
import { type Queryable, together } from '../kernel/db/db.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { findNumber, readEntries, readScope } from './timeline.ts';
import { latestCampaigns, timelineKeys } from './timeline_queries.ts';

export async function getSummary(db: Queryable, actor: Actor, key: string, now: Date): Promise<PersonSummary> {
  const { account_id, permissions } = actor;
  const number = await findNumber(db, actor, key);
  const [numbers, person] = await together(allNumbers(db, account_id, number), findPerson(db, account_id, number));
  const { scope } = readScope(actor, numbers, ['note']);
  const [audiences, { states }, keys, campaigns] = await together(
    personAudiences(db, { account_id, number }),
    getConsentState(db, actor, number, now),
    timelineKeys(db, scope, { after: null, offset: 0, size: SUMMARY_SIZE - 1 }),
    permits(permissions, 'CAMPAIGNS:view') ? latestCampaigns(db, scope, SUMMARY_SIZE) : Promise.resolve(null),
  );
  const entries = await readEntries(db, actor, scope, keys);
  return {
    ...{ number, person_id: person?.id ?? null, tags: person?.tags ?? [], audiences, campaigns },
    consents: states.filter(({ state }) => state !== 'none'),
    notes: entries.flatMap(({ id, timestamp, note }) => (note ? [{ id, timestamp, ...note }] : [])),
  };
}
