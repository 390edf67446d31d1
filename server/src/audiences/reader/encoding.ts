/** Which encoding a text file is in: byte order mark, the zeros of UTF-16, strict UTF-8, then statistics. People can overrule the last. */
import { analyse } from 'chardet';

/** How much of the beginning decides what cannot be proven. */
export const SAMPLE_BYTES = 256 * 1024;

/** Certain, from the first bytes; null: UTF-8 unless a later byte says otherwise. */
export function detectMarkedEncoding(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return detectUtf16(start.subarray(0, 4_096));
}

// Most characters of a table (digits, delimiters, line breaks) have a zero byte in UTF-16, always on the same side.
function detectUtf16(sample: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const zeros = [0, 0];
  sample.forEach((byte, index) => {
    if (byte === 0) zeros[index % 2]!++;
  });
  const half = sample.length / 2;
  if (half < 2) return null;
  if (zeros[1]! > half * 0.3 && zeros[0]! < half * 0.05) return 'utf-16le';
  if (zeros[0]! > half * 0.3 && zeros[1]! < half * 0.05) return 'utf-16be';
  return null;
}

/** For bytes that are not UTF-8. */
export function guessEncoding(sample: Uint8Array): string {
  for (const { name } of analyse(sample)) {
    // ISO-8859-1 in the wild is windows-1252, as every browser reads it.
    if (/^utf|^ascii|iso-2022/i.test(name)) continue;
    const encoding = /^iso-8859-1$/i.test(name) ? 'windows-1252' : name.toLowerCase();
    if (isEncoding(encoding)) return encoding;
  }
  return 'windows-1252';
}

export function isEncoding(label: string): boolean {
  try {
    new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}
