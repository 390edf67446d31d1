/** Creates rows of an account for the tests of all calls. */
import { newId } from '../../kernel/clock.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';

export async function makeOptInForm(
  { db }: Pick<Kernel, 'db'>,
  account_id: string,
  audience_id: string,
  sender_id: string,
): Promise<string> {
  const id = newId();
  await db.run(sql`
    insert into opt_in_forms (account_id, id, audience_id, sender_id, name, texts, purpose, country, code)
    values (${account_id}, ${id}, ${audience_id}, ${sender_id}, 'Form', '[]', 'marketing', 'GB', ${id})`);
  return id;
}

export async function makeDestination({ db }: Pick<Kernel, 'db'>, account_id: string): Promise<string> {
  const id = newId();
  await db.run(sql`
    insert into export_destinations (account_id, id, type, name, host, port, username, auth, secret, host_key_type,
      host_key_fingerprint, folder, file_name)
    values (${account_id}, ${id}, 'sftp', 'Store', 'sftp.example', 22, 'a', 'password', 'x', 'ssh-ed25519', 'x', '',
      '{list}')`);
  return id;
}

/** A lookup and a bulk lookup with the same ID, because their paths end alike. */
export async function makeLookup(kernel: Kernel, account_id: string): Promise<string> {
  const id = newId();
  await kernel.db.run(sql`
    insert into number_lookups (account_id, id, number, country, status, is_live, provider, price_micros, currency)
    values (${account_id}, ${id}, '447400000105', 'GB', 'good', true, 'twilio', 5000, 'USD')`);
  await kernel.db.run(sql`
    insert into bulk_lookups (account_id, id, name, status, total, currency)
    values (${account_id}, ${id}, 'numbers.csv', 'paused', 1, 'USD')`);
  return id;
}
