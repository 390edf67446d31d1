/** Notifies operators by email that a connection was paused. */
import { updateConnection } from '@parley/contract/connections/connections.ts';
import { permits } from '@parley/contract/permission.ts';
import { pausedJob } from '../../connections/connections.ts';
import { sql } from '../../kernel/db/db.ts';
import { type JobWork, work } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { letter } from '../../kernel/mail/letter.ts';
import { sendMail } from '../../kernel/mail/mail.ts';
import { listOperators, type Operator } from '../requests/request_mails.ts';

export const jobs: readonly JobWork[] = [work(pausedJob, (kernel, { id }) => notifyPaused(kernel, id))];

interface Paused {
  id: string;
  name: string;
  pause_reason: string;
  paused_ms: number;
}

function notifyPaused({ db, config }: Kernel, id: string): Promise<void> {
  return db.tx(async (tx) => {
    const paused = await tx.maybeOne<Paused>(sql`
      select id, name, pause_reason, extract(epoch from paused_date)::float8 * 1000 as paused_ms from connections
      where id = ${id} and paused_date is not null`);
    // An operator has already resumed it.
    if (!paused) return;
    for (const operator of await listOperators(tx))
      if (permits(operator.permissions, updateConnection.needs))
        await sendMail(tx, pausedMail(config.ADMIN_URL, operator, paused));
  });
}

function pausedMail(admin: string, operator: Operator, { id, name, pause_reason, paused_ms }: Paused) {
  const title = `The connection ${name} is paused`;
  return {
    to: operator.email,
    account_id: operator.account_id,
    subject: title,
    dedupe_key: `connection ${id} ${paused_ms} ${operator.id}`,
    ...letter({
      title,
      paragraphs: [
        operator.first_name ? `Hello ${operator.first_name},` : 'Hello,',
        `The carrier is rejecting all messages: ${pause_reason}.`,
        'Messages wait until they expire. Fix the cause, then resume the connection.',
      ],
      action: { label: 'Open connection', url: `${admin}/connections?open=${id}` },
      footer: 'You received this email because you manage the connections to carriers.',
    }),
  };
}
