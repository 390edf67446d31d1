/** Resumes the campaigns that an overdue balance has paused, once it is paid. */
import { Problem } from '@parley/contract/problem.ts';
import { sql } from '../../kernel/db/db.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { lockCampaign } from '../model/queries.ts';
import { bySchedule } from './approval.ts';
import { moveCampaign } from './lifecycle.ts';

export async function resumeOverdue(kernel: Kernel, account_id: string): Promise<void> {
  const campaigns = await kernel.db.rows<{ id: string }>(sql`
    select id from campaigns where account_id = ${account_id} and status = 'paused' and status_details = 'overdue'`);
  for (const { id } of campaigns) {
    try {
      await kernel.db.tx(async (tx) => {
        const row = await lockCampaign(tx, account_id, id);
        if (row?.status === 'paused' && row.status_details === 'overdue')
          await moveCampaign(tx, kernel, row, 'in_progress', bySchedule(row));
      });
    } catch (error) {
      // Another reason keeps the campaign from sending, such as the balance. A user resumes it.
      if (!(error instanceof Problem)) throw error;
    }
  }
}
