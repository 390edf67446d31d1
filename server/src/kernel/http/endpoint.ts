/**
 * Turns a contract endpoint and its implementation into a route. The order is: authenticate, check permissions, parse,
 * open the transaction, run, encode, and commit. A GET runs without a transaction and cannot emit events. Modules only
 * write the implementation.
 */
import { type AnyEndpoint, endpointPath, type Parsed } from '@parley/contract/endpoint.ts';
import {
  fieldLabel,
  issueMessage,
  Problem,
  type ProblemDetail,
  type ProblemName,
  problemInRule,
} from '@parley/contract/problem.ts';
import { hideSpend, seesSpend } from '@parley/contract/spend.ts';
import { compareInput } from '@parley/contract/strict.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Db, Queryable, Tx } from '../db/db.ts';
import type { Paged } from '../db/list.ts';
import type { Kernel } from '../kernel.ts';
import { type Actor, requireAccess } from '../security/auth.ts';
import { isListCall, runCall, runList } from './account_slots.ts';
import { callInGroup, type Grouping } from './grouped_calls.ts';
import { idempotencyName, remember, replay, requestHash } from './idempotency.ts';
import type { Upload } from './upload.ts';

export interface Ctx {
  readonly tx: Tx;
  readonly actor: Actor;
  readonly kernel: Kernel;
  readonly request_id: string;
  readonly address: string;
  readonly headers: FastifyRequest['headers'];
  /** The received file, already in storage. Set for multipart endpoints. */
  readonly upload: Upload | null;
  /** Endpoints with `raw` write their response to this reply. */
  readonly reply: FastifyReply;
}

type Result<E extends AnyEndpoint> = E extends { raw: string }
  ? unknown
  : E extends { list: true }
    ? Paged<z.input<E['output']>>
    : E extends { status: 204 }
      ? // biome-ignore lint/suspicious/noConfusingVoidType: a 204 has no content
        null | void
      : z.input<E['output']>;

export type Run<E extends AnyEndpoint> = (ctx: Ctx, input: Parsed<E>) => Promise<Result<E>>;

export interface Implementation {
  readonly endpoint: AnyEndpoint;
  readonly run: (ctx: Ctx, input: never) => Promise<unknown>;
  /**
   * True if the implementation opens its own transactions. Use it for work that must not hold a transaction open
   * (hashing), or whose effect must survive a refusal.
   */
  readonly own_transactions: boolean;
  /** Set if calls of one account that wait at the same time may share a transaction. */
  readonly grouping?: Grouping;
}

export const implement = <E extends AnyEndpoint>(endpoint: E, run: Run<E>): Implementation => ({
  endpoint,
  run: run as Implementation['run'],
  own_transactions: false,
});
/** `run` runs the calls that the grouping does not accept, or that it returns to run by themselves. */
export const implementGrouped = <E extends AnyEndpoint>(
  endpoint: E,
  run: Run<E>,
  grouping: Grouping<Parsed<E>>,
): Implementation => ({ ...implement(endpoint, run), grouping: grouping as Grouping });
export const implementOutside = <E extends AnyEndpoint>(endpoint: E, run: Run<E>): Implementation => ({
  endpoint,
  run: run as Implementation['run'],
  own_transactions: true,
});

/** Maximum nesting depth. No valid request is nested nearly this deep, and deeper values could overflow the stack. */
const MAX_DEPTH = 40;

/** Refuses text, anywhere in the value, that PostgreSQL cannot store or would change silently. */
function refuseBadText(value: unknown, path = '', depth = 0): void {
  if (depth > MAX_DEPTH)
    throw new Problem('VALUE_INVALID', { field: path.split('.')[0] || 'body', message: 'Nested too deeply' });
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw new Problem('VALUE_INVALID', {
        field: path || 'body',
        message: 'Text contains characters that cannot be stored',
      });
  } else if (Array.isArray(value)) {
    value.forEach((item, index) => {
      refuseBadText(item, `${path}.${index}`, depth + 1);
    });
  } else if (value && typeof value === 'object') {
    for (const [key, item] of Object.entries(value)) {
      refuseBadText(key, path);
      refuseBadText(item, path ? `${path}.${key}` : key, depth + 1);
    }
  }
}

/** A request reports at most this many problems of one kind. */
const MAX_DETAILS = 20;

/** Throws the problems of the schema's rules and of unknown fields. */
export function parseWith<S extends z.ZodType>(
  part: 'params' | 'query' | 'body',
  schema: S | undefined,
  input: unknown,
): z.output<S> {
  const { value, unknown } = compareInput(schema, input);
  const result = schema?.safeParse(value);
  if (unknown.length === 0 && (!result || result.success)) return result?.data as z.output<S>;
  const issues = result?.error?.issues ?? [];
  const details: ProblemDetail[] = issues.slice(0, MAX_DETAILS).map((issue) => {
    const field = issue.path.map(String).join('.');
    const code: ProblemName = problemInRule(issue.message) ?? 'VALUE_INVALID';
    const label = fieldLabel(issue.path);
    return { code, field, message: issueMessage(issue as Parameters<typeof issueMessage>[0], label) };
  });
  details.push(...unknown.slice(0, MAX_DETAILS).map((field) => unknownField(part, field)));
  // A rule with two steps reports the same problem twice, so duplicates are removed.
  const [first, ...others] = details.filter(
    ({ code, field, message }, index) =>
      details.findIndex((other) => other.code === code && other.field === field && other.message === message) === index,
  );
  throw new Problem(first!.code, { ...first!, others });
}

function unknownField(part: 'params' | 'query' | 'body', field: string): ProblemDetail {
  const [, filter] = (part === 'query' && /^filter\.(.+)$/.exec(field)) || [];
  const kind = filter ? 'filter' : part === 'query' ? 'query parameter' : 'field';
  return { code: 'VALUE_INVALID', field, message: `Unknown ${kind}: ${filter ?? field}` };
}

interface Call {
  endpoint: AnyEndpoint;
  params: unknown;
  query: unknown;
  body: unknown;
  idempotency_key: string | undefined;
  /** Identifies the request, which a repeated call must match. By default, the hash of its parameters and its body. */
  request_hash?: string;
}

/** Runs a parsed request and returns the response to write. */
export async function execute(
  kernel: Kernel,
  implementation: Implementation,
  call: Call,
  context: Omit<Ctx, 'tx' | 'kernel'>,
): Promise<{ status: number; response: unknown }> {
  const { endpoint } = implementation;
  requireAccess(context.actor, endpoint);
  for (const part of [call.params, call.query, call.body]) refuseBadText(part);
  const input = {
    params: parseWith('params', endpoint.params, call.params),
    query: parseWith('query', endpoint.query, call.query),
    body: parseWith('body', endpoint.body, call.body),
  };
  const status = endpoint.status ?? 200;
  const show = (result: { status: number; response: unknown }) => forActor(endpoint, context.actor, result);
  const written = (result: unknown) => ({ status, response: endpoint.raw ? null : encode(endpoint, result) });
  const run = async (tx: Tx) => written(await implementation.run({ ...context, tx, kernel }, input as never));
  const { actor } = context;
  const isGet = endpoint.method === 'GET';
  // A file or a stream is written for as long as its client reads.
  if (implementation.own_transactions || (isGet && endpoint.raw)) return run(withoutTransaction(kernel.db)).then(show);
  if (isGet) {
    const read = (reads: Queryable) => run(withoutTransaction(kernel.db, reads));
    const reply = isListCall(endpoint) ? runList(kernel, actor, read) : runCall(kernel, actor, () => read(kernel.db));
    return reply.then(show);
  }
  const key = endpoint.idempotent ? idempotencyName(actor, call.idempotency_key) : undefined;
  const keyed =
    key === undefined
      ? null
      : { key, hash: call.request_hash ?? requestHash(endpoint.id, [call.params, call.query, call.body]) };
  const { grouping } = implementation;
  // Test keys, spend limits, and approvals need work that other calls cannot share.
  const isShared = !actor.test && actor.spend_limit_micros == null && !actor.approval;
  if (grouping?.accepts(input as never) && isShared) {
    const waiting = { actor, input: input as never, keyed, address: context.address };
    const reply = await callInGroup(kernel, endpoint, grouping, written, waiting);
    if (reply) return show(reply);
  }
  const work = async (tx: Tx) => {
    const stored = keyed && (await replay(tx, actor.account_id, keyed));
    if (stored) return stored;
    const response = await run(tx);
    if (keyed) await remember(tx, actor.account_id, keyed, response);
    return response;
  };
  return runCall(kernel, actor, () => kernel.db.tx(work)).then(show);
}

/** Hides amounts last, because a stored response may have been created for another user. */
function forActor<R extends { response: unknown }>(endpoint: AnyEndpoint, actor: Actor, result: R): R {
  if (result.response === null || seesSpend(actor.permissions)) return result;
  const response = result.response as { data?: unknown };
  const hide = (item: unknown) => hideSpend(endpoint.output, item);
  const data = endpoint.list ? (response.data as unknown[]).map(hide) : hide(response.data);
  return { ...result, response: { ...response, data } };
}

// The output schema decides which fields leave the server. A column that is not in the contract is never sent.
function encode(endpoint: AnyEndpoint, result: unknown): unknown {
  if (endpoint.status === 204) return null;
  const encodeItem = (item: unknown) => withLinks(endpoint, endpoint.output.parse(item));
  if (endpoint.list) {
    const { data, pagination, beside } = result as Paged<unknown>;
    return { data: data.map(encodeItem), pagination, ...endpoint.beside?.parse(beside) };
  }
  return { data: encodeItem(result) };
}

function withLinks({ links }: AnyEndpoint, item: unknown): unknown {
  if (!links) return item;
  const fields = item as Record<string, unknown>;
  return {
    ...fields,
    links: Object.fromEntries(Object.entries(links).map(([name, path]) => [name, endpointPath(path, fields)])),
  };
}

/** The reads of a call that must not change anything. */
function withoutTransaction(db: Db, reads: Queryable = db): Tx {
  const refuse = () => {
    throw new Error('this endpoint has no transaction: events and jobs require a transaction');
  };
  return {
    rows: (statement) => reads.rows(statement),
    one: (statement) => reads.one(statement),
    maybeOne: (statement) => reads.maybeOne(statement),
    run: (statement) => reads.run(statement),
    now: db.clock.now(),
    db,
    afterCommit: refuse,
    afterRollback: refuse,
    beforeCommit: refuse,
    get client(): never {
      return refuse();
    },
  };
}
