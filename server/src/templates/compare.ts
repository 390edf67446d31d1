/** Comparing what we say of WhatsApp templates with what WhatsApp says: every hour, after a template was handed over, and when somebody asks. */
import { Problem } from '@parley/contract/problem.ts';
import type { syncTemplates } from '@parley/contract/templates.ts';
import type { z } from 'zod';
import type { TemplateState } from '../channels/channel.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { deskOf } from './desk.ts';
import { lockHanded, mayAsk, whatsappConnections } from './desk_queries.ts';
import { reasonOf } from './reason.ts';
import { saidBy, settle } from './settle.ts';

/** Between two times that an account may ask. */
export const ASK_PAUSE_MS = 30_000;

export interface Compared {
  checked: number;
  changed: number;
}

export async function compare(kernel: Kernel, connection_id: string): Promise<Compared> {
  const found = await deskOf(kernel, connection_id);
  if (!found) return { checked: 0, changed: 0 };
  const asked = kernel.clock.now();
  const states = new Map<string, TemplateState>();
  for (const state of await found.desk.list(found.spec)) states.set(state.external_id, state);
  return kernel.db.tx(async (tx) => {
    let [checked, changed] = [0, 0];
    for (const row of await lockHanded(tx, connection_id, null)) {
      // What became of it while the list was on its way is newer than the list.
      if (new Date(`${row.update_date.replace(' ', 'T')}Z`).getTime() >= asked.getTime() - 1_000) continue;
      checked++;
      const state = states.get(row.external_id!);
      const said = state
        ? saidBy(state)
        : { status: 'CANCELED' as const, paused: false, reason: reasonOf('DELETED'), external_id: row.external_id };
      if (await settle(tx, row, said)) changed++;
    }
    return { checked, changed };
  });
}

export async function compareAll(kernel: Kernel, signal: AbortSignal): Promise<void> {
  for (const { connection_id } of await whatsappConnections(kernel.db, null)) {
    if (signal.aborted) return;
    await compare(kernel, connection_id).catch((error: Error) => {
      kernel.log.warn({ err: error, connection_id }, 'the templates of a connection could not be compared');
    });
  }
}

/** Own transactions: a carrier is asked. 1903 when it was asked too lately. */
export async function compareNow(kernel: Kernel, account_id: string): Promise<z.input<typeof syncTemplates.output>> {
  if (!(await mayAsk(kernel.db, account_id, kernel.clock.now(), ASK_PAUSE_MS)))
    throw new Problem(1903, { retry_after: ASK_PAUSE_MS / 1_000 });
  const total = { checked: 0, changed: 0, failed: [] as { sender: string; text: string }[] };
  for (const { connection_id, sender } of await whatsappConnections(kernel.db, account_id)) {
    try {
      const { checked, changed } = await compare(kernel, connection_id);
      total.checked += checked;
      total.changed += changed;
    } catch (error) {
      total.failed.push({ sender, text: (error as Error).message.slice(0, 300) });
    }
  }
  return total;
}
