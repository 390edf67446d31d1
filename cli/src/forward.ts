/** Sends events to a URL, signed like deliveries of webhooks. */
import { createHmac, randomBytes } from 'node:crypto';
import type { FeedEvent } from './follow.ts';
import type { Output } from './output.ts';
import { reason, usageError } from './problems.ts';
import { sleep } from './time.ts';

const PREFIX = 'whsec_';
const TIMEOUT_MS = 30_000;
/** How often an event is sent if the receiver accepts the connection but does not respond. */
const ATTEMPTS = 3;
const FIRST_RETRY_MS = 250;
const LAST_RETRY_MS = 3_000;
/** The receiver is not running, so it has not seen the event. */
const UNREACHABLE: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export const newSecret = (): string => PREFIX + randomBytes(24).toString('base64');

/** Accepts `3000`, `localhost:3000/hooks`, and complete URLs. */
export function readTarget(text: string): string {
  const full = /^\d+(\/|$)/.test(text)
    ? `http://localhost:${text}`
    : /^https?:\/\//.test(text)
      ? text
      : `http://${text}`;
  try {
    const url = new URL(full);
    if (url.hostname && !url.username && !url.password) return url.href;
  } catch {
    // Reported below.
  }
  throw usageError(`${JSON.stringify(text)} is not a URL. Examples: 3000, localhost:3000/webhooks`);
}

export function sign(
  event: FeedEvent,
  secret: string,
  now = Date.now(),
): { body: string; headers: Record<string, string> } {
  const { id, type, timestamp, data } = event;
  const body = JSON.stringify({ type, timestamp, data });
  const seconds = String(Math.floor(now / 1_000));
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64');
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${signature}`,
      'X-Signature': createHmac('sha256', secret).update(body).digest('base64'),
    },
  };
}

export interface Forwarded {
  /** Null without a response. */
  status: number | null;
  error?: string;
  ms: number;
}

interface Target {
  url: string;
  secret: string;
  signal: AbortSignal;
  output: Output;
}

/** Waits until the receiver is reachable. Returns null if the program ends before that. */
export async function forward(event: FeedEvent, target: Target): Promise<Forwarded | null> {
  const { url, secret, signal, output } = target;
  let isReachable = true;
  let retry = FIRST_RETRY_MS;
  for (let left = ATTEMPTS; !signal.aborted; ) {
    const start = performance.now();
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const init = { method: 'POST', redirect: 'manual' as const, ...sign(event, secret) };
      const response = await fetch(url, { ...init, signal: AbortSignal.any([signal, timeout]) });
      await response.body?.cancel();
      return { status: response.status, ms: Math.round(performance.now() - start) };
    } catch (error) {
      if (signal.aborted) return null;
      const isDown = UNREACHABLE.has(readCode(error));
      if (!isDown && (--left === 0 || isTimeout(error)))
        return { status: null, error: failure(error), ms: Math.round(performance.now() - start) };
      if (isDown && isReachable) output.note(`Waiting for ${url}${reason(error)}`);
      if (isDown) isReachable = false;
      await sleep(retry, signal);
      retry = Math.min(retry * 2, LAST_RETRY_MS);
    }
  }
  return null;
}

const isTimeout = (error: unknown): boolean => error instanceof DOMException && error.name === 'TimeoutError';

const failure = (error: unknown): string =>
  isTimeout(error) ? 'No response within 30 seconds' : `No response${reason(error)}`;

/** A host with several addresses has one error for each. */
function readCode(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause;
  return typeof first === 'object' && first !== null && 'code' in first ? String(first.code) : '';
}
