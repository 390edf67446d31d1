/** What people change about themselves: name, and the address they sign in with. The old address counts until a code came back from the new one. */

import type { updateSelf as updateEndpoint } from '@parley/contract/auth/sessions.ts';
import type { Verification } from '@parley/contract/auth/sign_up.ts';
import type { Parsed } from '@parley/contract/endpoint.ts';
import { Problem } from '@parley/contract/problem.ts';
import { sql, violates } from '../kernel/db/db.ts';
import type { Ctx } from '../kernel/http/endpoint.ts';
import { redeem } from './codes.ts';
import { sendAddressCode } from './letters.ts';
import * as mails from './mails.ts';
import { voidCodes } from './password_change.ts';
import { normalEmail, personByEmail, personOf } from './people.ts';
import { recordEverywhere } from './record.ts';
import { visitorOf } from './visitor.ts';

/** The name in every company of the person, the position in this one. */
export async function updateSelf(ctx: Ctx, body: Parsed<typeof updateEndpoint>['body']): Promise<void> {
  const { tx, actor } = ctx;
  const person = await personOf(tx, actor);
  await tx.run(sql`
    update users set first_name = ${body.first_name}, last_name = ${body.last_name}, update_date = ${tx.now},
      position = case when account_id = ${actor.account_id} then coalesce(${body.position ?? null}::text, position) else position end
    where login_id = ${person.login_id}`);
  await recordEverywhere(tx, ctx, person.login_id, { action: 'user.renamed' });
}

/** Problems: CODE_LIMIT_REACHED, CODE_SENT_RECENTLY (limits). That somebody has the new address is not told. */
export async function createEmailChange(ctx: Ctx, text: string): Promise<Verification> {
  const { kernel, actor } = ctx;
  const person = await personOf(kernel.db, actor);
  const email = normalEmail(text);
  return kernel.db.tx(async (tx) => {
    const wanted = {
      email,
      login_id: person.login_id,
      account_id: actor.account_id,
      user_id: actor.user_id!,
      taken: (await personByEmail(tx, email)) !== null,
    };
    return sendAddressCode(tx, kernel, wanted, visitorOf(ctx));
  });
}

export async function confirmEmailChange(ctx: Ctx, id: string, code: string): Promise<void> {
  const { kernel, actor } = ctx;
  const person = await personOf(kernel.db, actor);
  const asked = { id, code, purposes: ['email_change'] as const, login_id: person.login_id };
  try {
    await redeem(kernel, asked, async (tx, open) => {
      await tx.run(sql`
        update logins set email = ${open.target}, update_date = ${tx.now} where id = ${person.login_id}`);
      await tx.run(sql`
        update users set email = ${open.target}, update_date = ${tx.now} where login_id = ${person.login_id}`);
      await voidCodes(tx, person.login_id);
      await recordEverywhere(tx, ctx, person.login_id, {
        action: 'email.changed',
        detail: { from: person.email, to: open.target },
      });
      await mails.addressChanged(tx, person.email, masked(open.target));
    });
  } catch (error) {
    // Somebody got the address in the meantime, or a colleague is invited with it.
    if (violates(error, 'logins_email') || violates(error, 'users_email')) throw new Problem('VERIFICATION_EXPIRED');
    throw error;
  }
}

/** "d***@example.com": enough to recognise it, too little to hand it on. */
const masked = (email: string): string => email.replace(/^(.)[^@]*/u, '$1***');
