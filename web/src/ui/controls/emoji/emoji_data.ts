/** The emoji of the picker, in the order and the groups of Unicode, with the words that find them. */
import keywords from 'emojilib';
import type { EmojiPicker } from 'frimousse';
import type { ComponentProps } from 'react';
import groups from 'unicode-emoji-json/data-by-group.json';

type Resolver = NonNullable<ComponentProps<typeof EmojiPicker.Root>['resolveEmojiData']>;

const TONES = { light: '🏻', 'medium-light': '🏼', medium: '🏽', 'medium-dark': '🏾', dark: '🏿' } as const;
const VARIATION = '\u{FE0F}';

/**
 * The skin tone follows the first character. A variation selector there would end the emoji. If several people need the
 * tone, the last one also gets it.
 */
function withTone(emoji: string, tone: string): string {
  const [first = '', ...rest] = emoji;
  const toned = [first, tone, ...(rest[0] === VARIATION ? rest.slice(1) : rest)].join('');
  return /^\p{RGI_Emoji}$/v.test(toned) ? toned : toned + tone;
}

export const emojiData: Resolver = (locale) => ({
  locale,
  categories: groups.map(({ name }, index) => ({ index, label: name })),
  emojis: groups.flatMap(({ emojis }, category) =>
    emojis.map(({ emoji, name, emoji_version, skin_tone_support }) => ({
      ...{ emoji, category, label: name, version: Number(emoji_version) },
      tags: (keywords as Record<string, string[]>)[emoji] ?? [],
      ...(skin_tone_support
        ? {
            skins: {
              light: withTone(emoji, TONES.light),
              'medium-light': withTone(emoji, TONES['medium-light']),
              medium: withTone(emoji, TONES.medium),
              'medium-dark': withTone(emoji, TONES['medium-dark']),
              dark: withTone(emoji, TONES.dark),
            },
          }
        : {}),
    })),
  ),
  skinTones: {
    light: 'Light skin tone',
    'medium-light': 'Medium-light skin tone',
    medium: 'Medium skin tone',
    'medium-dark': 'Medium-dark skin tone',
    dark: 'Dark skin tone',
  },
});
