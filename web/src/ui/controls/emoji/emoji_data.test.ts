import { expect, test } from 'vitest';
import { emojiData } from './emoji_data.ts';

test('every emoji of the picker, in each skin tone, is one that can be sent as a reaction', async () => {
  const { emojis, categories } = await emojiData('en', {});
  expect(emojis.length).toBeGreaterThan(1_800);
  expect(categories.map(({ label }) => label)).toContain('Animals & Nature');
  const all = emojis.flatMap(({ emoji, skins }) => [emoji, ...Object.values(skins ?? {})]);
  expect(all.filter((emoji) => !/^\p{RGI_Emoji}$/v.test(emoji))).toEqual([]);
  expect(emojis.find(({ emoji }) => emoji === '🚀')).toMatchObject({
    label: 'rocket',
    tags: expect.arrayContaining(['launch']),
  });
});
