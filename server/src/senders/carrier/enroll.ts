/**
 * Calls to a carrier about a sender, outside transactions. A refusal becomes a problem that quotes the carrier's words.
 */
import { randomInt } from 'node:crypto';
import { channelRules } from '@parley/contract/channels/index.ts';
import { Problem } from '@parley/contract/problem.ts';
import { CarrierRefusal, type Enrolled } from '../../channels/channel.ts';
import type { OpenConnection } from '../../connections/connections.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';

/** Throws CARRIER_UNAVAILABLE if the carrier did not respond. The caller can retry. A refusal is rethrown. */
export async function callCarrier<T>({ name }: Pick<OpenConnection, 'name'>, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CarrierRefusal || error instanceof Problem) throw error;
    throw new Problem('CARRIER_UNAVAILABLE', { internal: `${name}: ${(error as Error).message}`.slice(0, 300) });
  }
}

/** Throws SERVICE_ID_REQUIRED (the carrier has no enrollment), CARRIER_REJECTED_SENDER, or CARRIER_UNAVAILABLE. */
export async function enrollNumber(
  kernel: Kernel,
  connection: OpenConnection,
  { code, channel, business_name }: { code: string; channel: string; business_name: string },
): Promise<Enrolled> {
  const { adapter, spec } = connection;
  if (!adapter.senders) throw new Problem('SERVICE_ID_REQUIRED');
  const pin = await readOrCreatePin(kernel, channel, code);
  try {
    return await callCarrier(connection, () =>
      adapter.senders!.enroll(spec, { number: code, display_name: business_name, pin }),
    );
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    throw new Problem('CARRIER_REJECTED_SENDER', {
      message: `${channelRules(connection.channel).label} rejected the number: ${error.message}`,
    });
  }
}

/**
 * The two-step verification PIN of a number. It is created once and stored encrypted, because registering the number
 * again requires the same PIN.
 */
async function readOrCreatePin({ db, seals, clock }: Kernel, channel: string, number: string): Promise<string> {
  const place = { table: 'carrier_pins', row: `${channel} ${number}` };
  const sealed = seals.seal(String(randomInt(1_000_000)).padStart(6, '0'), place);
  await db.run(sql`
    insert into carrier_pins (channel, number, pin, create_date)
    values (${channel}, ${number}, ${sealed}, ${clock.now()})
    on conflict (channel, number) do nothing`);
  const { pin } = await db.one<{ pin: string }>(
    sql`select pin from carrier_pins where channel = ${channel} and number = ${number}`,
  );
  return seals.open(pin, place);
}
