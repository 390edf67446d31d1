/** Asking a carrier about a sender: what it answers becomes one of our problems, in its words. Asked while no transaction is held. */
import { randomInt } from 'node:crypto';
import { Problem } from '@parley/contract/problem.ts';
import { CarrierRefusal, type Enrolled } from '../channels/channel.ts';
import type { OpenConnection } from '../connections/connections.ts';
import { sql } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';

/** CARRIER_UNAVAILABLE: nobody knows; try again. A refusal is thrown on as it is. */
export async function ask<T>({ name }: Pick<OpenConnection, 'name'>, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (error instanceof CarrierRefusal || error instanceof Problem) throw error;
    throw new Problem('CARRIER_UNAVAILABLE', { internal: `${name}: ${(error as Error).message}`.slice(0, 300) });
  }
}

/**
 * Problems: SERVICE_ID_REQUIRED (the carrier enrolls nobody), CARRIER_REJECTED_SENDER (it refused), CARRIER_UNAVAILABLE
 * (it is away).
 */
export async function enrollAt(
  kernel: Kernel,
  connection: OpenConnection,
  label: string,
  { code, channel, business_name }: { code: string; channel: string; business_name: string },
): Promise<Enrolled> {
  const { adapter, spec } = connection;
  if (!adapter.senders) throw new Problem('SERVICE_ID_REQUIRED');
  const pin = await pinOf(kernel, channel, code);
  try {
    return await ask(connection, () =>
      adapter.senders!.enroll(spec, { number: code, display_name: business_name, pin }),
    );
  } catch (error) {
    if (!(error instanceof CarrierRefusal)) throw error;
    throw new Problem('CARRIER_REJECTED_SENDER', { message: `${label} refused the number: ${error.message}` });
  }
}

/** Of the second step of a number: made once and kept sealed, since whoever registers the number again has to give it. */
async function pinOf({ db, seals, clock }: Kernel, channel: string, number: string): Promise<string> {
  const place = { table: 'carrier_pins', row: `${channel} ${number}` };
  const made = seals.seal(String(randomInt(1_000_000)).padStart(6, '0'), place);
  await db.run(sql`
    insert into carrier_pins (channel, number, pin, create_date) values (${channel}, ${number}, ${made}, ${clock.now()})
    on conflict (channel, number) do nothing`);
  const { pin } = await db.one<{ pin: string }>(
    sql`select pin from carrier_pins where channel = ${channel} and number = ${number}`,
  );
  return seals.open(pin, place);
}
