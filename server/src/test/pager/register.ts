/**
 * Adds the pager to every registry, just as a new channel is added with one line of code in each. It must run before
 * any module that reads the names of all channels is loaded.
 */
import { ADAPTERS } from '@parley/contract/channels/adapters.ts';
import { ALL_CHANNELS } from '@parley/contract/channels/index.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { ADAPTERS as CARRIERS } from '../../channels/index.ts';
import type { Db } from '../../kernel/db/db.ts';
import { sql } from '../../kernel/db/db.ts';
import { pager as adapter } from './adapter.ts';
import { PAGER, pager } from './description.ts';
import { pagerSettings } from './settings.ts';

const add = <T>(registry: readonly T[], item: T): void => void (registry as T[]).push(item);

add(CHANNELS, PAGER);
add(ALL_CHANNELS, pager);
Object.assign(ADAPTERS, { pager: pagerSettings });
add(CARRIERS, adapter);

/** Does the same as the migration of a new channel. */
export async function allowPager(db: Db): Promise<void> {
  await db.run(sql`
    alter table senders drop constraint senders_channel_check,
      add check (channel in ('SMS', 'VIBER', 'WHATSAPP', 'PAGER'))`);
  await db.run(sql`
    alter table connections drop constraint connections_adapter_check,
      add check (adapter in ('smpp', 'whatsapp', 'viber', 'pager'))`);
}
