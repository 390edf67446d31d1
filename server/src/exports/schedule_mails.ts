import { EXPORT_DAYS, EXPORT_LINK_HOURS } from '@parley/contract/exports/exports.ts';
import type { Tx } from '../kernel/db/db.ts';
import type { Kernel } from '../kernel/kernel.ts';
import { letter } from '../kernel/mail/letter.ts';
import { sendMail } from '../kernel/mail/mail.ts';
import { exportLink } from './links.ts';
import type { ExportRow } from './queries.ts';
import { scheduleDestination, scheduleUser } from './schedule_queries.ts';
import { startUpload } from './uploads.ts';

/** Starts the delivery of a finished export: the link by email, or an upload. Exports without a schedule have none. */
export async function deliverExport(kernel: Kernel, tx: Tx, row: ExportRow): Promise<void> {
  if (row.schedule_id === null) return;
  const destination_id = await scheduleDestination(tx, row.account_id, row.schedule_id);
  if (destination_id) await startUpload(tx, row.account_id, row.id, destination_id);
  else await mailLink(kernel, tx, row, row.schedule_id);
}

async function mailLink(kernel: Kernel, tx: Tx, row: ExportRow, schedule_id: string): Promise<void> {
  const user = await scheduleUser(tx, row.account_id, schedule_id);
  if (!user) return;
  const count = `${row.rows_count.toLocaleString('en-US')} ${row.rows_count === 1 ? 'row' : 'rows'}`;
  await sendMail(tx, {
    to: user.email,
    account_id: row.account_id,
    subject: `Your ${user.interval} export: ${row.filename}`,
    dedupe_key: `export ${row.id} ${row.run_id}`,
    ...letter({
      title: `Your ${user.interval} export is ready`,
      paragraphs: [
        user.first_name ? `Hello ${user.first_name},` : 'Hello,',
        `The file ${row.filename} has ${count}.`,
        `Anyone with the link can download the file for ${EXPORT_LINK_HOURS} hours.`,
        `The file stays on the Exports page for ${EXPORT_DAYS} days.`,
      ],
      action: { label: 'Download file', url: exportLink(kernel, row).url },
      footer: 'You received this email because you scheduled this export. To stop it, delete it on the Exports page.',
    }),
  });
}
