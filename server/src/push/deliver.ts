/**
 * Sends notifications to push services. A notification is composed just before it is sent, from what the user may view
 * at that time. It is sent at least once; the browser replaces a notification of the same conversation. Each account
 * has its own small share of the parallel requests, so a slow push service delays no other account.
 */
import { createHash } from 'node:crypto';
import { pushChanged } from '@parley/contract/push/push.ts';
import { type Brand, DEFAULT_BRAND, imagePath, readBrand } from '../kernel/brand/brand.ts';
import { createOutbound, type Outbound } from '../kernel/http/outbound.ts';
import { EVENT_GATHER_MS, PollLoop } from '../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { emit, onEvents } from '../kernel/live/events.ts';
import { compose } from './compose.ts';
import * as deliveries from './delivery_queries.ts';
import { encryptPush, vapidHeader } from './encryption.ts';
import { fanOut } from './fanout.ts';
import { type BrowserSubscription, devicePlace, readVapidKeys } from './push.ts';
import { deleteDevice } from './queries.ts';

const POLL_MS = 1_000;
const TIMEOUT_MS = 10_000;
const LIMITS = { account: 5, all: 50 } as const;
/** Notifications of events that are older are not sent. */
const MAX_AGE_MS = 6 * 3_600_000;
const MAX_ATTEMPTS = 5;
/** How long a push service keeps a notification for a browser that is off. */
const TTL_SECONDS = 6 * 3_600;

export function startPush(kernel: Kernel): { stop(): Promise<void> } {
  const outbound = createOutbound(kernel.config);
  /** The accounts of the notifications that are being sent. */
  const running = new Map<Promise<void>, string>();
  const start = (delivery: deliveries.Claimed) => {
    const work = run(kernel, outbound, delivery);
    running.set(work, delivery.account_id);
    void work.finally(() => {
      running.delete(work);
      loop.wake();
    });
  };
  const step = async () => {
    while (!loop.stopped && (await fanOut(kernel.db)));
    for (let hasMore = true; hasMore && !loop.stopped && running.size < LIMITS.all; ) {
      const claimed = await deliveries.claim(kernel.db, kernel.clock.now(), {
        limit: LIMITS.all - running.size,
        each: LIMITS.account,
        full: findFull([...running.values()]),
      });
      for (const delivery of claimed) start(delivery);
      hasMore = claimed.length > 0;
    }
  };
  const loop: PollLoop = new PollLoop(kernel, { name: 'push', poll_ms: POLL_MS, gather_ms: EVENT_GATHER_MS, step });
  const unsubscribe = onEvents(loop.wake);
  return {
    async stop() {
      unsubscribe();
      await loop.stop();
      await Promise.all(running.keys());
    },
  };
}

/** The accounts that have used up their share. */
function findFull(accounts: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const account_id of accounts) counts.set(account_id, (counts.get(account_id) ?? 0) + 1);
  return [...counts].filter(([, count]) => count >= LIMITS.account).map(([account_id]) => account_id);
}

/** A notification that cannot be sent is given up like one that is refused. */
async function run(kernel: Kernel, outbound: Outbound, delivery: deliveries.Claimed): Promise<void> {
  try {
    await send(kernel, outbound, delivery);
  } catch (error) {
    kernel.log.error({ err: error }, 'push delivery');
    await retry(kernel, delivery).catch((failed) => kernel.log.error({ err: failed }, 'push delivery'));
  }
}

const retry = ({ db, clock }: Kernel, { account_id, id, attempts }: deliveries.Claimed): Promise<unknown> =>
  attempts >= MAX_ATTEMPTS
    ? deliveries.remove(db, account_id, id)
    : deliveries.postpone(db, account_id, id, new Date(clock.now().getTime() + 30_000 * 2 ** attempts));

async function send(kernel: Kernel, outbound: Outbound, delivery: deliveries.Claimed): Promise<void> {
  const { db, clock, seals } = kernel;
  const { account_id, id, device_id, conversation_id, kind } = delivery;
  const now = clock.now();
  const device = await deliveries.findDevice(db, account_id, device_id, now);
  const isLate = now.getTime() - delivery.created * 1_000 > MAX_AGE_MS;
  const content = device && !isLate && !device.is_quiet ? await compose(db, delivery, device) : null;
  if (!device || !content) return void (await deliveries.remove(db, account_id, id));
  const { endpoint, ...keys } = JSON.parse(
    seals.open(device.subscription, devicePlace(device_id)),
  ) as BrowserSubscription;
  const status = await post(kernel, outbound, endpoint, {
    body: encryptPush(JSON.stringify({ ...content, icon: iconFor(await readBrand(db, account_id)) }), keys),
    topic: createHash('sha256').update(`${kind} ${conversation_id}`).digest('base64url').slice(0, 32),
  });
  if (status === 404 || status === 410) await removeExpired(kernel, delivery, device.user_id);
  else if (isFinal(status)) await deliveries.remove(db, account_id, id);
  else await retry(kernel, delivery);
}

/** Users of a brand never see the icon of this app. Not every system shows SVG images in notifications. */
function iconFor(brand: Brand): string | undefined {
  if (brand === DEFAULT_BRAND) return '/icon-192.png';
  return brand.logo_id !== null && brand.logo_type !== 'image/svg+xml' ? imagePath(brand.logo_id) : undefined;
}

/** Only throttling is retried. Other refusals would be the same for the same notification. */
const isFinal = (status: number): boolean => status < 500 && status !== 429 && status !== 0;

/** Returns the status, or 0 if there was no response. */
async function post(
  kernel: Kernel,
  outbound: Outbound,
  endpoint: string,
  { body, topic }: { body: Buffer; topic: string },
): Promise<number> {
  const keys = await readVapidKeys(kernel, kernel.db);
  try {
    const { status } = await outbound.fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: vapidHeader(keys, endpoint, kernel.config.PUBLIC_URL, kernel.clock.now()),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(TTL_SECONDS),
        urgency: 'normal',
        topic,
      },
      body,
      timeout_ms: TIMEOUT_MS,
      max_bytes: 1_024,
    });
    if (status >= 400 && status !== 404 && status !== 410) kernel.log.warn({ status }, 'push service refused');
    return status;
  } catch (error) {
    kernel.log.warn({ err: error }, 'push service not reached');
    return 0;
  }
}

/** The browser has ended its subscription. */
const removeExpired = ({ db }: Kernel, { account_id, device_id }: deliveries.Claimed, user_id: string) =>
  db.tx(async (tx) => {
    await deliveries.removeAll(tx, account_id, device_id);
    if ((await deleteDevice(tx, account_id, device_id)) > 0) emit(tx, pushChanged, account_id, { user_id });
  });
