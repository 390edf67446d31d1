// User data headers (3GPP TS 23.040, 9.2.3.24): the octets before the text when esm_class has the UDHI bit.

import { PduError, STATUS } from './status.ts';

export const UDHI = 0x40;

/** One part of a longer message. `bits` is the width of the reference, so that 8 and 16 bit references never meet. */
export type Concatenation = { reference: number; total: number; part: number; bits: 8 | 16 };

export type UserDataHeader = {
  elements: { id: number; data: Buffer }[];
  concatenation: Concatenation | null;
  /** What follows the header. */
  body: Buffer;
};

const CONCATENATION_8 = 0x00;
const CONCATENATION_16 = 0x08;

/** Throws PduError when the lengths do not add up. A concatenation that makes no sense is ignored, as the standard asks. */
export function parseUdh(message: Buffer): UserDataHeader {
  const end = (message[0] ?? 0xff) + 1;
  if (end > message.length) throw broken();
  const elements: { id: number; data: Buffer }[] = [];
  let concatenation: Concatenation | null = null;
  let at = 1;
  while (at < end) {
    const id = message[at]!;
    const length = at + 1 < end ? message[at + 1]! : -1;
    if (length < 0 || at + 2 + length > end) throw broken();
    const data = message.subarray(at + 2, at + 2 + length);
    elements.push({ id, data });
    concatenation = readConcatenation(id, data) ?? concatenation;
    at += 2 + length;
  }
  return { elements, concatenation, body: message.subarray(end) };
}

function readConcatenation(id: number, data: Buffer): Concatenation | null {
  let found: Concatenation | null = null;
  if (id === CONCATENATION_8 && data.length === 3) {
    found = { reference: data[0]!, total: data[1]!, part: data[2]!, bits: 8 };
  } else if (id === CONCATENATION_16 && data.length === 4) {
    found = { reference: data.readUInt16BE(0), total: data[2]!, part: data[3]!, bits: 16 };
  }
  return found && found.total > 0 && found.part > 0 && found.part <= found.total ? found : null;
}

/** The header to put before a part's text. */
export function buildUdh({ reference, total, part, bits }: Concatenation): Buffer {
  if (bits === 8) return Buffer.from([5, CONCATENATION_8, 3, reference & 0xff, total, part]);
  return Buffer.from([6, CONCATENATION_16, 4, (reference >> 8) & 0xff, reference & 0xff, total, part]);
}

const broken = () => new PduError(STATUS.ESME_RINVESMCLASS, 'Broken user data header');
