/**
 * Splits long messages into several submits of 140 octets. If the caller passes parts (the segments that were counted
 * and priced), they are sent unchanged.
 */

import { GSM7_ESCAPE } from '@parley/contract/channels/sms/gsm7.ts';
import { PduError, type PduFields, STATUS } from './pdu.ts';
import { type Alphabet, DATA_CODING, encodeText } from './text.ts';
import { buildUdh, UDHI } from './udh.ts';

/**
 * `udh8` and `udh16` add a user data header, `sar` lets the carrier add it, and `payload` sends the text in a single
 * message_payload.
 */
export type MultipartMode = 'udh8' | 'udh16' | 'sar' | 'payload';

type SplitOptions = {
  alphabet: Alphabet;
  /** Defaults to the value that announces the alphabet. Use 0 for the connection's default alphabet. */
  data_coding?: number;
  /** The carrier packs the octets of Latin-1 or ASCII into 7 bits, so that a part fits as many as in GSM-7. */
  packed?: boolean;
  /** Distinguishes this message from others to the same number: 0 to 255, or 0 to 65535 for udh16 and sar. */
  reference: number;
};

export type PartFields = Pick<PduFields, 'short_message' | 'esm_class' | 'data_coding' | 'tlvs'>;

const OCTETS = 140;
const SEPTETS = 160;

/**
 * Returns how many octets of text fit in one part. A septet counts as an octet because SMPP carries septets unpacked.
 */
function capacity(alphabet: Alphabet, header: number, packed = false): number {
  if (alphabet === 'gsm7' || (packed && alphabet !== 'ucs2')) return SEPTETS - Math.ceil((header * 8) / 7);
  return alphabet === 'ucs2' ? (OCTETS - header) & ~1 : OCTETS - header;
}

/**
 * Returns the text fields of each submit_sm. Characters missing from the alphabet become "?", so the caller must choose
 * an alphabet that has them.
 */
export function split(text: string | readonly string[], mode: MultipartMode, options: SplitOptions): PartFields[] {
  const { alphabet, reference, packed } = options;
  const data_coding = options.data_coding ?? DATA_CODING[alphabet];
  const single = capacity(alphabet, 0, packed);
  // The header needs room even with sar, because the carrier adds it.
  const each = capacity(alphabet, mode === 'udh16' ? 7 : 6, packed);
  let bodies: Buffer[];
  if (typeof text === 'string') {
    const { bytes } = encodeText(text, alphabet);
    bodies = bytes.length <= single ? [bytes] : cutBytes(bytes, alphabet, each);
  } else {
    bodies = text.map((part) => encodeText(part, alphabet).bytes);
  }
  if (bodies.length === 1 && bodies[0]!.length <= single)
    return [{ short_message: bodies[0]!, esm_class: 0, data_coding }];
  if (mode === 'payload') return [{ esm_class: 0, data_coding, tlvs: { message_payload: Buffer.concat(bodies) } }];
  if (bodies.length > 255) throw new PduError(STATUS.ESME_RINVMSGLEN, `The message has ${bodies.length} parts`);
  if (bodies.some((body) => body.length > each)) throw new PduError(STATUS.ESME_RINVMSGLEN, 'A part is too long');
  const total = bodies.length;
  return bodies.map((body, index) => {
    const part = index + 1;
    if (mode === 'sar') {
      const tlvs = { sar_msg_ref_num: reference & 0xffff, sar_total_segments: total, sar_segment_seqnum: part };
      return { short_message: body, esm_class: 0, data_coding, tlvs };
    }
    const header = buildUdh({ reference, total, part, bits: mode === 'udh16' ? 16 : 8 });
    return { short_message: Buffer.concat([header, body]), esm_class: UDHI, data_coding };
  });
}

/** Cuts encoded text without separating an escape from its character or splitting a surrogate pair. */
function cutBytes(bytes: Buffer, alphabet: Alphabet, each: number): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  while (bytes.length - from > each) {
    let to = from + each;
    if (alphabet === 'gsm7' && bytes[to - 1] === GSM7_ESCAPE) to--;
    else if (alphabet === 'ucs2' && (bytes[to - 2]! & 0xfc) === 0xd8) to -= 2;
    parts.push(bytes.subarray(from, to));
    from = to;
  }
  parts.push(bytes.subarray(from));
  return parts;
}
