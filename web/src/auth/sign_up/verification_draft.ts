/**
 * The initial values of the verification form: the draft in this browser, otherwise the last submission, otherwise the
 * account's details.
 */
import type { Account } from '@parley/contract/accounts/accounts.ts';
import type { AccountReview } from '@parley/contract/accounts/company.ts';

export interface Draft extends Record<string, unknown> {
  company_name: string;
  country_code: string;
  company_address: string;
  company_website: string;
  company_size: string;
  industry_id: string | null;
  vat_number: string;
  use_case: string;
  interests: string[];
  monthly_volume: string;
}

const storageKey = (account_id: string) => `parley.verification.${account_id}`;

export function loadDraft(account: Account, latest: AccountReview | null): Draft {
  const form: Partial<AccountReview['form']> = latest?.form ?? {};
  const draft: Draft = {
    company_name: form.company_name ?? account.company_name,
    country_code: form.country_code ?? account.country_code,
    company_address: form.company_address ?? account.company_address,
    company_website: form.company_website ?? account.company_website,
    company_size: form.company_size ?? account.company_size,
    industry_id: String(form.industry_id ?? account.industry_id),
    vat_number: form.vat_number ?? account.vat_number,
    use_case: form.use_case ?? account.use_case,
    interests: [...(form.interests ?? account.interests)],
    monthly_volume: form.monthly_volume ?? '',
  };
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey(account.id)) ?? '{}') as Partial<Draft>;
    // Only current fields are restored, so that an old draft cannot bring back a removed one.
    for (const name of Object.keys(draft)) if (typeof stored[name] === typeof draft[name]) draft[name] = stored[name];
  } catch {
    discardDraft(account.id);
  }
  return draft;
}

export const storeDraft = (account_id: string, draft: Draft): void =>
  localStorage.setItem(storageKey(account_id), JSON.stringify(draft));
export const discardDraft = (account_id: string): void => localStorage.removeItem(storageKey(account_id));
