/** User data headers (3GPP TS 23.040, 9.2.3.24): the octets that precede the text if esm_class has the UDHI bit. */

import { PduError, STATUS } from './status.ts';

export const UDHI = 0x40;

/**
 * One part of a longer message. `bits` is the width of the reference, which keeps 8-bit and 16-bit references apart.
 */
export type Concatenation = { reference: number; total: number; part: number; bits: 8 | 16 };

type UserDataHeader = {
  elements: { id: number; data: Buffer }[];
  concatenation: Concatenation | null;
  /** The octets after the header. */
  body: Buffer;
};

const CONCATENATION_8 = 0x00;
const CONCATENATION_16 = 0x08;

/**
 * Parses a header. Throws a PduError if the lengths are inconsistent. Ignores an invalid concatenation, as the standard
 * requires.
 */
export function parseUdh(message: Buffer): UserDataHeader {
  const end = (message[0] ?? 0xff) + 1;
  if (end > message.length) throw malformedHeader();
  const elements: { id: number; data: Buffer }[] = [];
  let concatenation: Concatenation | null = null;
  let at = 1;
  while (at < end) {
    const id = message[at]!;
    const length = at + 1 < end ? message[at + 1]! : -1;
    if (length < 0 || at + 2 + length > end) throw malformedHeader();
    const data = message.subarray(at + 2, at + 2 + length);
    elements.push({ id, data });
    concatenation = readConcatenation(id, data) ?? concatenation;
    at += 2 + length;
  }
  return { elements, concatenation, body: message.subarray(end) };
}

function readConcatenation(id: number, data: Buffer): Concatenation | null {
  let concatenation: Concatenation | null = null;
  if (id === CONCATENATION_8 && data.length === 3) {
    concatenation = { reference: data[0]!, total: data[1]!, part: data[2]!, bits: 8 };
  } else if (id === CONCATENATION_16 && data.length === 4) {
    concatenation = { reference: data.readUInt16BE(0), total: data[2]!, part: data[3]!, bits: 16 };
  }
  if (!concatenation || concatenation.total === 0 || concatenation.part === 0) return null;
  return concatenation.part <= concatenation.total ? concatenation : null;
}

/** Builds the header that precedes the text of a part. */
export function buildUdh({ reference, total, part, bits }: Concatenation): Buffer {
  if (bits === 8) return Buffer.from([5, CONCATENATION_8, 3, reference & 0xff, total, part]);
  return Buffer.from([6, CONCATENATION_16, 4, (reference >> 8) & 0xff, reference & 0xff, total, part]);
}

const malformedHeader = () => new PduError(STATUS.ESME_RINVESMCLASS, 'Malformed user data header');
