// The id by which a business knows somebody whose number it is not shown. Made from the number and turned back into it, so that
// nothing is stored; it does not show the number, so that nobody can read one out of it by mistake.
const prime = 10_000_000_000_000_061n;
const factor = 3_141_592_653_589_793n;
const inverse = power(factor, prime - 2n);

/** `US.` and up to 17 digits. */
export const userIdOf = (digits: string): string => `US.${(BigInt(`1${digits}`) * factor) % prime}`;

/** The number behind an id, or nothing when it is not one of ours. */
export function digitsOfUser(user_id: string): string | undefined {
  const found = /^[A-Z]{2}\.(\d{1,17})$/.exec(user_id);
  if (!found) return undefined;
  const plain = String((BigInt(found[1]!) * inverse) % prime);
  return /^1\d{3,15}$/.test(plain) ? plain.slice(1) : undefined;
}

function power(of: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, of % prime];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}
