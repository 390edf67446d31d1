/** What the form holds before it is sent: a draft of this browser, else what was sent last, else what the account knows already. */
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

const keyOf = (account_id: string) => `parley.verification.${account_id}`;

export function draftOf(account: Account, latest: AccountReview | null): Draft {
  const known: Partial<AccountReview['form']> = latest?.form ?? {};
  const fresh: Draft = {
    company_name: known.company_name ?? account.company_name,
    country_code: known.country_code ?? account.country_code,
    company_address: known.company_address ?? account.company_address,
    company_website: known.company_website ?? account.company_website,
    company_size: known.company_size ?? account.company_size,
    industry_id: String(known.industry_id ?? account.industry_id),
    vat_number: known.vat_number ?? account.vat_number,
    use_case: known.use_case ?? account.use_case,
    interests: [...(known.interests ?? account.interests)],
    monthly_volume: known.monthly_volume ?? '',
  };
  try {
    const kept = JSON.parse(localStorage.getItem(keyOf(account.id)) ?? '{}') as Partial<Draft>;
    // Only what the form still knows, so that an old draft cannot bring back a field that is gone.
    for (const name of Object.keys(fresh)) if (typeof kept[name] === typeof fresh[name]) fresh[name] = kept[name];
  } catch {
    forgetDraft(account.id);
  }
  return fresh;
}

export const keepDraft = (account_id: string, draft: Draft): void =>
  localStorage.setItem(keyOf(account_id), JSON.stringify(draft));
export const forgetDraft = (account_id: string): void => localStorage.removeItem(keyOf(account_id));
