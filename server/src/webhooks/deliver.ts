/**
 * Sends deliveries, each at least once. Two loops claim them, many at a time: one for webhooks that fail or respond
 * slowly, and one for all others. Neither waits for a response. Every webhook has its own share of the parallel
 * requests (pace.ts), so a slow or dead server delays no other webhook.
 */
import { EVENT_GATHER_MS, PollLoop } from '../kernel/jobs/poll_loop.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { onEvents } from '../kernel/live/events.ts';
import { type Choice, claim } from './claim.ts';
import { fanOut } from './fanout.ts';
import { Pace } from './pace.ts';
import { Sender } from './sender.ts';

const POLL_MS = 500;

export function startWebhooks(kernel: Kernel): { stop(): Promise<void> } {
  const pace = new Pace();
  const sender = new Sender(kernel, pace, (lane) => loops[lane].wake());
  const step = (lane: Choice['lane']) => async () => {
    const choice = chooseWebhooks(pace, lane);
    if (choice) sender.send(await claim(kernel.db, pace.planRooms(), choice));
  };
  const createDeliveries = async () => {
    const done = await fanOut(kernel.db);
    if (done !== 'none') for (const loop of [loops.fresh, loops.slow]) loop.wake();
    return done === 'more';
  };
  const loops: Record<'events' | Choice['lane'], PollLoop> = {
    fresh: new PollLoop(kernel, { name: 'webhooks', poll_ms: POLL_MS, step: step('fresh') }),
    slow: new PollLoop(kernel, { name: 'slow webhooks', poll_ms: POLL_MS, step: step('slow') }),
    events: new PollLoop(kernel, {
      ...{ name: 'webhook events', poll_ms: POLL_MS, gather_ms: EVENT_GATHER_MS },
      step: createDeliveries,
    }),
  };
  const unsubscribe = onEvents(loops.events.wake);
  return {
    async stop() {
      unsubscribe();
      await Promise.all(Object.values(loops).map((loop) => loop.stop()));
      await sender.stop();
    },
  };
}

/** Returns the webhooks to claim deliveries of. Null: none can have more now. */
function chooseWebhooks(pace: Pace, lane: Choice['lane']): Choice | null {
  const choice = { lane, slow: pace.ids('slow', 'failing'), ...pace.full(), only: null };
  if (lane === 'fresh') {
    if (pace.isFull('proven')) return null;
    return pace.isFull('unproven') ? { ...choice, only: pace.ids('proven') } : choice;
  }
  if (pace.isFull('failing')) return pace.isFull('slow') ? null : { ...choice, only: pace.ids('slow') };
  return pace.isFull('slow') ? { ...choice, full_webhooks: [...choice.full_webhooks, ...pace.ids('slow')] } : choice;
}
