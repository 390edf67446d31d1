/** A text's segments: their positions, the counter, and replacements that avoid Unicode. */
import { ASSUMED_PROFILE, type SmsProfile, segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { segment, toGsmSafe, type UnicodeCharacter } from '@parley/contract/channels/sms/text.ts';
import { textLength } from '@parley/contract/text_length.ts';

/** Offsets in the text at which a new segment begins. */
export function segmentBreaks(text: string, profile: SmsProfile = ASSUMED_PROFILE): number[] {
  let at = 0;
  return segment(text, segmentOptions(profile))
    .segments.slice(0, -1)
    .map((part) => {
      at += part.length;
      return at;
    });
}

/**
 * "162/1000 - 2 segments - GSM-7". The limit applies to `written`, the text that contains the variables; `filled` is
 * the text for one recipient.
 */
export function segmentCounter(
  written: string,
  filled: string,
  max: number,
  profile: SmsProfile = ASSUMED_PROFILE,
): string {
  if (written === '') return `0/${max}`;
  const { segments, encoding } = segment(filled, segmentOptions(profile));
  const unit = segments.length === 1 ? 'segment' : 'segments';
  return `${textLength(written)}/${max} - ${segments.length} ${unit} - ${encoding}`;
}

interface UnicodeNotice {
  /** The distinct characters outside the default alphabet, in order of appearance. */
  characters: string[];
  /** The text with these characters replaced by their equivalents; null if none has an equivalent. */
  fixed: string | null;
  /** True if `fixed` needs no Unicode. */
  complete: boolean;
}

export function unicodeNotice(
  text: string,
  unicode: readonly UnicodeCharacter[],
  profile: SmsProfile = ASSUMED_PROFILE,
): UnicodeNotice | null {
  if (unicode.length === 0) return null;
  const fixed = toGsmSafe(text, profile.default_alphabet);
  return {
    characters: [...new Set(unicode.map(({ character }) => character))],
    fixed: fixed === text ? null : fixed,
    complete: segment(fixed, segmentOptions(profile)).encoding !== 'UCS-2',
  };
}

/** The character, or its code point if it is invisible. */
export const characterName = (character: string): string =>
  /^[\p{Z}\p{C}\p{M}]+$/u.test(character)
    ? `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`
    : character;
