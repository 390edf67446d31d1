/** The codes in short URLs: random letters and digits that cannot feasibly be guessed. */
import { randomBytes } from 'node:crypto';
import { CODE_LENGTH } from '@parley/contract/links/inline.ts';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Bytes from here on would make the first letters of the alphabet more frequent. */
const UNBIASED = 256 - (256 % ALPHABET.length);

/** Paths of the app consist of lower-case letters, so a code has a digit or an upper-case letter. */
export const CODE = new RegExp(`^(?=.*[0-9A-Z])[0-9A-Za-z]{${CODE_LENGTH}}$`);

let pool = Buffer.alloc(0);
let drawn = 0;

function nextByte(): number {
  if (drawn === pool.length) {
    pool = randomBytes(4_096);
    drawn = 0;
  }
  return pool[drawn++]!;
}

export function newCode(): string {
  for (;;) {
    let code = '';
    while (code.length < CODE_LENGTH) {
      const byte = nextByte();
      if (byte < UNBIASED) code += ALPHABET[byte % ALPHABET.length];
    }
    if (CODE.test(code)) return code;
  }
}
