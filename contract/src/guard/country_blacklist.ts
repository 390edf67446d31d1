/** The countries to which an account sends no messages. */
import { z } from 'zod';
import { country, idParams, timestamp } from '../common.ts';
import { endpoint } from '../endpoint.ts';
import { event } from '../event.ts';

/** Countries with strict rules on messages, offered together on the page. */
export const RESTRICTED_REGION = 'IR IQ IL JO KW OM PS QA SA SY TR AE YE LB'.split(' ');
/** The members of the European Union. */
export const EU_COUNTRIES = 'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(
  ' ',
);

export const CountryBlacklist = z.object({
  /** The ID of the account. */
  id: z.string(),
  account_id: z.string(),
  /** Messages to these countries are refused. */
  countries: z.array(z.string()),
  /** Whether the list also applies to the sub-accounts. */
  sub_accounts: z.boolean(),
  /** The countries that the parent company blocks for this sub-account. They cannot be changed here. */
  inherited: z.object({ account_name: z.string(), countries: z.array(z.string()) }).nullable(),
  update_date: timestamp.nullable(),
});
export type CountryBlacklist = z.output<typeof CountryBlacklist>;

export const getCountryBlacklist = endpoint({
  id: 'country_blacklist.get',
  method: 'GET',
  path: '/v1/country_blacklist',
  summary: 'Get the blocked countries',
  needs: 'ACCOUNTS:view',
  output: CountryBlacklist,
  problems: [],
});

export const saveCountryBlacklist = endpoint({
  id: 'country_blacklist.save',
  method: 'PUT',
  path: '/v1/country_blacklist/{id}',
  summary: 'Replace the blocked countries. Waiting messages to these countries are canceled',
  needs: 'ACCOUNTS:edit',
  params: idParams('COUNTRY_LIST_NOT_FOUND'),
  body: z.object({
    countries: z.array(country()).max(300),
    sub_accounts: z.boolean().optional().meta({ description: 'Also block these countries for the sub-accounts.' }),
  }),
  output: CountryBlacklist,
  problems: ['COUNTRY_LIST_NOT_FOUND', 'COUNTRY_CODE_INVALID', 'COUNTRIES_NOT_SHAREABLE'],
});

const BlacklistChange = z.object({
  id: z.string(),
  /** Countries that are blocked or allowed by the change. Absent if the parent company changed its list. */
  blocked: z.array(z.string()).optional(),
  opened: z.array(z.string()).optional(),
});
export type BlacklistChange = z.output<typeof BlacklistChange>;

export const countryBlacklistChanged = event({
  id: 'country_blacklist.changed',
  modules: ['country_blacklist', 'campaign_previews'],
  needs: 'ACCOUNTS:view',
  payload: BlacklistChange,
});
