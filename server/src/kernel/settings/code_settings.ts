/**
 * Limits for verification codes sent by email and text message. Text messages cost money, and fraudsters earn money
 * from each code sent to their numbers, so operators decide how much an installation can lose.
 */
import { list, setting, whole } from './setting_kinds.ts';

const limit = (fallback: number, meaning: string, demo?: string) =>
  setting(whole(1, 1_000_000), { meaning, example: String(fallback * 2), ...(demo ? { demo } : {}) }, String(fallback));

/**
 * The European Economic Area and countries with similar prices and fraud rates. Countries with frequent fraud are left
 * out. Add the countries of your customers.
 */
const DEFAULT_COUNTRIES =
  'AD,AE,AM,AT,AU,BE,BG,CA,CH,CY,CZ,DE,DK,EE,ES,FI,FR,GB,GR,HR,HU,IE,IL,IS,IT,JP,KR,LI,LT,LU,LV,MC,MT,NL,NO,NZ,' +
  'PL,PT,RO,SE,SG,SI,SK,SM,US,VA';

export const CODE_SETTINGS = {
  MAIL_CODES_ADDRESS_HOUR: limit(6, 'Emailed codes per email address per hour.'),
  MAIL_CODES_ADDRESS_DAY: limit(20, 'Emailed codes per email address per day.'),
  MAIL_CODES_NETWORK_HOUR: limit(200, 'Emailed codes per hour requested from one network (/24, or /64 for IPv6).'),
  MAIL_CODES_DAY: limit(20_000, 'Emailed codes per day in total.'),
  PHONE_CODES_COUNTRIES: setting(
    list(
      (part) => (/^(all|[A-Z]{2})$/.test(part) ? part : null),
      'is neither a country (two capital letters) nor "all"',
    ),
    {
      demo: 'all',
      meaning: 'Countries whose phone numbers people can verify, separated by commas, or `all`.',
      example: 'DE,AT,CH',
    },
    DEFAULT_COUNTRIES,
  ),
  PHONE_CODES_NUMBER_HOUR: limit(5, 'Phone codes per number per hour.'),
  PHONE_CODES_NUMBER_DAY: limit(10, 'Phone codes per number per day.'),
  PHONE_CODES_NEIGHBOURS_HOUR: limit(20, 'Phone codes per hour to numbers that differ only in their last four digits.'),
  PHONE_CODES_PERSON_HOUR: limit(10, 'Phone codes that one person can request per hour, for any number.'),
  PHONE_CODES_PERSON_DAY: limit(30, 'Phone codes that one person can request per day, for any number.'),
  // All users of a demo share one IP address.
  PHONE_CODES_ADDRESS_HOUR: limit(30, 'Phone codes per hour requested from one IP address (/64 for IPv6).', '60'),
  PHONE_CODES_NETWORK_HOUR: limit(60, 'Phone codes per hour requested from one network (/24, or /64 for IPv6).'),
  PHONE_CODES_COUNTRY_DAY: limit(500, 'Phone codes per country per day.'),
  PHONE_CODES_DAY: limit(2_000, 'Phone codes per day in total.'),
  PHONE_CODES_RANGE_STOP: limit(
    30,
    'Unused codes per hour that stop a number range (all but its last six digits) until an operator ' +
      'allows it again.',
  ),
  PHONE_CODES_COUNTRY_STOP: limit(100, 'Unused codes per hour that stop a country until an operator allows it again.'),
  PHONE_CODES_GROWTH: setting(
    whole(1, 1_000),
    {
      meaning: 'A range or country is stopped only above this multiple of its busiest hour in the previous seven days.',
      example: '5',
    },
    '3',
  ),
};
