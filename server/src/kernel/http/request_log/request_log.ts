/**
 * The request log: every request with an API key becomes a row of `api_requests`. Requests never wait for it. Entries
 * wait in memory, within limits for the process and for each account, and are written in batches. An entry that does
 * not fit or cannot be written is dropped and counted.
 */
import type { AnyEndpoint } from '@parley/contract/endpoint.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Sql, sql, textArray } from '../../db/db.ts';
import type { Kernel } from '../../kernel.ts';
import { metrics } from '../../metrics.ts';
import { type Actor, type Gate, RefusedKey } from '../../security/auth.ts';
import { readCredential } from '../authenticate.ts';
import type { RateLimiter } from '../rate.ts';
import { maskBody, maskPath } from './masked_body.ts';

/** The data about a request that the log needs beyond its headers. */
export interface LoggedRequest {
  actor?: Actor;
  refused_key?: RefusedKey;
  /** The body of the response. */
  answer?: unknown;
}

type Owner = Pick<RefusedKey, 'account_id' | 'key_id'>;

const FLUSH_MS = 500;
const BATCH = 250;
const MAX_WAITING = 5_000;
/** One account cannot displace the entries of the others. */
const MAX_WAITING_PER_ACCOUNT = 2_000;
/** Keys that are looked up at the same time, for requests that failed before their key was checked. */
const MAX_LOOKUPS = 8;
const MAX_AGENT = 200;
const UNAUTHORIZED = 401;

const dropped = metrics.counter('api_requests_dropped_total', 'Requests missing from the request log, by reason', [
  'reason',
]);

interface Entry extends Owner {
  id: string;
  endpoint: string | null;
  method: string;
  path: string;
  status: number;
  code: number | null;
  ms: number;
  address: string;
  agent: string | null;
  request_body: string | null;
  response_body: string | null;
  is_masked: boolean;
  create_date: Date;
}

export function startRequestLog(http: FastifyInstance, kernel: Kernel, gate: Gate, limit: RateLimiter): void {
  if (kernel.config.REQUEST_LOG_DAYS === 0) return;
  const queue = createQueue(kernel);
  let lookups = 0;
  /** Finds the owner of the key of a request that failed before its key was checked, such as one with invalid JSON. */
  const lookUp = async (request: FastifyRequest): Promise<Owner | null> => {
    const credential = readCredential(kernel, request);
    if (credential?.kind !== 'key') return null;
    const report = limit.beginLookup(credential.text, request.ip);
    let owner: Owner | null = null;
    try {
      owner = toOwner(await gate.key(credential.text, request.ip));
    } catch (error) {
      if (error instanceof RefusedKey) owner = error;
    } finally {
      report(owner !== null);
    }
    return owner;
  };
  http.addHook('onResponse', (request, reply, done) => {
    done();
    const { actor, refused_key } = request as LoggedRequest;
    const owner = toOwner(actor ?? null) ?? refused_key;
    if (owner) return queue.add(createEntry(kernel, request, reply, owner));
    if (actor || reply.statusCode < 400 || reply.statusCode === UNAUTHORIZED || !/^\/+v1\//.test(request.url)) return;
    if (lookups >= MAX_LOOKUPS) return dropped.inc({ reason: 'busy' });
    lookups++;
    void lookUp(request)
      .then((found) => found && queue.add(createEntry(kernel, request, reply, found)))
      .catch(() => undefined)
      .finally(() => {
        lookups--;
      });
  });
  http.addHook('onClose', () => queue.stop());
}

const toOwner = (actor: Actor | null): Owner | null =>
  actor?.key_id ? { account_id: actor.account_id, key_id: actor.key_id } : null;

function createEntry(kernel: Kernel, request: FastifyRequest, reply: FastifyReply, owner: Owner): Entry {
  const { endpoint } = request.routeOptions.config as { endpoint?: AnyEndpoint };
  const { answer } = request as LoggedRequest;
  const sent = maskBody(request.body, endpoint?.masks);
  const received = maskBody(answer, endpoint?.masks);
  const { path, is_masked } = maskPath(request.url);
  const [error] = (answer as { errors?: { code: number }[] } | undefined)?.errors ?? [];
  return {
    account_id: owner.account_id,
    key_id: owner.key_id,
    id: request.id,
    endpoint: endpoint?.id ?? null,
    method: request.method,
    path,
    status: reply.statusCode,
    code: error?.code ?? null,
    ms: Math.round(reply.elapsedTime),
    address: request.ip,
    agent: request.headers['user-agent']?.slice(0, MAX_AGENT) ?? null,
    request_body: sent.text,
    response_body: received.text,
    is_masked: is_masked || sent.is_masked || received.is_masked,
    create_date: new Date(kernel.clock.now().getTime() - reply.elapsedTime),
  };
}

function createQueue(kernel: Kernel) {
  let waiting: Entry[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | null = null;
  const counts = new Map<string, number>();
  const take = (): Entry[] => {
    const batch = waiting.slice(0, BATCH);
    waiting = waiting.slice(BATCH);
    for (const { account_id } of batch) {
      const left = counts.get(account_id)! - 1;
      if (left > 0) counts.set(account_id, left);
      else counts.delete(account_id);
    }
    return batch;
  };
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = take();
      await insertEntries(kernel, batch).catch((error: unknown) => {
        dropped.inc({ reason: 'failed' }, batch.length);
        kernel.log.warn({ err: error, entries: batch.length }, 'requests could not be logged');
      });
    }
  };
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    writing ??= write().finally(() => {
      writing = null;
      if (waiting.length > 0) schedule();
    });
  };
  const schedule = (): void => {
    timer ??= setTimeout(flush, FLUSH_MS);
  };
  return {
    add(entry: Entry): void {
      const count = counts.get(entry.account_id) ?? 0;
      if (waiting.length >= MAX_WAITING || count >= MAX_WAITING_PER_ACCOUNT) {
        dropped.inc({ reason: 'full' });
        return;
      }
      counts.set(entry.account_id, count + 1);
      waiting.push(entry);
      if (waiting.length >= BATCH) flush();
      else schedule();
    },
    async stop(): Promise<void> {
      clearTimeout(timer);
      await writing;
      await write();
    },
  };
}

const insertEntries = (kernel: Kernel, batch: readonly Entry[]): Promise<number> => {
  const column = <K extends keyof Entry>(name: K): Entry[K][] => batch.map((entry) => entry[name]);
  // An empty text means no body.
  const bodies = (name: 'request_body' | 'response_body'): Sql => textArray(column(name).map((body) => body ?? ''));
  return kernel.db.run(sql`
    with entry as (
      insert into api_requests (account_id, id, key_id, endpoint, method, path, status, code, ms, address, agent,
      request_body, response_body, is_masked, create_date)
    select * from unnest(${column('account_id')}::uuid[], ${column('id')}::uuid[], ${column('key_id')}::uuid[],
      ${column('endpoint')}::text[], ${column('method')}::text[], ${column('path')}::text[],
      ${column('status')}::smallint[], ${column('code')}::int[], ${column('ms')}::int[], ${column('address')}::text[],
      ${column('agent')}::text[], ${bodies('request_body')}, ${bodies('response_body')},
      ${column('is_masked')}::boolean[], ${column('create_date')}::timestamptz[])
      on conflict do nothing
      returning account_id, key_id, status, create_date
    )
    insert into key_usage as u (account_id, key_id, day, requests, errors)
    select account_id, key_id, (create_date at time zone 'UTC')::date, count(*), count(*) filter (where status >= 400)
    from entry group by 1, 2, 3 order by 1, 2, 3
    on conflict (account_id, key_id, day) do update set
      requests = u.requests + excluded.requests, errors = u.errors + excluded.errors`);
};
