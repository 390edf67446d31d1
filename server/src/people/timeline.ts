/**
 * The timeline of a person over all channels. Callers see only what the message log, the inbox, and the links would
 * show them.
 */
import { isPersonId, plainNumber } from '@parley/contract/audiences/people.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { BUCKETS, canViewBucket } from '@parley/contract/inbox/inbox.ts';
import {
  type listTimeline as ListTimeline,
  type PersonTimelineEntry,
  TIMELINE_KINDS,
  type TimelineKind,
} from '@parley/contract/people/timeline.ts';
import { permits } from '@parley/contract/permission.ts';
import { listAllNumbers, listConsentsById, requirePerson } from '../audiences/audiences.ts';
import { type Queryable, runTogether } from '../kernel/db/db.ts';
import { type Paged, paged, readPage } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { listLoggedMessages } from '../messages/messages.ts';
import * as queries from './timeline_queries.ts';

/** A number has a history even if it is not a person of the account. */
export const findNumber = async (db: Queryable, { account_id }: Actor, key: string): Promise<string> =>
  isPersonId(key) ? (await requirePerson(db, account_id, key)).number : plainNumber(key);

export async function listTimeline(
  db: Queryable,
  actor: Actor,
  key: string,
  query: Parsed<typeof ListTimeline>['query'],
): Promise<Paged<PersonTimelineEntry>> {
  const page = readPage(query);
  const number = await findNumber(db, actor, key);
  const numbers = await listAllNumbers(db, actor.account_id, number);
  const { scope, hidden } = readScope(actor, numbers, query.filter?.kinds);
  if (scope.kinds.length === 0) return { ...paged(page, [], 0), beside: { hidden } };
  const [keys, total] = await runTogether(queries.listTimelineKeys(db, scope, page), queries.countTimeline(db, scope));
  const { data, pagination } = paged(page, keys, total, (row) => row.key);
  return { data: await readEntries(db, actor, scope, data), pagination, beside: { hidden } };
}

/** The kinds that the caller may view, and those that are hidden in whole or in part. */
export function readScope(
  { account_id, user_id, permissions }: Actor,
  numbers: readonly string[],
  wanted: readonly TimelineKind[] = TIMELINE_KINDS,
): { scope: queries.TimelineScope; hidden: TimelineKind[] } {
  const buckets = BUCKETS.filter((bucket) => canViewBucket(bucket, { user_id, permissions }));
  const sees_all_messages = permits(permissions, 'MESSAGES:view');
  const sees_clicks = permits(permissions, 'SHORT_URLS:view');
  const hidden: TimelineKind[] = [
    ...(sees_all_messages ? [] : (['message'] as const)),
    ...(sees_clicks ? [] : (['click'] as const)),
    ...(buckets.length === BUCKETS.length ? [] : (['note'] as const)),
  ];
  const chosen = wanted.length === 0 ? TIMELINE_KINDS : wanted;
  const kinds = TIMELINE_KINDS.filter((kind) => chosen.includes(kind) && (kind !== 'click' || sees_clicks));
  return { scope: { account_id, numbers, user_id, buckets, kinds, sees_all_messages }, hidden };
}

/** The entries of the keys, in their order. An entry that was deleted in the meantime is left out. */
export async function readEntries(
  db: Queryable,
  { account_id, permissions }: Actor,
  scope: queries.TimelineScope,
  keys: readonly queries.TimelineKey[],
): Promise<PersonTimelineEntry[]> {
  const ids = (wanted: TimelineKind) => keys.filter(({ kind }) => kind === wanted).map(({ id }) => id);
  const [messages, clicks, consents, notes, erasures, visible] = await runTogether(
    listLoggedMessages(db, account_id, ids('message')),
    queries.listClicks(db, account_id, ids('click')),
    listConsentsById(db, account_id, ids('consent')),
    queries.listNotes(db, account_id, ids('note')),
    queries.listErasures(db, account_id, ids('erasure')),
    queries.readVisibleConversations(db, scope),
  );
  const sees_campaigns = permits(permissions, 'CAMPAIGNS:view');
  const campaign_ids = sees_campaigns ? messages.flatMap(({ campaign_id }) => campaign_id ?? []) : [];
  const names = new Map(
    (await queries.listCampaignNames(db, account_id, [...new Set(campaign_ids)])).map(({ id, name }) => [id, name]),
  );
  const none = { message: null, click: null, consent: null, note: null };
  const found = new Map<string, Omit<PersonTimelineEntry, 'id'>>([
    ...messages.map((row) => {
      const conversation_id = row.conversation_id && visible.has(row.conversation_id) ? row.conversation_id : null;
      const campaign_name = names.get(row.campaign_id ?? '') ?? null;
      const assignee_id = visible.get(conversation_id ?? '') ?? null;
      const message = { ...row, conversation_id, assignee_id, campaign_name };
      return [row.id, { ...none, kind: 'message', timestamp: row.create_date, message }] as const;
    }),
    ...clicks.map(({ id, timestamp, campaign_name, ...row }) => {
      const click = { ...row, campaign_name: sees_campaigns ? campaign_name : null };
      return [id, { ...none, kind: 'click', timestamp, click }] as const;
    }),
    ...consents.map(
      (consent) => [consent.id, { ...none, kind: 'consent', timestamp: consent.create_date, consent }] as const,
    ),
    ...notes.map(({ id, timestamp, ...row }) => {
      const note = { ...row, assignee_id: visible.get(row.conversation_id) ?? null };
      return [id, { ...none, kind: 'note', timestamp, note }] as const;
    }),
    ...erasures.map(({ id, timestamp }) => [id, { ...none, kind: 'erasure', timestamp }] as const),
  ]);
  return keys.flatMap(({ key, id }) => {
    const entry = found.get(id);
    return entry ? [{ id: key, ...entry }] : [];
  });
}
