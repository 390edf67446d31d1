/**
 * A searchable grid of emoji with arrow key navigation. It needs no network. A default export, because it is loaded
 * lazily.
 */
import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useRef, useState } from 'react';
import styles from './Composer.module.css';
import { EMOJI, type EmojiGroup } from './emoji.ts';

const PER_ROW = 8;

export default function EmojiPicker({ onPick }: { onPick: (emoji: string) => void }) {
  const [query, setQuery] = useState('');
  const grid = useRef<HTMLDivElement>(null);
  const words = query.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const groups: EmojiGroup[] = EMOJI.map((group) => ({
    ...group,
    items: group.items.filter(([, name]) => words.every((word) => name.includes(word))),
  })).filter((group) => group.items.length > 0);

  const move = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: PER_ROW, ArrowUp: -PER_ROW };
    const step = steps[event.key];
    const cells = [...(grid.current?.querySelectorAll('button') ?? [])];
    const at = cells.indexOf(document.activeElement as HTMLButtonElement);
    if (step === undefined || cells.length === 0 || (at < 0 && event.key !== 'ArrowDown')) return;
    event.preventDefault();
    cells[at < 0 ? 0 : Math.max(0, Math.min(cells.length - 1, at + step))]?.focus();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons inside
    <div className={styles.picker} onKeyDown={move}>
      <TextInput
        size="xs"
        className={styles.find}
        aria-label="Search emoji"
        placeholder="Search emoji"
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value)}
        onKeyDown={(event) => {
          const first = groups[0]?.items[0];
          if (event.key === 'Enter' && first) {
            event.preventDefault();
            onPick(first[0]);
          }
        }}
        data-autofocus
      />
      <div ref={grid} className={styles.grid}>
        {groups.map((group) => (
          <section key={group.label} aria-label={group.label}>
            <p className={styles.group}>{group.label}</p>
            <div className={styles.cells}>
              {group.items.map(([emoji, name]) => (
                <button
                  key={emoji}
                  type="button"
                  className={styles.cell}
                  aria-label={name}
                  title={name}
                  onClick={() => onPick(emoji)}
                >
                  {emoji}
                </button>
              ))}
            </div>
          </section>
        ))}
        {groups.length === 0 && <p className={styles.none}>No emoji found</p>}
      </div>
    </div>
  );
}
