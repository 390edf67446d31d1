/**
 * Demo prices and networks: plausible list prices in US dollars, per SMS segment or per chat app message, and enough
 * number prefixes to show prices by network.
 */

/** Price per SMS segment by country, in micro-units of USD. */
export const RATES: Record<string, number> = {
  AE: 42_000,
  AM: 95_000,
  AR: 61_000,
  AT: 76_000,
  AU: 44_000,
  BE: 84_000,
  BG: 79_000,
  BR: 31_000,
  CA: 7_900,
  CH: 62_000,
  CL: 52_000,
  CO: 4_200,
  CY: 58_000,
  CZ: 61_000,
  DE: 85_000,
  DK: 46_000,
  EE: 78_000,
  ES: 68_000,
  FI: 71_000,
  FR: 66_000,
  GB: 41_000,
  GE: 73_000,
  GR: 69_000,
  HR: 72_000,
  HU: 79_000,
  IE: 73_000,
  IL: 24_000,
  IN: 3_900,
  IT: 72_000,
  JP: 74_000,
  KZ: 98_000,
  LT: 44_000,
  LU: 81_000,
  LV: 62_000,
  MT: 55_000,
  MX: 32_000,
  NL: 88_000,
  NO: 57_000,
  NZ: 84_000,
  PL: 33_000,
  PT: 39_000,
  RO: 58_000,
  RS: 77_000,
  SE: 52_000,
  SG: 37_000,
  SI: 74_000,
  SK: 64_000,
  TR: 8_600,
  UA: 88_000,
  US: 7_900,
  ZA: 24_000,
};

/** Price per message by purpose, for countries that have no price of their own. */
export const CHAT_RATES = [
  { channel: 'WHATSAPP', purpose: 'marketing', micros: 62_000 },
  { channel: 'WHATSAPP', purpose: 'utility', micros: 16_000 },
  { channel: 'WHATSAPP', purpose: 'authentication', micros: 16_000 },
  { channel: 'WHATSAPP', purpose: 'service', micros: 4_000 },
  { channel: 'VIBER', purpose: 'promotional', micros: 31_000 },
  { channel: 'VIBER', purpose: 'transactional', micros: 14_000 },
  { channel: 'VIBER', purpose: 'session', micros: 7_000 },
] as const;
export const MARKETING_RATES: Readonly<Record<string, number>> = {
  BR: 64_000,
  CA: 26_000,
  CO: 13_000,
  DE: 138_000,
  ES: 64_000,
  FR: 145_000,
  GB: 55_000,
  IN: 11_000,
  IT: 71_000,
  MX: 45_000,
  NL: 161_000,
  US: 26_000,
};

interface Network {
  mccmnc: string;
  name: string;
  country: string;
  prefixes: readonly string[];
  /** Set if the network's price differs from its country's price. */
  micros?: number;
}

/**
 * Networks by the range in which a number was originally issued. The digits of a ported number do not reveal its
 * current network.
 */
export const NETWORKS: readonly Network[] = [
  { mccmnc: '23410', name: 'O2', country: 'GB', prefixes: ['447700', '44770', '44771'], micros: 40_000 },
  { mccmnc: '23415', name: 'Vodafone', country: 'GB', prefixes: ['44774', '44776', '44778'] },
  { mccmnc: '23420', name: 'Three', country: 'GB', prefixes: ['44735', '44740', '44742'], micros: 43_000 },
  { mccmnc: '23430', name: 'EE', country: 'GB', prefixes: ['44739', '44794', '44797', '44798'] },
  {
    mccmnc: '26201',
    name: 'Telekom',
    country: 'DE',
    prefixes: ['49151', '49160', '49170', '49171', '49175'],
    micros: 83_000,
  },
  { mccmnc: '26202', name: 'Vodafone', country: 'DE', prefixes: ['49152', '49162', '49172', '49173', '49174'] },
  {
    mccmnc: '26203',
    name: 'O2',
    country: 'DE',
    prefixes: ['49155', '49157', '49159', '49163', '49176', '49177', '49178', '49179'],
  },
  { mccmnc: '28301', name: 'Team Telecom', country: 'AM', prefixes: ['37443', '37491', '37496', '37499'] },
  { mccmnc: '28305', name: 'Viva', country: 'AM', prefixes: ['37477', '37493', '37494', '37498'], micros: 99_000 },
  { mccmnc: '28310', name: 'Ucom', country: 'AM', prefixes: ['37441', '37444', '37455', '37495'], micros: 91_000 },
  {
    mccmnc: '20801',
    name: 'Orange',
    country: 'FR',
    prefixes: ['33607', '33608', '33630', '33631', '33632', '33633', '33670'],
  },
  {
    mccmnc: '20810',
    name: 'SFR',
    country: 'FR',
    prefixes: ['33603', '33609', '33610', '33611', '33612', '33620'],
    micros: 68_000,
  },
];
