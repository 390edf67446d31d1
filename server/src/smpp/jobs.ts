import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { pruneSessions } from './accounts_bound.ts';
import { expireDeliveries, expireMessages, expireParts } from './expiry.ts';

const prune = job('smpp.prune', { cron: '*/10 * * * *', retry: 0, expire_seconds: 600 });

export const jobs: readonly JobWork[] = [
  work(prune, async ({ db, config, clock }, _, signal) => {
    await pruneSessions(db);
    await expireParts(db, signal);
    await expireDeliveries(db, config.SMPP_KEPT_HOURS, signal);
    await expireMessages(db, clock.now(), signal);
  }),
];
