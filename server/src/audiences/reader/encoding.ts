/**
 * Detects the encoding of a text file: first by its byte order mark, then by the zero bytes of UTF-16, then by strict
 * UTF-8, and finally by statistics. Users can override a statistical guess.
 */
import { analyse } from 'chardet';

/** Size of the sample for the statistics, which are used if the encoding cannot be proven. */
export const SAMPLE_BYTES = 256 * 1024;

/** Returns the encoding that the first bytes prove. Null means UTF-8, unless a later byte is invalid. */
export function detectMarkedEncoding(start: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | null {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return 'utf-8';
  if (start[0] === 0xff && start[1] === 0xfe) return 'utf-16le';
  if (start[0] === 0xfe && start[1] === 0xff) return 'utf-16be';
  return detectUtf16(start.subarray(0, 4_096));
}

/**
 * In UTF-16, most characters of a table (digits, delimiters, line breaks) have a zero byte, always on the same side.
 */
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

/** Guesses the encoding of bytes that are not UTF-8. */
export function guessEncoding(sample: Uint8Array): string {
  for (const { name } of analyse(sample)) {
    // Treats ISO-8859-1 as windows-1252, as browsers do.
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
