/**
 * Changes a person's own name and sign-in address. The old address stays in use until the new one is confirmed with a
 * code.
 */

import type { updateSelf as updateEndpoint } from '@parley/contract/auth/sessions.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import type { Verification } from '@parley/contract/verify/codes.ts';
import { sql, type Tx, violates } from '../../kernel/db/db.ts';
import type { Ctx } from '../../kernel/http/endpoint.ts';
import type { Actor } from '../../kernel/security/auth.ts';
import { redeemCode } from '../../verify/verify.ts';
import { voidCodes } from '../passwords/password_change.ts';
import { readClient } from '../people/client.ts';
import { requestAddressCode } from '../people/code_mails.ts';
import * as mails from '../people/mails.ts';
import { findPersonByEmail, normalizeEmail, readCurrentPerson } from '../people/people.ts';
import { recordInEveryCompany } from '../people/record.ts';

/** Changes the person's name in all of their companies, and their position in the current one. */
export async function updateSelf(ctx: Ctx, body: Parsed<typeof updateEndpoint>['body']): Promise<void> {
  const { tx, actor } = ctx;
  const person = await readCurrentPerson(tx, actor);
  await tx.run(sql`
    update users set first_name = ${body.first_name}, last_name = ${body.last_name}, update_date = ${tx.now},
      position = case when account_id = ${actor.account_id} then coalesce(${body.position ?? null}::text, position)
        else position end
    where login_id = ${person.login_id}`);
  await recordInEveryCompany(tx, ctx, person.login_id, { action: 'user.renamed' });
}

/** Stores which news the person has seen, in all of their companies. */
export async function markNewsSeen(tx: Tx, actor: Actor, news_id: string): Promise<void> {
  const { login_id } = await readCurrentPerson(tx, actor);
  await tx.run(sql`
    update users set news_seen = ${news_id} where login_id = ${login_id} and news_seen is distinct from ${news_id}`);
}

/**
 * The response does not reveal whether the new address belongs to another user. Throws CODE_LIMIT_REACHED or
 * CODE_SENT_RECENTLY.
 */
export async function createEmailChange(ctx: Ctx, text: string): Promise<Verification> {
  const { kernel, actor } = ctx;
  const person = await readCurrentPerson(kernel.db, actor);
  const email = normalizeEmail(text);
  return kernel.db.tx(async (tx) => {
    const request = {
      email,
      login_id: person.login_id,
      account_id: actor.account_id,
      user_id: actor.user_id!,
      taken: (await findPersonByEmail(tx, email)) !== null,
    };
    return requestAddressCode(tx, kernel, request, readClient(ctx));
  });
}

export async function confirmEmailChange(ctx: Ctx, id: string, code: string): Promise<void> {
  const { kernel, actor } = ctx;
  const person = await readCurrentPerson(kernel.db, actor);
  const key = { id, code, purposes: ['email_change'] as const, login_id: person.login_id };
  try {
    await redeemCode(kernel, key, async (tx, open) => {
      await tx.run(sql`
        update logins set email = ${open.target}, update_date = ${tx.now} where id = ${person.login_id}`);
      await tx.run(sql`
        update users set email = ${open.target}, update_date = ${tx.now} where login_id = ${person.login_id}`);
      await voidCodes(tx, person.login_id);
      await recordInEveryCompany(tx, ctx, person.login_id, {
        action: 'email.changed',
        detail: { from: person.email, to: open.target },
      });
      await mails.mailAddressChanged(tx, person.email, masked(open.target));
    });
  } catch (error) {
    // In the meantime, another user took the address, or a colleague invited someone with that address.
    if (violates(error, 'logins_email') || violates(error, 'users_email')) throw new Problem('VERIFICATION_EXPIRED');
    throw error;
  }
}

/** "d***@example.com": enough for the owner to recognize the address, but too little to disclose it. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/u, '$1***');
