/** Keeps refused calls of endpoints that ask for it (`keeps_refusals`), so that customers find them in their log. */
import { Problem, problemCode } from '@parley/contract/problem.ts';
import type { FastifyRequest } from 'fastify';
import { newId } from '../clock.ts';
import { sql } from '../db/db.ts';
import type { Kernel } from '../kernel.ts';
import type { Actor } from '../security/auth.ts';

/** No more refusals are kept while this many are being written: a flood of bad calls must not slow good ones. */
const MAX_WRITING = 4;
const MAX_TEXT = 200;
const TOO_MANY_REQUESTS = 429;

let writing = 0;

/** Runs after the transaction of the call has ended. The response does not wait for it. */
export function keepRefusal(kernel: Kernel, error: unknown, request: FastifyRequest): void {
  const { config } = request.routeOptions as { config?: { keeps_refusals?: boolean } };
  const { actor } = request as { actor?: Actor };
  if (!config?.keeps_refusals || !actor?.account_id || actor.test) return;
  const { method, id: request_id, routeOptions, body } = request;
  keepRefusedCall(kernel, error, actor, { method, path: routeOptions.url ?? '', request_id, data: readData(body) });
}

interface RefusedCall {
  method: string;
  path: string;
  request_id: string;
  /** The data of the request. */
  data: Record<string, unknown>;
}

/** Stores a refused call. Server errors and throttling are not stored. */
export function keepRefusedCall(kernel: Kernel, error: unknown, actor: Actor, call: RefusedCall): void {
  if (!(error instanceof Problem)) return;
  if (error.status >= 500 || error.status === TOO_MANY_REQUESTS || writing >= MAX_WRITING) return;
  writing++;
  void insertRefusal(kernel, error, call, actor)
    .catch((failure: unknown) => kernel.log.warn({ err: failure }, 'a refused call could not be stored'))
    .finally(() => {
      writing--;
    });
}

const insertRefusal = (kernel: Kernel, error: Problem, { method, path, request_id, data }: RefusedCall, actor: Actor) =>
  kernel.db.run(sql`
    insert into refused_calls (account_id, id, method, path, status, code, message, field, channel, "from", "to",
      user_id, key_id, request_id)
    values (${actor.account_id}, ${newId()}, ${method}, ${path}, ${error.status},
      ${problemCode(error.name)}, ${error.message}, ${error.field ?? null}, ${shortText(data.channel)},
      ${shortText(data.from)}, ${shortText(readRecipients(data.to))},
      ${actor.user_id}, ${actor.key_id}, ${request_id})`);

function readData(body: unknown): Record<string, unknown> {
  const data = typeof body === 'object' && body !== null ? (body as { data?: unknown }).data : null;
  return typeof data === 'object' && data !== null ? (data as Record<string, unknown>) : {};
}

const readRecipients = (to: unknown): unknown =>
  Array.isArray(to) ? to.filter((number) => typeof number === 'string').join(', ') : to;

const shortText = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value.slice(0, MAX_TEXT).replaceAll('\0', '').toWellFormed() : null;
