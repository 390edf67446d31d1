import { eraseContacts } from '../accounts/accounts.ts';
import { type JobWork, job, work } from '../kernel/jobs/jobs.ts';
import { importJob } from './imports/imports.ts';
import { runImport } from './imports/run.ts';
import { sweepImports } from './imports/sweep.ts';
import { eraseAccountContacts } from './list/erase.ts';
import { clearField, clearFieldJob } from './people/fields.ts';
import { fillJob, fillPeople } from './people/fill.ts';
import { fillDates, fillDatesJob } from './people/fill_dates.ts';

const sweepJob = job<object>('audience_imports.sweep', { cron: '*/5 * * * *' });

export const jobs: JobWork[] = [
  work(importJob, runImport),
  work(sweepJob, sweepImports),
  work(clearFieldJob, clearField),
  work(fillJob, fillPeople),
  work(fillDatesJob, fillDates),
  work(eraseContacts, (kernel, { account_id }, signal) => eraseAccountContacts(kernel, account_id, signal)),
];
