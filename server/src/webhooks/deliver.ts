/**
 * Sends deliveries, each at least once. Every webhook has its own small share of the parallel requests, and webhooks
 * that fail share at most half of them, so a slow or dead server delays no other webhook.
 */
import type { WebhookAttempt } from '@parley/contract/webhooks/webhooks.ts';
import { createOutbound, type Outbound, OutboundError } from '../kernel/http/outbound.ts';
import { PollLoop } from '../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { onEvents } from '../kernel/live/events.ts';
import { timelineNow } from './attempt_time.ts';
import { type Claimed, claim, type Target } from './claim.ts';
import { fanOut } from './fanout.ts';
import { type Result, storeResults } from './results.ts';
import { signatureHeaders } from './signatures.ts';

const POLL_MS = 500;
const TIMEOUT_MS = 10_000;
const MAX_RESPONSE_BYTES = 4_096;
const KEPT_RESPONSE = 1_000;
const LIMITS = { webhook: 10, failing_webhook: 1, account: 40, failing: 100, all: 200 } as const;

/** Counts the requests in progress. */
class Slots {
  private readonly counts = new Map<string, number>();
  get(name: string): number {
    return this.counts.get(name) ?? 0;
  }
  add(names: readonly string[], change: 1 | -1): void {
    for (const name of names) {
      const count = this.get(name) + change;
      if (count === 0) this.counts.delete(name);
      else this.counts.set(name, count);
    }
  }
}

const slotNames = ({ id, account_id, failures }: Target): string[] => [
  id,
  account_id,
  'all',
  ...(failures > 0 ? ['failing'] : []),
];

/** Returns the room of each webhook of one claim. Those that fail leave less of it to the next ones that fail. */
function planRooms(slots: Slots): (target: Target) => number {
  let failing = LIMITS.failing - slots.get('failing');
  return ({ id, account_id, failures }) => {
    const isFailing = failures > 0;
    const room = Math.min(
      (isFailing ? LIMITS.failing_webhook : LIMITS.webhook) - slots.get(id),
      LIMITS.account - slots.get(account_id),
      LIMITS.all - slots.get('all'),
      isFailing ? failing : LIMITS.all,
    );
    if (isFailing && room > 0) failing -= room;
    return room;
  };
}

export function startWebhooks(kernel: Kernel): { stop(): Promise<void> } {
  const outbound = createOutbound(kernel.config);
  const slots = new Slots();
  const running = new Set<Promise<void>>();
  const full = { webhooks: new Set<string>(), accounts: new Set<string>() };
  const store = resultBatcher(kernel);

  const run = async (target: Target, delivery: Claimed) => {
    const names = slotNames(target);
    slots.add(names, 1);
    if (slots.get(target.id) >= (target.failures > 0 ? LIMITS.failing_webhook : LIMITS.webhook))
      full.webhooks.add(target.id);
    if (slots.get(target.account_id) >= LIMITS.account) full.accounts.add(target.account_id);
    const result = await attempt(kernel, outbound, target, delivery);
    await store(result).catch((error) => kernel.log.error({ err: error }, 'webhook result'));
    slots.add(names, -1);
    full.webhooks.delete(target.id);
    full.accounts.delete(target.account_id);
    loop.wake();
  };
  const step = async () => {
    while (!loop.stopped && (await fanOut(kernel.db)));
    if (slots.get('all') >= LIMITS.all) return;
    const { targets, deliveries } = await claim(kernel.db, planRooms(slots), {
      webhooks: [...full.webhooks],
      accounts: [...full.accounts],
      failing: slots.get('failing') >= LIMITS.failing,
    });
    const byId = new Map(targets.map((target) => [target.id, target]));
    for (const delivery of deliveries) {
      const work = run(byId.get(delivery.webhook_id)!, delivery);
      running.add(work);
      void work.finally(() => running.delete(work));
    }
  };
  const loop: PollLoop = new PollLoop(kernel, { name: 'webhooks', poll_ms: POLL_MS, step });
  const unsubscribe = onEvents(loop.wake);
  return {
    async stop() {
      unsubscribe();
      await loop.stop();
      await Promise.all(running);
    },
  };
}

/** Stores the results that arrive while the previous ones are being stored in one transaction. */
function resultBatcher(kernel: Kernel): (result: Result) => Promise<void> {
  let waiting: { result: Result; done: () => void; failed: (error: unknown) => void }[] = [];
  let storing = false;
  const flush = async () => {
    storing = true;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await storeResults(
        kernel,
        batch.map(({ result }) => result),
      ).then(
        () => {
          for (const { done } of batch) done();
        },
        (error) => {
          for (const { failed } of batch) failed(error);
        },
      );
    }
    storing = false;
  };
  return (result) =>
    new Promise((done, failed) => {
      waiting.push({ result, done, failed });
      if (!storing) void flush();
    });
}

/** The client certificate to present, and the authorities to trust. */
const tlsOptions = (seals: Kernel['seals'], target: Target) => ({
  ...(target.client_certificate !== null && target.client_key !== null
    ? { cert: target.client_certificate, key: seals.open(target.client_key, { table: 'webhooks', row: target.id }) }
    : {}),
  ...(target.server_ca === null ? {} : { ca: target.server_ca }),
});

async function attempt({ seals }: Kernel, outbound: Outbound, target: Target, delivery: Claimed): Promise<Result> {
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
    const secrets = [target.secret, target.previous_secret]
      .filter((secret) => secret !== null)
      .map((secret) => seals.open(secret, { table: 'webhooks', row: target.id }));
    const { status, body } = await outbound.fetch(target.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...signatureHeaders({
          id: delivery.id,
          timestamp: Math.floor(Date.now() / 1_000),
          body: delivery.body,
          secrets,
          header: target.signature_header,
          encoding: target.signature_encoding,
        }),
      },
      body: delivery.body,
      tls: tlsOptions(seals, target),
      timeout_ms: TIMEOUT_MS,
      max_bytes: MAX_RESPONSE_BYTES,
    });
    const ok = status >= 200 && status < 300;
    // NUL cannot be stored.
    const response_body = body
      .toString('utf8')
      .replaceAll('\0', '')
      .toWellFormed()
      .slice(0, KEPT_RESPONSE)
      .toWellFormed();
    return finish(ok, { response_status: status, response_body, error: ok ? null : `The server responded ${status}` });
  } catch (error) {
    const text = error instanceof OutboundError ? error.message : 'The request could not be made';
    return finish(false, { response_status: null, response_body: null, error: text });
  }
}
