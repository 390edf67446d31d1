/** What carriers tell besides messages, each to the module it is about. Whoever it is about may be gone: then it changes nothing. */
import { startNumber, stopNumber } from '../audiences/audiences.ts';
import type { Notice } from '../channels/channel.ts';
import { sql, type Tx } from '../kernel/db/db.ts';
import { recordCarrierStates } from '../senders/senders.ts';
import { takeTemplateNotices } from '../templates/templates.ts';
import { nameWriters } from './writers.ts';

type Of<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

export async function takeNotices(tx: Tx, connection_id: string, notices: readonly Notice[]): Promise<void> {
  const of = <K extends Notice['kind']>(kind: K) => notices.filter((notice): notice is Of<K> => notice.kind === kind);
  await recordCarrierStates(tx, connection_id, of('sender'));
  await takeTemplateNotices(tx, connection_id, of('template'));
  await obeyConsent(tx, connection_id, of('consent'));
}

async function obeyConsent(tx: Tx, connection_id: string, notices: readonly Of<'consent'>[]): Promise<void> {
  if (notices.length === 0) return;
  const owners = await tx.rows<{ address: string; account_id: string; sender_id: string; channel: string }>(sql`
    select carrier_address as address, account_id, id as sender_id, channel from senders
    where connection_id = ${connection_id} and carrier_address = any(${notices.map(({ address }) => address)}::text[])
      and lent_from is null`);
  const byAddress = new Map(owners.map((owner) => [owner.address, owner]));
  const known = notices.flatMap((notice) => {
    const owner = byAddress.get(notice.address);
    return owner ? [{ ...notice, ...owner, told: {} }] : [];
  });
  for (const { account_id, sender_id, number, stopped } of await nameWriters(tx, known)) {
    const said = { account_id, sender_id, number };
    if (stopped) await stopNumber(tx, { ...said, reason: 'carrier' });
    else await startNumber(tx, said);
  }
}
