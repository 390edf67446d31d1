/** The mode in which an account sends messages only to the countries that it has allowed. */
import { z } from 'zod';
import { country, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

export const AllowedCountries = z.object({
  account_id: z.string(),
  /** True if messages to all other countries are refused. */
  enabled: z.boolean(),
  /** Kept while the mode is off. Countries of the blacklist are refused even if they are allowed here. */
  countries: z.array(z.string()),
  /** Whether the list also applies to the sub-accounts. */
  sub_accounts: z.boolean(),
  /** The countries that the parent company allows for this sub-account. They cannot be changed here. */
  inherited: z.object({ account_name: z.string(), countries: z.array(z.string()) }).nullable(),
  update_date: timestamp.nullable(),
});
export type AllowedCountries = z.output<typeof AllowedCountries>;

export const getAllowedCountries = endpoint({
  id: 'allowed_countries.get',
  method: 'GET',
  path: '/v1/allowed_countries',
  summary: 'Get the allowed countries',
  needs: 'ACCOUNTS:view',
  output: AllowedCountries,
  problems: [],
});

export const saveAllowedCountries = endpoint({
  id: 'allowed_countries.save',
  method: 'PUT',
  path: '/v1/allowed_countries',
  summary: 'Replace the allowed countries. Waiting messages to other countries are canceled',
  needs: 'ACCOUNTS:edit',
  body: z.object({
    enabled: z.boolean(),
    countries: z.array(country()).max(300),
    sub_accounts: z.boolean().optional().meta({ description: 'Also limit the sub-accounts to these countries.' }),
    acknowledges_risk: z.boolean().optional().meta({
      description: 'Must be true if the change lets messages through to more countries. The audit log records it.',
    }),
  }),
  output: AllowedCountries,
  problems: [
    'COUNTRY_CODE_INVALID',
    'ALLOWED_COUNTRIES_EMPTY',
    'COUNTRY_RISK_NOT_ACKNOWLEDGED',
    'COUNTRIES_NOT_SHAREABLE',
  ],
});

/** Returns the countries that a change opens, or `all` if it turns the mode off. */
export function openedCountries(
  before: Pick<AllowedCountries, 'enabled' | 'countries'>,
  after: { enabled: boolean; countries: readonly string[] },
): readonly string[] | 'all' {
  if (!before.enabled) return [];
  if (!after.enabled) return 'all';
  return after.countries.filter((one) => !before.countries.includes(one));
}

export const allowedCountriesChanged = event({
  id: 'allowed_countries.changed',
  modules: ['allowed_countries', 'campaign_previews'],
  needs: 'ACCOUNTS:view',
  payload: z.object({
    account_id: z.string(),
    /** Absent if the parent company changed its list. */
    enabled: z.boolean().optional(),
    countries: z.array(z.string()).optional(),
  }),
});
