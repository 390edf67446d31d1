/** One attempt of a delivery: its signed request, and the outcome. */
import type { WebhookAttempt } from '@parley/contract/webhooks/webhooks.ts';
import { type Outbound, OutboundError } from '../kernel/http/outbound.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { timelineNow } from './attempt_time.ts';
import type { Claimed, Target } from './claim.ts';
import type { Result } from './results.ts';
import { type SigningKeys, signatureHeaders, signingKeys } from './signatures.ts';

const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 4_096;
const KEPT_RESPONSE = 1_000;

/** The common data of a claim's requests to one webhook. */
export interface Destination {
  target: Target;
  /** The current one first. */
  keys: readonly SigningKeys[];
  tls: { cert?: string; key?: string; ca?: string };
}

/** Opens the sealed secrets. Throws if they were sealed with a key that is no longer known. */
export function openDestination(seals: Kernel['seals'], target: Target): Destination {
  const place = { table: 'webhooks', row: target.id } as const;
  return {
    target,
    keys: [target.secret, target.previous_secret]
      .filter((secret) => secret !== null)
      .map((secret) => signingKeys(seals.open(secret, place))),
    tls: {
      ...(target.client_certificate !== null && target.client_key !== null
        ? { cert: target.client_certificate, key: seals.open(target.client_key, place) }
        : {}),
      ...(target.server_ca === null ? {} : { ca: target.server_ca }),
    },
  };
}

export async function attempt(
  outbound: Outbound,
  open: () => Destination,
  { url, signature_header, signature_encoding, payload_version }: Target,
  delivery: Claimed,
): Promise<Result> {
  const started = performance.now();
  const finish = (
    ok: boolean,
    outcome: Pick<WebhookAttempt, 'response_status' | 'response_body' | 'error'>,
  ): Result => ({
    ...delivery,
    ok,
    attempt: { at: timelineNow(), ...outcome, ms: Math.round(performance.now() - started) },
  });
  try {
    const { keys, tls } = open();
    const { status, body } = await outbound.fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-version': payload_version,
        ...signatureHeaders({
          id: delivery.id,
          timestamp: Math.floor(Date.now() / 1_000),
          body: delivery.body,
          keys,
          header: signature_header,
          encoding: signature_encoding,
        }),
      },
      body: delivery.body,
      tls,
      keep_alive: true,
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_RESPONSE_BYTES,
    });
    const ok = status >= 200 && status < 300;
    return finish(ok, {
      response_status: status,
      response_body: body.length === 0 ? '' : readText(body),
      error: ok ? null : `The server responded ${status}`,
    });
  } catch (error) {
    const text = error instanceof OutboundError ? error.message : 'The request could not be made';
    return finish(false, { response_status: null, response_body: null, error: text });
  }
}

/** NUL cannot be stored. */
const readText = (body: Buffer): string =>
  body.toString('utf8').replaceAll('\0', '').toWellFormed().slice(0, KEPT_RESPONSE).toWellFormed();
