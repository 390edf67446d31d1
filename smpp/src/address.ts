/**
 * Converts addresses between their written format and the address fields of a PDU (type of number, numbering plan, and
 * address). Carriers disagree on how to send short codes.
 */

import type { PduFields } from './pdu.ts';

type NumberPlan = { ton: number; npi: number };
type AddressKind = 'international' | 'short_code' | 'alphanumeric';

export type AddressRules = {
  /** Type of number and numbering plan for short codes. Default: 3/0. Some carriers require 0/1 or 6/1. */
  short_code?: NumberPlan;
  /** Numbers that have no + and at most this many digits are treated as short codes. */
  short_code_digits?: number;
  international?: NumberPlan;
  alphanumeric?: NumberPlan;
  /** The prefix before the country code of international numbers. Empty by default. */
  prefix?: '' | '+' | '00';
};

type Address = NumberPlan & { kind: AddressKind; addr: string };

const PLANS: Record<AddressKind, NumberPlan> = {
  international: { ton: 1, npi: 1 },
  short_code: { ton: 3, npi: 0 },
  alphanumeric: { ton: 5, npi: 0 },
};

/**
 * Converts an address such as `+374 91 234567`, `1234`, or `Parley` to the address fields of a PDU. Numbers are sent as
 * digits without + unless the rules state otherwise.
 */
export function parseAddress(written: string, rules: AddressRules = {}): Address {
  const text = written.trim();
  const digits = text.replace(/[\s().-]/g, '').replace(/^\+/, '');
  let kind: AddressKind = 'alphanumeric';
  if (/^\d+$/.test(digits)) {
    kind = !text.startsWith('+') && digits.length <= (rules.short_code_digits ?? 6) ? 'short_code' : 'international';
  }
  const plan = rules[kind] ?? PLANS[kind];
  const addr = kind === 'alphanumeric' ? text : kind === 'international' ? `${rules.prefix ?? ''}${digits}` : digits;
  return { kind, ton: plan.ton, npi: plan.npi, addr };
}

export function sourceFields(written: string, rules?: AddressRules): PduFields {
  const { ton, npi, addr } = parseAddress(written, rules);
  return { source_addr_ton: ton, source_addr_npi: npi, source_addr: addr };
}

export function destinationFields(written: string, rules?: AddressRules): PduFields {
  const { ton, npi, addr } = parseAddress(written, rules);
  return { dest_addr_ton: ton, dest_addr_npi: npi, destination_addr: addr };
}

/**
 * Reads a received address. Numbers are returned as digits without + or 00, regardless of their type. Names are
 * returned unchanged.
 */
export function readAddress(ton: number, addr: string): { kind: AddressKind; addr: string } {
  if (ton === 5 || !/^\+?\d+$/.test(addr)) return { kind: 'alphanumeric', addr };
  if (ton === 3 || ton === 6) return { kind: 'short_code', addr };
  const digits = addr.replace(/^(\+|00)/, '');
  return { kind: digits.length <= 6 && ton !== 1 ? 'short_code' : 'international', addr: digits };
}
