/** Reads the message log and individual messages. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import { WA_CATEGORIES } from '@parley/contract/messages/content.ts';
import type { MessageDetail, TimelineEntry } from '@parley/contract/messages/details.ts';
import type { LoggedMessage, listMessages } from '@parley/contract/messages/messages.ts';
import { permits } from '@parley/contract/permission.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, runTogether, type Sql } from '../../kernel/db/db.ts';
import { type Count, type Paged, paged, readPage } from '../../kernel/db/list.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { loadSteps } from '../model/fallback_rows.ts';
import { readDecision } from './decisions.ts';
import { findClicks, findConsent, findReplies } from './effects.ts';
import * as queries from './log_queries.ts';
import { countLogRows, findLogRows } from './log_search.ts';
import { readCachedTotal } from './log_total.ts';

/** The highest offset allowed. Beyond it, clients follow `links.next`, which costs the same on every page. */
const MAX_OFFSET = 100_000;

type LogQuery = Omit<Parsed<typeof listMessages>['query'], 'count'> & { count?: Count | undefined };

export async function readLog(db: Queryable, actor: Actor, query: LogQuery): Promise<Paged<LoggedMessage>> {
  const { data, pagination } = await readLogColumns<queries.LogRow>(db, actor, query);
  return { data: data.map(toLogged), pagination };
}

/** A page of the log with these columns of `messages m`, which include `id`. */
export async function readLogColumns<R extends { id: string }>(
  db: Queryable,
  actor: Actor,
  query: LogQuery,
  columns?: Sql,
): Promise<Paged<R>> {
  const page = readPage(query);
  if (page.offset > MAX_OFFSET)
    throw new Problem('VALUE_INVALID', {
      field: 'page',
      message: 'To continue, follow links.next of the previous page',
    });
  const { to, direction } = query.filter ?? {};
  // Outbound messages to a number have an index.
  const to_own_sender = Boolean(to && !direction && (await queries.isOwnSender(db, actor.account_id, to)));
  const filter = { account_id: actor.account_id, ...query.filter, to_own_sender };
  const rows = await findLogRows<R>(db, filter, page, columns);
  const complete = page.after === null && rows.length <= page.size && (rows.length > 0 || page.offset === 0);
  const exact = page.count_limit === null;
  const total = complete
    ? page.offset + rows.length
    : page.count_limit === 0
      ? 0
      : await readCachedTotal({ ...filter, exact }, () => countLogRows(db, filter, exact));
  return paged(page, rows, total, (message) => message.id, exact);
}

export async function readMessage(db: Queryable, actor: Actor, id: string): Promise<MessageDetail> {
  const message = await queries.findMessageDetail(db, actor.account_id, id);
  if (!message) throw new Problem('MESSAGE_NOT_FOUND');
  const canViewContacts = permits(actor.permissions, 'AUDIENCES:view');
  const [contact, fallbacks, decisions, consent, clicks, replies] = await runTogether(
    canViewContacts ? queries.findContactWithNumber(db, actor.account_id, message.number) : Promise.resolve(null),
    loadSteps(db, actor.account_id, id),
    readDecision(db, message),
    canViewContacts ? findConsent(db, message) : Promise.resolve(null),
    permits(actor.permissions, 'SHORT_URLS:view') ? findClicks(db, message) : Promise.resolve([]),
    findReplies(db, message),
  );
  const timeline = message.timeline.map(withoutCost);
  return { ...toLogged(message), timeline, contact, fallbacks, decisions, consent, clicks, replies };
}

/** What the carrier charges is the operator's. It stays in the stored entry. */
function withoutCost({ detail, ...entry }: TimelineEntry): TimelineEntry {
  if (detail === undefined) return entry;
  const { price: _, ...rest } = detail;
  return { ...entry, detail: rest };
}

/** The messages with these IDs, as in the log. */
export const listLoggedMessages = async (db: Queryable, account_id: string, ids: readonly string[]) =>
  ids.length === 0 ? [] : (await queries.listLogRows(db, account_id, ids, readPage())).map(toLogged);

/** Adds the fields that follow from the message's other fields. */
export function toLogged<T extends queries.LogRow>(row: T): T & LoggedMessage {
  const { content, id } = row;
  const template = content?.template;
  return {
    ...row,
    segment_count: row.segments_count,
    priority: row.source,
    wa_category: WA_CATEGORIES.find((name) => name.toLowerCase() === content?.purpose) ?? null,
    url: content?.url ?? null,
    variables: template ? [...template.header_values, ...template.body_values] : [],
    links: { self: `/v1/messages/${id}`, account: '/v1/accounts/self' },
  };
}
