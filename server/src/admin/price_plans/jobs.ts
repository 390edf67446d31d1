import { sql } from '../../kernel/db/db.ts';
import { type JobWork, work } from '../../kernel/jobs/jobs.ts';
import type { Kernel } from '../../kernel/kernel.ts';
import { applyDuePlans } from '../prices/due_plans.ts';
import { assess } from './effects.ts';
import { sendNotices } from './notices.ts';
import { assessPlan, planDue, planNotice, sweepPlans } from './plan_jobs.ts';

export const jobs: readonly JobWork[] = [
  work(assessPlan, (kernel, { plan_id }) => assess(kernel, plan_id)),
  work(planNotice, (kernel, { plan_id }) => sendNotices(kernel, plan_id)),
  work(planDue, ({ db }) => db.tx(applyDuePlans)),
  work(sweepPlans, sweep),
];

export async function sweep(kernel: Kernel): Promise<void> {
  await kernel.db.tx(applyDuePlans);
  const plans = await kernel.db.rows<{ id: string }>(sql`
    select id from price_plans p
    where (status in ('announced', 'applied') and (notice_date is null or exists (
        select from price_plan_accounts a where a.plan_id = p.id and coalesce(a.notified_revision, 0) < p.revision)))
      or (status = 'canceled' and exists (
        select from price_plan_accounts a where a.plan_id = p.id and a.notified_revision < p.revision))`);
  for (const { id } of plans) await sendNotices(kernel, id);
}
