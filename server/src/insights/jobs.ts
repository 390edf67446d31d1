import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { detectAnomalies } from './anomalies.ts';
import { countSlots } from './slots.ts';

const count = job('insights.count_slots', { cron: '3 * * * *', retry: 0, expire_seconds: 3_000 });
const detect = job('insights.detect_anomalies', { cron: '13 * * * *', retry: 0, expire_seconds: 3_000 });

export const jobs: readonly JobWork[] = [
  work(count, ({ db }, _, signal) => countSlots(db, signal)),
  work(detect, (kernel, _, signal) => detectAnomalies(kernel, signal)),
];
