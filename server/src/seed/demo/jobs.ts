import { type JobWork, work } from '../../kernel/jobs/jobs.ts';
import { changeCompany, runChange } from './demo.ts';

export const jobs: readonly JobWork[] = [work(changeCompany, runChange)];
