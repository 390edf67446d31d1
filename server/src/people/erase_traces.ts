/** Deletes the data about a number in links, the CRM, verifications, test keys, and approvals. */
import { sql, type Tx } from '../kernel/db/db.ts';
import type { Portion, Subject } from './erasure_queries.ts';
import { numberPattern } from './number_pattern.ts';

/** Clicks stay in the counts of their link, without the person. */
export const eraseClicks = async (tx: Tx, { account_id, number, until }: Subject): Promise<Portion> => ({
  counts: {
    clicks: await tx.run(sql`
      update link_clicks set number = null, message_id = null, referrer = ''
      where account_id = ${account_id} and number = ${number} and click_date <= ${until}`),
  },
  after: null,
});

export const eraseCrmPeople = async (tx: Tx, { account_id, number }: Subject): Promise<Portion> => ({
  counts: {
    other: await tx.run(sql`delete from crm_people where account_id = ${account_id} and number = ${number}`),
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
