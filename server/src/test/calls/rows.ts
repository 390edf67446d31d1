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
