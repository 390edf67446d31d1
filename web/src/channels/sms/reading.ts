/** A text as SMS: what the counter says, where the phone preview cuts it, and what would bring it back to GSM-7. Pure. */
import { type Segmentation, segment, toGsmSafe, type UnicodeCharacter } from '@parley/contract/channels/sms/text.ts';

/** Offsets at which a new segment begins. */
export function breaksOf({ segments }: Pick<Segmentation, 'segments'>): number[] {
  let at = 0;
  return segments.slice(0, -1).map((part) => {
    at += part.length;
    return at;
  });
}

/** "162/1000 - 2 segments - GSM-7". `written` is what is limited, `read` what one person gets of it. */
export function counterOf(written: string, read: string, max: number): string {
  if (written === '') return `0/${max}`;
  const { segments, encoding } = segment(read);
  return `${written.length}/${max} - ${segments.length} ${segments.length === 1 ? 'segment' : 'segments'} - ${encoding}`;
}

export interface UnicodeNotice {
  /** Each offending character once, in the order written. */
  characters: string[];
  /** The text without those that have an equivalent; null when none has. */
  fixed: string | null;
  /** Whether that is enough for GSM-7. */
  complete: boolean;
}

export function unicodeNotice(text: string, found: readonly UnicodeCharacter[]): UnicodeNotice | null {
  if (found.length === 0) return null;
  const fixed = toGsmSafe(text);
  return {
    characters: [...new Set(found.map(({ character }) => character))],
    fixed: fixed === text ? null : fixed,
    complete: segment(fixed).encoding === 'GSM-7',
  };
}

/** Invisible ones by their number. */
export const characterName = (character: string): string =>
  /^[\p{Z}\p{C}\p{M}]+$/u.test(character)
    ? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : character;
