/** What a carrier has said of a sender that its owner should know: in its story at once, and by mail where somebody has to do something. */
import { type CarrierState, type StateNews, stateNews } from '@parley/contract/senders/carrier_state.ts';
import { newId } from '../../kernel/clock.ts';
import type { Tx } from '../../kernel/db/db.ts';
import { enqueue, job } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { remember } from '../announce.ts';
import { stateMail } from './emails.ts';
import { ownerOf, senderById } from '../queries.ts';

interface Bad {
  account_id: string;
  sender_id: string;
  news: StateNews[];
  /** Of this news: the same can happen again. */
  key: string;
}
/** The mail, beside the callback of the carrier and not within it. */
export const tellJob = job<Bad>('senders.tell_state');

export async function tellNews(
  tx: Tx,
  { account_id, id }: { account_id: string; id: string },
  before: CarrierState | null,
  now: CarrierState,
): Promise<void> {
  const news = stateNews(before, now);
  for (const { kind, text } of news) await remember(tx, account_id, id, kind, text);
  const bad = news.filter((one) => one.bad);
  if (bad.length > 0) await enqueue(tx, tellJob, { account_id, sender_id: id, news: bad, key: newId() });
}

export const takeNews = (kernel: Kernel, { account_id, sender_id, news, key }: Bad): Promise<void> =>
  kernel.db.tx(async (tx) => {
    const [owner, sender] = [await ownerOf(tx, account_id), await senderById(tx, account_id, sender_id)];
    if (owner && sender) await sendMail(tx, stateMail(kernel.config, account_id, owner, sender, { news, key }));
  });
