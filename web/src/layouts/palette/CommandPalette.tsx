/**
 * The palette opened by Ctrl/Cmd K: actions on the open record, recent entries, pages, actions, settings with their
 * values, and the account's records. It opens above every menu, panel, and dialog. A default export, because it is
 * loaded lazily.
 */
import { Modal } from '@mantine/core';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { rememberRecent } from '../../kernel/recents.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import styles from './CommandPalette.module.css';
import type { Entry } from './entries.ts';
import { type Group, type Listed, useMatches } from './matches.ts';

/** Above the confirmation dialog. */
const Z_INDEX = 550;

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const { user } = useSession();
  const [text, setText] = useState('');
  const [chosenId, setChosenId] = useState<string | null>(null);
  const id = useId();
  const { groups, searching, failed } = useMatches(text);
  const entries = groups.flatMap((group) => group.entries.map(({ entry }) => entry));
  // The selection stays on its entry when results arrive above or below it.
  const chosen = entries.findIndex((entry) => entry.id === chosenId);
  const current = Math.max(0, chosen);

  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    if (entry.target) {
      const { kind, path } = entry.target;
      rememberRecent(user.id, { kind, id: entry.id.replace(/^(recent\.)?\w+\./, ''), title: entry.label, path });
    }
    onClose();
    // After the palette has returned the focus, so that a dialog that opens next can also return it.
    setTimeout(entry.run);
  };
  const press = (event: KeyboardEvent) => {
    const count = Math.max(1, entries.length);
    const move = (to: number) => setChosenId(entries[to]?.id ?? null);
    if (event.key === 'ArrowDown') move((current + 1) % count);
    else if (event.key === 'ArrowUp') move((current - 1 + count) % count);
    else if (event.key === 'Home' && !text) move(0);
    else if (event.key === 'End' && !text) move(count - 1);
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) open(entries[current]);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <Modal.Root opened onClose={onClose} size={600} yOffset="12dvh" padding={0} zIndex={Z_INDEX} {...FRAME}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search everything">
        <input
          className={styles.input}
          role="combobox"
          aria-label="Search everything"
          aria-expanded
          aria-controls={id}
          aria-activedescendant={entries[current] && optionId(id, current)}
          aria-autocomplete="list"
          placeholder="Search pages, actions, contacts, messages, and settings"
          value={text}
          data-autofocus
          // Esc closes only the palette, not the panel or dialog below it.
          data-mantine-stop-propagation="true"
          onKeyDown={press}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosenId(null);
          }}
        />
        <Results id={id} groups={groups} current={current} onChoose={setChosenId} onOpen={open} />
        <p className={entries.length === 0 ? styles.none : styles.state} role="status">
          {stateText(text.trim(), entries.length, searching, failed)}
        </p>
        <p className={styles.keys} aria-hidden>
          <KeyHint keys={['↑', '↓']} /> move <KeyHint keys={['Enter']} /> open <KeyHint keys={['Esc']} /> close
        </p>
      </Modal.Content>
    </Modal.Root>
  );
}

const FRAME = { centered: false, closeOnEscape: false };
const optionId = (id: string, at: number): string => `${id}-${at}`;

interface ResultsProps {
  id: string;
  groups: readonly Group[];
  /** The position of the selected entry. */
  current: number;
  onChoose: (id: string) => void;
  onOpen: (entry: Entry) => void;
}

function Results({ id, groups, current, onChoose, onOpen }: ResultsProps) {
  const list = useRef<HTMLDivElement>(null);
  const listed = groups.flatMap(({ entries }) => entries);
  const currentId = listed[current]?.entry.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls when the selection moves
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [currentId]);
  return (
    <div ref={list} id={id} className={styles.list} role="listbox" aria-label="Results">
      {groups.map((group) => (
        // biome-ignore lint/a11y/useSemanticElements: a list box has no fieldset
        <div key={group.name} role="group" aria-label={group.name}>
          <p className={styles.group} aria-hidden>
            {group.name}
          </p>
          {group.entries.map((one) => {
            const { entry } = one;
            const at = listed.indexOf(one);
            return (
              <Option
                key={entry.id}
                id={optionId(id, at)}
                listed={one}
                selected={at === current}
                onSelect={() => onChoose(entry.id)}
                onOpen={() => onOpen(entry)}
              />
            );
          })}
        </div>
      ))}
    </div>
  );
}

function stateText(text: string, count: number, searching: boolean, failed: boolean): string {
  if (failed) return 'Search failed. Check your connection and try again.';
  if (count > 0) return '';
  return searching ? 'Searching' : `No results for “${text}”`;
}

interface OptionProps {
  id: string;
  listed: Listed;
  selected: boolean;
  onSelect: () => void;
  onOpen: () => void;
}

function Option({ id, listed: { entry, positions }, selected, onSelect, onOpen }: OptionProps) {
  const Icon = entry.icon;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
    <div
      id={id}
      className={styles.option}
      role="option"
      // The marks would split words.
      aria-label={entry.detail ? `${entry.label}, ${entry.detail}` : entry.label}
      tabIndex={-1}
      aria-selected={selected}
      onClick={onOpen}
      onMouseMove={selected ? undefined : onSelect}
    >
      <Icon size={16} stroke={1.7} className={styles.icon} aria-hidden />
      <span className={styles.label} dir="auto">
        <Highlighted text={entry.label} positions={positions} />
      </span>
      {entry.detail && (
        <span className={styles.detail} dir="auto">
          {entry.detail}
        </span>
      )}
    </div>
  );
}

/** The matched letters, in runs so that screen readers read whole words. */
function Highlighted({ text, positions }: { text: string; positions: ReadonlySet<number> | null }) {
  if (!positions || positions.size === 0) return text;
  const runs: { text: string; matched: boolean; at: number }[] = [];
  Array.from(text).forEach((char, at) => {
    const matched = positions.has(at);
    const last = runs.at(-1);
    if (last && last.matched === matched) last.text += char;
    else runs.push({ text: char, matched, at });
  });
  return runs.map((run) => (run.matched ? <mark key={run.at}>{run.text}</mark> : run.text));
}
