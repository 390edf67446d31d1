/**
 * Erases people. The request stores an erasure, and a job deletes what the account stored about the number until then.
 * The number itself, the ledger, the consents, the stop list, and the status, time, and price of messages are kept as
 * proof (decision 110).
 */
import { showNumber } from '@parley/contract/channels/person_ids.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import {
  type createPersonErasure as CreateErasure,
  type PersonErasure,
  type PersonErasureState,
  personErased,
} from '@parley/contract/people/erasures.ts';
import { Problem } from '@parley/contract/problem.ts';
import { listAllNumbers } from '../audiences/audiences.ts';
import { newId } from '../kernel/clock.ts';
import { type Queryable, runTogether } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { enqueue, job } from '../kernel/jobs/jobs.ts';
import { emit } from '../kernel/live/events.ts';
import { record } from '../kernel/security/audit.ts';
import type { Actor } from '../kernel/security/auth.ts';
import * as queries from './erasure_queries.ts';
import { findNumber } from './timeline.ts';

export const eraseJob = job<{ account_id: string; id: string }>('people.erase', {
  key: ({ id }) => id,
  group: ({ id }) => id,
  expire_seconds: 3_600,
});

export async function getPersonErasure(db: Queryable, actor: Actor, key: string): Promise<PersonErasureState> {
  const number = await findNumber(db, actor, key);
  const [in_flight, erasure] = await runTogether(
    queries.countInFlight(db, actor.account_id, number),
    queries.findLatestErasure(db, actor.account_id, number),
  );
  return { number, in_flight, erasure };
}

/** A second request while the first one runs returns the first one. */
export async function createPersonErasure(
  ctx: Ctx,
  key: string,
  body: Parsed<typeof CreateErasure>['body'],
): Promise<PersonErasure> {
  const { tx, actor } = ctx;
  const { account_id, user_id } = actor;
  const number = await findNumber(tx, actor, key);
  if (body.number.trim() !== number && body.number.replace(/[\s+().-]/g, '') !== number)
    throw new Problem('PERSON_NUMBER_DIFFERS');
  // All numbers of a person who was merged.
  for (const one of await listAllNumbers(tx, account_id, number)) {
    const id = newId();
    if ((await queries.insertErasure(tx, { account_id, id, number: one, user_id })) === 0) continue;
    if ((await queries.countInFlight(tx, account_id, one)) > 0) throw new Problem('PERSON_MESSAGES_IN_FLIGHT');
    await enqueue(tx, eraseJob, { account_id, id });
    record(tx, ctx, { action: 'person.erased', target: { type: 'person', id, name: showNumber(one) } });
    emit(tx, personErased, account_id, { id, number: one, status: 'running' });
  }
  return (await queries.findLatestErasure(tx, account_id, number))!;
}
