/**
 * Checks VAT numbers in the register of the European Union after they are saved. A job does it, so an unavailable
 * register never delays a save. Until it answers, the format of the number decides.
 */

import { isInEu, splitVatNumber } from '@parley/contract/billing/vat.ts';
import { type VatCheck, vatCheckChanged } from '@parley/contract/billing/vat_checks.ts';
import { Problem } from '@parley/contract/problem.ts';
import { type Queryable, sql, type Tx } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { emit } from '../../kernel/live/events.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { findRegistration, type Registration } from './register.ts';

interface Facts {
  country_code: string;
  vat_number: string;
  seller_country: string;
  seller_number: string;
}

const findFacts = (db: Queryable, account_id: string) =>
  db.maybeOne<Facts>(sql`
    select a.country_code, a.vat_number, e.country_code as seller_country, e.vat_number as seller_number
    from accounts a join invoice_entities e on e.id = a.invoice_entity where a.id = ${account_id}`);

export async function checkVatNumber({ db, config }: Kernel, account_id: string): Promise<void> {
  if (config.VIES_URL === null) return;
  const facts = await findFacts(db, account_id);
  const id = facts && splitVatNumber(facts.country_code, facts.vat_number);
  if (!id) return;
  const vat_number = id.prefix + id.number;
  await db.tx((tx) =>
    tx.run(sql`
      insert into vat_checks (account_id, vat_number, create_date) values (${account_id}, ${vat_number}, ${tx.now})
      on conflict do nothing`),
  );
  const requester = splitVatNumber(facts.seller_country, facts.seller_number);
  const registration = await findRegistration(config.VIES_URL, id, requester);
  await db.tx((tx) => storeRegistration(tx, account_id, vat_number, registration));
}

async function storeRegistration(tx: Tx, account_id: string, vat_number: string, found: Registration): Promise<void> {
  const status = found.is_valid ? 'valid' : 'invalid';
  await tx.run(sql`
    update vat_checks set status = ${status},
      consultation_number = ${found.consultation_number}, registered_name = ${found.name},
      registered_address = ${found.address}, check_date = ${tx.now}
    where account_id = ${account_id} and vat_number = ${vat_number}`);
  emit(tx, vatCheckChanged, account_id, { vat_number, status });
}

/** The last check of the account’s VAT number, or null if it was never checked. */
export async function findVatCheck(
  db: Queryable,
  account_id: string,
  country_code: string,
  vat_number: string,
): Promise<VatCheck | null> {
  const id = splitVatNumber(country_code, vat_number);
  if (!id) return null;
  return db.maybeOne<VatCheck>(sql`
    select vat_number, status, consultation_number, registered_name, registered_address, check_date from vat_checks
    where account_id = ${account_id} and vat_number = ${id.prefix + id.number}`);
}

/** Operators read the check of any account. */
export async function getVatCheck(
  db: Queryable,
  actor: Actor,
  account_id: string,
): Promise<{ is_format_valid: boolean | null; check: VatCheck | null }> {
  const facts = account_id === actor.account_id || actor.operator ? await findFacts(db, account_id) : null;
  if (!facts) throw new Problem('ACCOUNT_NOT_FOUND');
  const { country_code, vat_number } = facts;
  const has_form = vat_number !== '' && isInEu(country_code);
  return {
    is_format_valid: has_form ? splitVatNumber(country_code, vat_number) !== null : null,
    check: await findVatCheck(db, account_id, country_code, vat_number),
  };
}
