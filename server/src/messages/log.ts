/** Reading messages: the log, and one message's whole story. */
import type { Parsed } from '@parley/contract/endpoint.ts';
import type { listMessages, Message, MessageDetail } from '@parley/contract/messages/messages.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Queryable } from '../kernel/db/db.ts';
import { CAP, type Paged, paged, pageOf } from '../kernel/db/list.ts';
import type { Actor } from '../kernel/security/auth.ts';
import { legsOf } from './leg_rows.ts';
import * as queries from './queries.ts';
import { rememberedTotal } from './total.ts';

/** Deeper than this one goes by `links.next`, which costs the same on every page. */
const DEEPEST_OFFSET = 1_000_000;

export async function messageLog(
  db: Queryable,
  actor: Actor,
  query: Parsed<typeof listMessages>['query'],
): Promise<Paged<Message>> {
  const page = pageOf(query);
  if (page.offset > DEEPEST_OFFSET)
    throw new Problem('VALUE_INVALID', {
      field: 'page',
      message: 'Use links.next of the page before to read this far',
    });
  const filter = { account_id: actor.account_id, ...query.filter };
  const rows = await queries.logPage(db, filter, page);
  const complete = page.after === null && rows.length <= page.size && (rows.length > 0 || page.offset === 0);
  const total = complete ? page.offset + rows.length : await rememberedTotal(filter, () => totalOf(db, filter));
  return paged(page, rows, total, (message) => message.id);
}

async function totalOf(db: Queryable, filter: queries.LogFilter): Promise<number> {
  const counted = await queries.countLog(db, filter);
  return counted > CAP ? queries.estimateLog(db, filter) : counted;
}

export async function messageStory(db: Queryable, actor: Actor, id: string): Promise<MessageDetail> {
  const message = await queries.messageDetail(db, actor.account_id, id);
  if (!message) throw new Problem('MESSAGE_NOT_FOUND');
  return { ...message, fallbacks: await legsOf(db, actor.account_id, id) };
}
