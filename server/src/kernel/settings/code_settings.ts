/**
 * How many codes leave, by mail and by text message, and where to. Those by text message cost money, and there are people who are paid for every one
 * that reaches their numbers: what an installation has to lose is for its operators to say.
 */
import { list, setting, whole } from './setting_kinds.ts';

const limit = (fallback: number, meaning: string, demo?: string) =>
  setting(whole(1, 1_000_000), { meaning, example: String(fallback * 2), ...(demo ? { demo } : {}) }, String(fallback));

/**
 * The European Economic Area and countries with prices and a fraud rate like theirs. Left out are those whose numbers are most often walked through
 * for money; whoever has customers there adds them.
 */
const USUAL_COUNTRIES =
  'AD,AE,AM,AT,AU,BE,BG,CA,CH,CY,CZ,DE,DK,EE,ES,FI,FR,GB,GR,HR,HU,IE,IL,IS,IT,JP,KR,LI,LT,LU,LV,MC,MT,NL,NO,NZ,PL,PT,RO,SE,SG,SI,SK,SM,US,VA';

export const CODE_SETTINGS = {
  MAIL_CODES_ADDRESS_HOUR: limit(6, 'Codes by mail to one address in an hour.'),
  MAIL_CODES_ADDRESS_DAY: limit(20, 'Codes by mail to one address in a day.'),
  MAIL_CODES_NETWORK_HOUR: limit(
    200,
    'Codes by mail in an hour that were asked for from one network (/24, or /64 of IPv6).',
  ),
  MAIL_CODES_DAY: limit(20_000, 'Codes by mail in a day, all together.'),
  PHONE_CODES_COUNTRIES: setting(
    list(
      (part) => (/^(all|[A-Z]{2})$/.test(part) ? part : null),
      'is neither a country (two capital letters) nor "all"',
    ),
    {
      demo: 'all',
      meaning: 'Countries whose numbers people may confirm as their own, separated by commas, or `all`.',
      example: 'DE,AT,CH',
    },
    USUAL_COUNTRIES,
  ),
  PHONE_CODES_NUMBER_HOUR: limit(5, 'Codes to one phone number in an hour.'),
  PHONE_CODES_NUMBER_DAY: limit(10, 'Codes to one phone number in a day.'),
  PHONE_CODES_NEIGHBOURS_HOUR: limit(20, 'Codes in an hour to numbers that differ in the last four digits only.'),
  PHONE_CODES_PERSON_HOUR: limit(10, 'Codes to phones in an hour that one person asked for, whatever the numbers.'),
  PHONE_CODES_PERSON_DAY: limit(30, 'The same in a day.'),
  // A demonstration has one address: everybody sits at the same machine.
  PHONE_CODES_ADDRESS_HOUR: limit(
    30,
    'Codes to phones in an hour that were asked for from one address (/64 of IPv6).',
    '60',
  ),
  PHONE_CODES_NETWORK_HOUR: limit(
    60,
    'Codes to phones in an hour that were asked for from one network (/24, or /64 of IPv6).',
  ),
  PHONE_CODES_COUNTRY_DAY: limit(500, 'Codes to the phones of one country in a day.'),
  PHONE_CODES_DAY: limit(2_000, 'Codes to phones in a day, all together.'),
  PHONE_CODES_RANGE_STOP: limit(
    30,
    'So many codes in an hour to one range of numbers (all but the last six digits) that nobody gives back stop the range, until an operator allows it again.',
  ),
  PHONE_CODES_COUNTRY_STOP: limit(100, 'The same for the phones of a whole country.'),
  PHONE_CODES_GROWTH: setting(
    whole(1, 1_000),
    {
      meaning:
        'A range or country is stopped only when there are this many times more than in its busiest hour of the seven days before.',
      example: '5',
    },
    '3',
  ),
};
