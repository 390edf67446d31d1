/**
 * Passes carrier notices to the modules they concern. A notice about an object that no longer exists changes nothing.
 */
import { startNumber, stopNumber } from '../../audiences/audiences.ts';
import type { Notice } from '../../channels/channel.ts';
import { sql, type Tx } from '../../kernel/db/db.ts';
import { recordCarrierStates } from '../../senders/senders.ts';
import { takeTemplateNotices } from '../../templates/templates.ts';
import { resolveNumbers } from '../thread/aliases.ts';
import { type Owner, storeEchoes } from './echoes.ts';
import { changeNumber } from './number_changes.ts';

type NoticeByKind<K extends Notice['kind']> = Extract<Notice, { kind: K }>;

export async function applyNotices(tx: Tx, connection_id: string, notices: readonly Notice[]): Promise<void> {
  const ofKind = <K extends Notice['kind']>(kind: K) =>
    notices.filter((notice): notice is NoticeByKind<K> => notice.kind === kind);
  await recordCarrierStates(tx, connection_id, ofKind('sender'));
  await takeTemplateNotices(tx, connection_id, ofKind('template'));
  await applyConsent(tx, connection_id, ofKind('consent'));
  await applyEvents(tx, connection_id, [...ofKind('number'), ...ofKind('echo')]);
  const device = ofKind('device').at(-1);
  if (device) await recordDevice(tx, connection_id, device);
  const error = ofKind('error').at(-1);
  if (error) await recordError(tx, connection_id, [error.code, error.text].filter(Boolean).join(': '));
}

/** Records the state of the phone that operators see in Health. */
const recordDevice = (tx: Tx, connection_id: string, { kind: _, ...state }: NoticeByKind<'device'>) =>
  tx.run(sql`
    update connections set device_state = ${JSON.stringify(state)}::jsonb, device_date = ${tx.now}
    where id = ${connection_id}`);

/** Records an error that operators see in Health. */
const recordError = (tx: Tx, connection_id: string, text: string) =>
  tx.run(sql`update connections set error_date = ${tx.now}, error_text = ${text} where id = ${connection_id}`);

type Happening = NoticeByKind<'number'> | NoticeByKind<'echo'>;

/** Events for deleted senders have no effect, because these senders have no owner. */
async function applyEvents(tx: Tx, connection_id: string, events: readonly Happening[]): Promise<void> {
  if (events.length === 0) return;
  const owners = await tx.rows<Owner>(sql`
    select s.carrier_address as address, s.account_id, s.id as sender_id, s.channel, s.code, a.currency,
           a.country_code as country
    from senders s join accounts a on a.id = s.account_id
    where s.connection_id = ${connection_id}
      and s.carrier_address = any(${events.map(({ address }) => address)}::text[])
      and s.shared_from is null and s.delete_date is null`);
  const byAddress = new Map(owners.map((owner) => [owner.address, owner]));
  const owned = events.flatMap((event) => {
    const owner = byAddress.get(event.address);
    return owner ? [{ ...event, owner }] : [];
  });
  for (const event of owned) if (event.kind === 'number') await changeNumber(tx, connection_id, event);
  const echoes = owned.flatMap((event) => (event.kind === 'echo' ? [event] : []));
  if (echoes.length > 0) await storeEchoes(tx, connection_id, echoes);
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
