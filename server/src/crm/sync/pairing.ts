/**
 * Finds the number of each record. A number belongs to one record: the first one that has it keeps it for as long as
 * the record exists. A record keeps its number for as long as it is among its numbers, whatever their order.
 */
import { newId } from '../../kernel/clock.ts';
import type { CrmContact } from '../providers/provider.ts';
import { readNumbers, type SyncContext } from './context.ts';
import { deleteLinks, type Link, listLinksByNumber, listLinksByRecord } from './queries.ts';

/** A record and the number that it is synced with. */
export interface Pairing {
  readonly contact: CrmContact;
  readonly number: string;
  readonly country: string;
  readonly link: Link;
  /** True if the record was not synced before. */
  readonly is_new: boolean;
  /** The number before the CRM changed it. */
  readonly moved_from: string | null;
}

export interface Paired {
  readonly pairings: readonly Pairing[];
  /** Records whose numbers belong to other records. */
  readonly duplicates: readonly { contact: CrmContact; link: Link; holder: string }[];
  /** Records that have no number, and had one before. */
  readonly without_number: readonly Link[];
  readonly without_number_count: number;
}

const newLink = ({ account_id, provider }: SyncContext, { id, name }: CrmContact): Link => ({
  ...{ account_id, provider, id: newId(), record_id: id, number: null, state: 'synced' },
  ...{ base: {}, label: name || null, error: null, update_ms: 0 },
});

/** With `isDry`, nothing is written. */
export async function pairRecords(
  context: SyncContext,
  contacts: readonly CrmContact[],
  { isDry = false }: { isDry?: boolean } = {},
): Promise<Paired> {
  const { db } = context.kernel;
  const links = new Map(
    (
      await listLinksByRecord(
        db,
        context,
        contacts.map(({ id }) => id),
      )
    ).map((link) => [link.record_id, link]),
  );
  const active = contacts.filter(({ id }) => links.get(id)?.state !== 'erased');
  const numbers = new Map(active.map((contact) => [contact.id, readNumbers(context, contact)]));
  const all = [...numbers.values()].flat().map(({ number }) => number);
  const held = await listLinksByNumber(db, context, all);
  const holders = await listLiveHolders(context, held, active, isDry);
  // A link without a record waits for one. The record with its number takes it over.
  const open = new Map(held.flatMap((link) => (link.record_id === null ? [[link.number, link] as const] : [])));
  const pairings: Pairing[] = [];
  const duplicates: Paired['duplicates'][number][] = [];
  const without_number: Link[] = [];
  let without_number_count = 0;
  for (const contact of active) {
    const own = numbers.get(contact.id)!;
    const link = links.get(contact.id);
    const free = own.filter(({ number }) => (holders.get(number) ?? contact.id) === contact.id);
    const chosen = free.find(({ number }) => number === link?.number) ?? free[0];
    if (own.length === 0) {
      without_number_count++;
      if (link?.number) without_number.push(link);
    } else if (!chosen) {
      const holder = holders.get(own[0]!.number)!;
      duplicates.push({ contact, link: link ?? newLink(context, contact), holder });
    } else {
      holders.set(chosen.number, contact.id);
      const moved_from = link?.number && link.number !== chosen.number ? link.number : null;
      pairings.push({
        ...{ contact, ...chosen, moved_from },
        link: link ?? { ...(open.get(chosen.number) ?? newLink(context, contact)), record_id: contact.id },
        is_new: !link || link.number === null,
      });
    }
  }
  return { pairings, duplicates, without_number, without_number_count };
}

/**
 * Returns the record of each number. A record that no longer exists loses its number: it may have been merged into the
 * record that has the number now.
 */
async function listLiveHolders(
  context: SyncContext,
  held: readonly Link[],
  contacts: readonly CrmContact[],
  isDry: boolean,
): Promise<Map<string, string>> {
  const present = new Set(contacts.map(({ id }) => id));
  const others = held.flatMap(({ record_id }) => (record_id && !present.has(record_id) ? record_id : []));
  const existing =
    others.length > 0 ? await context.crm.contacts(context.call, context.definitions, others.slice(0, 100)) : [];
  for (const { id } of existing) present.add(id);
  const gone = held.filter(({ record_id, state }) => record_id && !present.has(record_id) && state !== 'erased');
  if (gone.length > 0 && !isDry)
    await context.kernel.db.tx((tx) =>
      deleteLinks(
        tx,
        context,
        gone.map(({ id }) => id),
      ),
    );
  const holders = new Map<string, string>();
  for (const link of held) {
    if (link.record_id && present.has(link.record_id)) holders.set(link.number!, link.record_id);
  }
  return holders;
}
