import { EmojiPicker as Picker } from 'frimousse';
import { useEffect, useRef } from 'react';
import styles from './EmojiPicker.module.css';
import { emojiData } from './emoji_data.ts';

const UNNUMBERED = { 'aria-rowindex': undefined };
const countFromOne = (props: { 'aria-colindex'?: number }) => ({ 'aria-colindex': (props['aria-colindex'] ?? 0) + 1 });

/** Finds an emoji by group or by word. Its data is large, so it loads when it opens. */
export default function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const search = useRef<HTMLInputElement>(null);
  // The box around the picker opened before this code was loaded.
  useEffect(() => search.current?.focus({ preventScroll: true }), []);
  return (
    <Picker.Root
      className={styles.picker}
      columns={8}
      resolveEmojiData={emojiData}
      onEmojiSelect={({ emoji }) => onPick(emoji)}
    >
      <div className={styles.head}>
        <Picker.Search ref={search} className={styles.search} aria-label="Search emoji" placeholder="Search emoji" />
        <Picker.SkinToneSelector className={styles.tone} aria-label="Change skin tone" />
      </div>
      <Picker.Viewport className={styles.viewport}>
        <Picker.Empty className={styles.empty}>No emoji found</Picker.Empty>
        <Picker.List
          className={styles.list}
          components={{
            CategoryHeader: ({ category, ...props }) => (
              <div {...props} className={styles.group}>
                {category.label}
              </div>
            ),
            // The library counts rows and columns from 0, ARIA from 1. The library finds rows by their index, so
            // only the invalid 0 is left out.
            Row: ({ children, ...props }) => (
              <div {...props} {...(props['aria-rowindex'] === 0 && UNNUMBERED)} className={styles.row}>
                {children}
              </div>
            ),
            Emoji: ({ emoji, ...props }) => (
              <button {...props} {...countFromOne(props)} type="button" className={styles.emoji}>
                {emoji.emoji}
              </button>
            ),
          }}
        />
      </Picker.Viewport>
    </Picker.Root>
  );
}
