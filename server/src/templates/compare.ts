/** Comparing what we say of WhatsApp templates with what WhatsApp says: every hour, after a template was handed over, and when somebody asks. */
import { Problem } from '@parley/contract/problem.ts';
import type { syncTemplates } from '@parley/contract/templates/templates.ts';
import type { z } from 'zod';
import type { TemplateState } from '../channels/channel.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { deskOf } from './desk.ts';
import { forgetAsking, handedTo, lockHanded, mayAsk, mayAskConnection, whatsappConnections } from './desk_queries.ts';
import type { TemplateRow } from './queries.ts';
import { reasonOf } from './reason.ts';
import { isNews, type Said, saidBy, settle } from './settle.ts';

/** Between two times that an account may ask. */
export const ASK_PAUSE_MS = 30_000;

export interface Compared {
  checked: number;
  changed: number;
}
/** Held at once, and no more: nobody waits for the templates of a thousand others. */
const TOGETHER = 100;

/** Compared without holding anything; only what is news is locked, and looked at again then. Counts are of one account where one is named. */
export async function compare(kernel: Kernel, connection_id: string, account_id?: string): Promise<Compared> {
  const found = await deskOf(kernel, connection_id);
  if (!found) return { checked: 0, changed: 0 };
  const asked = kernel.clock.now();
  const states = new Map<string, TemplateState>();
  for (const state of await found.desk.list(found.spec)) states.set(state.external_id, state);
  const saidOf = ({ external_id }: TemplateRow): Said => {
    const state = states.get(external_id!);
    return state ? saidBy(state) : { status: 'CANCELED', paused: false, reason: reasonOf('DELETED'), external_id };
  };
  // What became of it while the list was on its way is newer than the list.
  const isOlder = ({ update_date }: TemplateRow): boolean =>
    new Date(`${update_date.replace(' ', 'T')}Z`).getTime() < asked.getTime() - 1_000;
  const counted = (row: TemplateRow): number => (account_id === undefined || row.account_id === account_id ? 1 : 0);
  const total: Compared = { checked: 0, changed: 0 };
  const news: string[] = [];
  for (const row of (await handedTo(kernel.db, connection_id)).filter(isOlder)) {
    total.checked += counted(row);
    if (isNews(row, saidOf(row))) news.push(row.external_id!);
  }
  for (let at = 0; at < news.length; at += TOGETHER)
    await kernel.db.tx(async (tx) => {
      for (const row of await lockHanded(tx, connection_id, news.slice(at, at + TOGETHER)))
        if (isOlder(row) && (await settle(tx, row, saidOf(row)))) total.changed += counted(row);
    });
  return total;
}

export async function compareAll(kernel: Kernel, signal: AbortSignal): Promise<void> {
  for (const { connection_id } of await whatsappConnections(kernel.db, null)) {
    if (signal.aborted) return;
    await compare(kernel, connection_id).catch((error: Error) => {
      kernel.log.warn({ err: error, connection_id }, 'the templates of a connection could not be compared');
    });
  }
}

/** Own transactions: a carrier is asked. EXPORT_LIMIT_REACHED when it was asked too lately. */
export async function compareNow(kernel: Kernel, account_id: string): Promise<z.input<typeof syncTemplates.output>> {
  if (!(await mayAsk(kernel.db, account_id, kernel.clock.now(), ASK_PAUSE_MS)))
    throw new Problem('EXPORT_LIMIT_REACHED', { retry_after: ASK_PAUSE_MS / 1_000 });
  const total = { checked: 0, changed: 0, failed: [] as { sender: string; text: string }[] };
  for (const { connection_id, sender } of await whatsappConnections(kernel.db, account_id)) {
    try {
      const { checked, changed } = await compareFor(kernel, connection_id, account_id);
      total.checked += checked;
      total.changed += changed;
    } catch (error) {
      // Where the carrier is, and with what we show ourselves there, is nothing for customers.
      kernel.log.warn({ err: error, connection_id }, 'WhatsApp could not be asked for templates');
      total.failed.push({ sender, text: 'WhatsApp could not be asked. Try again in a moment' });
    }
  }
  return total;
}

/** Many companies may be on one connection: what one of them has just had asked is good for all. */
async function compareFor(kernel: Kernel, connection_id: string, account_id: string): Promise<Compared> {
  if (!(await mayAskConnection(kernel.db, connection_id, kernel.clock.now(), ASK_PAUSE_MS))) {
    const rows = await handedTo(kernel.db, connection_id);
    return { checked: rows.filter((row) => row.account_id === account_id).length, changed: 0 };
  }
  try {
    return await compare(kernel, connection_id, account_id);
  } catch (error) {
    await forgetAsking(kernel.db, connection_id);
    throw error;
  }
}
