/**
 * The user ID that a business sees instead of a hidden number. It is computed from the number and can be reversed, so
 * nothing needs to be stored. The ID does not contain the digits of the number.
 */
const prime = 10_000_000_000_000_061n;
const factor = 3_141_592_653_589_793n;
const inverse = power(factor, prime - 2n);

/** Returns `US.` followed by up to 17 digits. */
export const toUserId = (digits: string): string => `US.${(BigInt(`1${digits}`) * factor) % prime}`;

/** Returns the number for a user ID, or undefined if the ID is not from this sandbox. */
export function fromUserId(user_id: string): string | undefined {
  const match = /^[A-Z]{2}\.(\d{1,17})$/.exec(user_id);
  if (!match) return undefined;
  const plain = String((BigInt(match[1]!) * inverse) % prime);
  return /^1\d{3,15}$/.test(plain) ? plain.slice(1) : undefined;
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % prime];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}
