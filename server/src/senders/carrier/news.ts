/** Changes in the carrier state: a timeline entry immediately, and an email to the owner if the state got worse. */
import { type CarrierState, type StateChange, stateChanges } from '@parley/contract/senders/carrier_state.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { addTimelineEntry } from '../announce.ts';
import { findOwner, findSender } from '../queries.ts';
import { stateEmail } from './emails.ts';

interface BadNews {
  account_id: string;
  sender_id: string;
  news: StateChange[];
  /** Unique for each report, because the same change can happen again. */
  key: string;
}
/** Sends the email outside the transaction of the carrier's callback. */
export const newsEmailJob = job<BadNews>('senders.tell_state');

export async function reportNews(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  before: CarrierState | null,
  now: CarrierState,
): Promise<void> {
  const news = stateChanges(before, now);
  for (const { kind, text } of news) await addTimelineEntry(tx, account_id, id, kind, text);
  const bad = news.filter((item) => item.bad);
  if (bad.length > 0) await enqueue(tx, newsEmailJob, { account_id, sender_id: id, news: bad, key: newId() });
}

export const emailNews = (kernel: Kernel, { account_id, sender_id, news, key }: BadNews): Promise<void> =>
  kernel.db.tx(async (tx) => {
    const [owner, sender] = [await findOwner(tx, account_id), await findSender(tx, account_id, sender_id)];
    if (owner && sender) await sendMail(tx, stateEmail(kernel.config, account_id, owner, sender, { news, key }));
  });
