/**
 * Encodes and decodes text for the data codings used on SMPP. Characters missing from the alphabet become "?" and are
 * reported. They are never replaced by similar letters. Decoded text is well-formed and free of NUL, so that any
 * database can store it.
 */

import {
  GSM7_ALPHABET,
  GSM7_ESCAPE,
  GSM7_EXTENDED,
  GSM7_EXTENSION,
  gsm7Septet,
} from '@parley/contract/channels/sms/gsm7.ts';

/** GSM-7 is unpacked, with one septet per octet, as SMPP carries it. */
export type Alphabet = 'gsm7' | 'latin1' | 'ascii' | 'ucs2';

/** The meaning of data_coding 0. Each carrier chooses its own, so this is a setting of the connection. */
type DefaultAlphabet = Exclude<Alphabet, 'ucs2'>;

type EncodedText = {
  bytes: Buffer;
  /** The characters missing from the alphabet, each once. */
  lossy: string[];
};

export function encodeText(text: string, alphabet: Alphabet): EncodedText {
  if (alphabet === 'ucs2') {
    const bytes = Buffer.from(text.toWellFormed(), 'utf16le').swap16();
    const unpaired = text.isWellFormed() ? [] : [...new Set(text)].filter((character) => !character.isWellFormed());
    return { bytes, lossy: unpaired };
  }
  const bytes = Buffer.allocUnsafe(text.length * 2);
  const lossy = new Set<string>();
  let at = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const octet = alphabet === 'gsm7' ? gsm7Septet(unit) : unit < (alphabet === 'ascii' ? 0x80 : 0x100) ? unit : -1;
    if (octet < 0) {
      const character = String.fromCodePoint(text.codePointAt(i)!);
      lossy.add(character);
      i += character.length - 1;
      bytes[at++] = 0x3f;
      continue;
    }
    if (alphabet === 'gsm7' && octet & GSM7_EXTENDED) bytes[at++] = GSM7_ESCAPE;
    bytes[at++] = alphabet === 'gsm7' ? octet & 0x7f : octet;
  }
  return { bytes: bytes.subarray(0, at), lossy: [...lossy] };
}

/**
 * The data_coding value that announces each alphabet to any carrier. GSM-7 has no value of its own, so it uses the
 * default 0.
 */
export const DATA_CODING = { gsm7: 0, ascii: 1, latin1: 3, ucs2: 8 } as const satisfies Record<Alphabet, number>;

/** Chooses the alphabet that encodes the text without loss: the connection's default with data_coding 0, or UCS-2. */
export function wireAlphabet(
  text: string,
  default_alphabet: DefaultAlphabet,
): { alphabet: Alphabet; data_coding: number } {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const fits =
      default_alphabet === 'gsm7' ? gsm7Septet(unit) >= 0 : unit < (default_alphabet === 'ascii' ? 0x80 : 0x100);
    if (!fits) return { alphabet: 'ucs2', data_coding: DATA_CODING.ucs2 };
  }
  return { alphabet: default_alphabet, data_coding: 0 };
}

/** Character sets that a data_coding may announce. */
type Charset = Alphabet | 'binary' | 'shift_jis' | 'iso-8859-5' | 'iso-8859-8' | 'iso-2022-jp' | 'euc-kr';

const CHARSETS: Record<number, Charset> = {
  1: 'ascii',
  2: 'binary',
  3: 'latin1',
  4: 'binary',
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  8: 'ucs2',
  10: 'iso-2022-jp',
  14: 'euc-kr',
};

/**
 * Returns the character set that a data_coding announces: an SMPP value, or a GSM 03.38 group with a message class or a
 * message waiting flag.
 */
export function resolveCharset(data_coding: number, default_alphabet: DefaultAlphabet = 'gsm7'): Charset {
  if (data_coding < 0x10) return CHARSETS[data_coding] ?? default_alphabet;
  if (data_coding < 0x20) {
    const bits = (data_coding >> 2) & 3;
    return bits === 1 ? 'binary' : bits === 2 ? 'ucs2' : 'gsm7';
  }
  if (data_coding >= 0xf0) return data_coding & 4 ? 'binary' : 'gsm7';
  if (data_coding >= 0xe0) return 'ucs2';
  if (data_coding >= 0xc0) return 'gsm7';
  // The text is compressed, or the value is reserved.
  return 'binary';
}

type DecodeOptions = {
  default_alphabet?: DefaultAlphabet;
  /** Overrides for peers that use a data_coding value differently. Some declare 1 or 3 but send GSM-7. */
  data_codings?: Readonly<Record<number, Charset>>;
};

/** Decodes octets. Binary data becomes hexadecimal text, and unreadable octets become U+FFFD. */
export function decodeText(bytes: Buffer, data_coding: number, options: DecodeOptions = {}): string {
  const charset = options.data_codings?.[data_coding] ?? resolveCharset(data_coding, options.default_alphabet);
  return decode(bytes, charset).toWellFormed().replaceAll('\0', '\ufffd');
}

function decode(bytes: Buffer, charset: Charset): string {
  switch (charset) {
    case 'gsm7':
      return decodeGsm7(bytes);
    case 'ascii':
      return bytes.toString('latin1').replace(/[\x80-\xff]/g, '\ufffd');
    case 'latin1':
      return bytes.toString('latin1');
    case 'binary':
      return bytes.toString('hex');
    case 'ucs2': {
      const text = Buffer.from(bytes.subarray(0, bytes.length & ~1))
        .swap16()
        .toString('utf16le');
      return bytes.length & 1 ? `${text}\ufffd` : text;
    }
    default:
      return new TextDecoder(charset).decode(bytes);
  }
}

const EXTENSION = new Map(GSM7_EXTENSION);

function decodeGsm7(bytes: Buffer): string {
  let text = '';
  for (let i = 0; i < bytes.length; i++) {
    const octet = bytes[i]!;
    if (octet > 0x7f) text += '\ufffd';
    else if (octet !== GSM7_ESCAPE) text += GSM7_ALPHABET[octet];
    else if (i + 1 < bytes.length) {
      // An undefined extension is decoded as the character in the default alphabet (GSM 03.38, 6.2.1.1).
      const next = bytes[++i]!;
      text += EXTENSION.get(next) ?? (next === GSM7_ESCAPE ? ' ' : (GSM7_ALPHABET[next] ?? '\ufffd'));
    }
  }
  return text;
}
