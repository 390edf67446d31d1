/** Announces that an account's VAT number or country has changed. */
import { job } from '../kernel/jobs/jobs.ts';

/** Implemented by `billing`, a later module, which checks the number. The register can be unavailable for hours. */
export const vatNumberChanged = job<{ account_id: string }>('billing.vat_number_changed', {
  retry: 96,
  retry_seconds: 900,
  key: ({ account_id }) => account_id,
});
