/**
 * The data of the lookup providers about a number. The last two digits decide it, so tests and demos can choose: 00 is
 * not in use, 01 is a landline, 02 is unknown, 03 was ported, 04 is switched off, and all others are in use.
 */
export type Line = 'in use' | 'not in use' | 'landline' | 'unknown' | 'ported' | 'absent';

const LINES: Readonly<Record<string, Line>> = {
  '00': 'not in use',
  '01': 'landline',
  '02': 'unknown',
  '03': 'ported',
  '04': 'absent',
};

export const findLine = (number: string): Line => LINES[number.slice(-2)] ?? 'in use';

export const ORIGINAL = { name: 'Sandbox Mobile', mcc: '234', mnc: '15' };
export const PORTED = { name: 'Harbor Telecom', mcc: '234', mnc: '30' };
