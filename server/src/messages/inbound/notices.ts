/**
 * Passes carrier notices to the modules they concern. A notice about an object that no longer exists changes nothing.
 */
import { startNumber, stopNumber } from '../../audiences/audiences.ts';
import type { Notice } from '../../channels/channel.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { recordCarrierStates } from '../../senders/senders.ts';
import { takeTemplateNotices } from '../../templates/templates.ts';
import { resolveNumbers } from '../thread/aliases.ts';

type NoticeByKind<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

export async function applyNotices(tx: Tx, connection_id: string, notices: readonly Notice[]): Promise<void> {
  const ofKind = <K extends Notice['kind']>(kind: K) =>
    notices.filter((notice): notice is NoticeByKind<K> => notice.kind === kind);
  await recordCarrierStates(tx, connection_id, ofKind('sender'));
  await takeTemplateNotices(tx, connection_id, ofKind('template'));
  await applyConsent(tx, connection_id, ofKind('consent'));
}

async function applyConsent(tx: Tx, connection_id: string, notices: readonly NoticeByKind<'consent'>[]): Promise<void> {
  if (notices.length === 0) return;
  const owners = await tx.rows<{ address: string; account_id: string; sender_id: string; channel: string }>(sql`
    select carrier_address as address, account_id, id as sender_id, channel from senders
    where connection_id = ${connection_id} and carrier_address = any(${notices.map(({ address }) => address)}::text[])
      and shared_from is null and delete_date is null`);
  const byAddress = new Map(owners.map((owner) => [owner.address, owner]));
  const people = notices.flatMap((notice) => {
    const owner = byAddress.get(notice.address);
    return owner ? [{ ...notice, ...owner, details: {} }] : [];
  });
  for (const { account_id, sender_id, number, stopped } of await resolveNumbers(tx, people)) {
    const entry = { account_id, sender_id, number };
    if (stopped) await stopNumber(tx, { ...entry, reason: 'carrier' });
    else await startNumber(tx, entry);
  }
}
