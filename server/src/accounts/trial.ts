/** The free trial: credit at the approval, mails before and at the end. Whether it is over is asked of the database, never remembered. */
import { job } from '../kernel/jobs.ts';

/** Worked in billing, which stands above: at most once for an account, however often it runs. */
export const trialCredit = job<{ account_id: string }>('trial.credit');
