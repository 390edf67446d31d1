/** Deletes the data about a number in links, the CRM, verifications, test keys, and approvals. */
import { sql, type Tx } from '../kernel/db/db.ts';
import { hasRecordedClicks } from '../links/links.ts';
import type { Portion, Subject } from './erasure_queries.ts';
import { numberPattern } from './number_pattern.ts';

/** Clicks stay in the counts of their link, without the person. Recorded clicks have to be stored first. */
export async function eraseClicks(tx: Tx, { account_id, number, until }: Subject): Promise<Portion> {
  if (await hasRecordedClicks(tx, until)) return { counts: {}, after: null, isWaiting: true };
  const clicks = await tx.run(sql`
    update link_clicks set number = null, message_id = null, referrer = ''
    where account_id = ${account_id} and number = ${number} and click_date <= ${until}`);
  return { counts: { clicks }, after: null };
}

export const eraseCrmPeople = async (tx: Tx, { account_id, number }: Subject): Promise<Portion> => ({
  counts: {
    other:
      (await tx.run(sql`delete from crm_people where account_id = ${account_id} and number = ${number}`)) +
      // The record stays known, so that the contact sync does not bring the person back.
      (await tx.run(sql`
        update crm_links set state = 'erased', number = null, base = '{}', label = null, error = null
        where account_id = ${account_id} and number = ${number}`)) +
      (await tx.run(sql`
        delete from crm_changes c using crm_syncs s
        where c.account_id = ${account_id} and s.account_id = c.account_id and s.provider = c.provider
          and c.kind = 'number' and c.key = ${number}`)) +
      (await tx.run(sql`
        update crm_trigger_runs set number = null, error = null
        where account_id = ${account_id} and number = ${number}`)),
  },
  after: null,
});

/** The IP addresses of people who requested codes. */
export const eraseCodes = async (tx: Tx, { account_id, number, until }: Subject): Promise<Portion> => ({
  counts: {
    other: await tx.run(sql`
      update sent_codes set address = null, network = null
      where account_id = ${account_id} and phone = ${number} and create_date <= ${until}
        and (address is not null or network is not null)`),
  },
  after: null,
});

/** The person's entries on opt-in pages, and the actions that triggered automations. The consents stay. */
export const eraseOptIns = async (tx: Tx, { account_id, number, until }: Subject): Promise<Portion> => ({
  counts: {
    other:
      (await tx.run(sql`
        delete from opt_in_submissions
        where account_id = ${account_id} and number = ${number} and create_date <= ${until}`)) +
      (await tx.run(sql`delete from campaign_entries where account_id = ${account_id} and number = ${number}`)),
  },
  after: null,
});

/** Also the codes and the contacts of test keys. */
export const eraseTestMessages = async (tx: Tx, { account_id, number, until }: Subject): Promise<Portion> => ({
  counts: {
    other: await tx.run(sql`
      with codes as (
        delete from test_codes where account_id = ${account_id} and phone = ${number} and create_date <= ${until}
      ), contacts as (
        delete from test_contacts where account_id = ${account_id} and number = ${number} returning audience_id
      ), audiences as (
        update test_audiences a set contacts_count = contacts_count - 1
        from contacts c where a.account_id = ${account_id} and a.id = c.audience_id
      )
      delete from test_messages
      where account_id = ${account_id} and ("to" = ${number} or "from" = ${number}) and create_date <= ${until}`),
  },
  after: null,
});

/** Approvals that were still open are deleted too. Programs request them again. */
export const eraseApprovals = async (tx: Tx, { account_id, number, until }: Subject): Promise<Portion> => ({
  counts: {
    other: await tx.run(sql`
      delete from send_approvals
      where account_id = ${account_id} and create_date <= ${until}
        and rehearsal::text ~ ${numberPattern(number)}`),
  },
  after: null,
});
