import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { warnAboutExpiry } from './expiry.ts';
import { pruneDeliveries } from './queries.ts';

const KEPT_DAYS = 30;
const prune = job('webhooks.prune', { cron: '41 * * * *', retry: 0, expire_seconds: 1_800 });
const warn = job('webhooks.warn_about_expiry', { cron: '23 7 * * *', retry: 0, expire_seconds: 1_800 });

export const jobs: readonly JobWork[] = [
  work(prune, ({ db, clock }, _, signal) =>
    pruneDeliveries(db, new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000), signal),
  ),
  work(warn, ({ db, config }, _, signal) => warnAboutExpiry(db, config.PUBLIC_URL, signal)),
];
