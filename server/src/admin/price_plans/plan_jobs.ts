import { job } from '../../kernel/jobs/jobs.ts';

/** Calculates the effects of a plan. */
export const assessPlan = job<{ plan_id: string }>('price_plans.assess', {
  expire_seconds: 3_600,
  group: ({ plan_id }) => plan_id,
});
/** Sends the notices of a plan, or that it was changed or canceled. */
export const planNotice = job<{ plan_id: string }>('price_plans.notice', {
  retry: 20,
  retry_seconds: 60,
  expire_seconds: 3_600,
  group: ({ plan_id }) => plan_id,
});
/** Writes the plan to the price list. */
export const planDue = job<{ plan_id: string }>('price_plans.due', { retry: 20, retry_seconds: 10 });
/** Repeats the work of lost jobs. */
export const sweepPlans = job('price_plans.sweep', { cron: '*/5 * * * *', retry: 0 });
