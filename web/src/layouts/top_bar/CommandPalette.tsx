/**
 * The palette opened by Ctrl/Cmd K: the pages and actions that the user may open, and a search for records. A default
 * export, because it is loaded lazily.
 */
import { Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { allCommands, allSources, type Jump, rank } from '../../kernel/commands.ts';
import { isAbsent, routeReason } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { ADMIN_NAV, NAV, type NavItem, TRY_IT_NOW } from '../../nav.ts';
import styles from './CommandPalette.module.css';

interface Entry {
  id: string;
  label: string;
  kind: string;
  path: string;
  keywords: string;
}

/** The maximum number of entries listed without a search text, and with one. */
const MAX_ENTRIES = 40;
const MAX_MATCHES = 8;

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const entries = useMatches(text);
  const current = Math.min(index, Math.max(0, entries.length - 1));

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    void navigate({ to: entry.path });
  };
  const press = (event: KeyboardEvent) => {
    const count = Math.max(1, entries.length);
    if (event.key === 'ArrowDown') setIndex((current + 1) % count);
    else if (event.key === 'ArrowUp') setIndex((current - 1 + entries.length) % count);
    else if (event.key === 'Enter') open(entries[current]);
    else return;
    event.preventDefault();
  };

  return (
    <Modal.Root opened onClose={onClose} size={560} yOffset="14dvh" centered={false} padding={0}>
      <Modal.Overlay />
      <Modal.Content aria-label="Search pages and actions">
        <input
          className={styles.input}
          role="combobox"
          aria-label="Search pages and actions"
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={entries[current] ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          placeholder="Search pages, actions, campaigns, contacts, message IDs"
          value={text}
          data-autofocus
          onKeyDown={press}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setIndex(0);
          }}
        />
        <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label="Results">
          {entries.map((entry, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the input keeps the focus and handles the keys
            <div
              key={entry.id}
              id={`${id}-${at}`}
              className={styles.option}
              role="option"
              tabIndex={-1}
              aria-selected={at === current}
              onClick={() => open(entry)}
              onMouseMove={() => setIndex(at)}
            >
              <span className={styles.label}>{entry.label}</span>
              <span className={styles.kind}>{entry.kind}</span>
            </div>
          ))}
        </div>
        {entries.length === 0 && (
          <p className={styles.none} role="status">
            No results for “{text.trim()}”
          </p>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

/** The entries that match the text, best match first, followed by the records from the modules' searches. */
function useMatches(text: string): Entry[] {
  const available = useAvailableEntries();
  const jumps = useJumps(text);
  return useMemo(() => {
    const query = text.trim();
    const matches = available
      .map((entry) => ({ entry, score: query ? rank(`${entry.label} ${entry.keywords}`, query) : 1 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry);
    return [
      ...matches.slice(0, query ? MAX_MATCHES : MAX_ENTRIES),
      ...jumps.map((jump) => ({ ...jump, keywords: '' })),
    ];
  }, [available, text, jumps]);
}

/** The actions and pages that the user may open. */
function useAvailableEntries(): Entry[] {
  const session = useSession();
  const router = useRouter();
  return useMemo(() => {
    const groups = session.admin ? ADMIN_NAV : [[TRY_IT_NOW], ...NAV];
    const isOpen = (item: NavItem) => item.path in router.routesByPath && routeReason(item, session) === null;
    const actions = allCommands()
      .filter((command) => (command.admin ?? false) === session.admin)
      .filter((command) => !isAbsent(command, session) && routeReason(command, session) === null)
      .map((command) => ({ ...command, kind: 'Action', keywords: command.keywords ?? '' }));
    return [...actions, ...listPages(groups.flat(), isOpen)];
  }, [router, session]);
}

const listPages = (items: readonly NavItem[], isOpen: (item: NavItem) => boolean, parent = ''): Entry[] =>
  items.flatMap((item) => {
    if (item.children) return listPages(item.children, isOpen, `${item.label} / `);
    if (!isOpen(item)) return [];
    return [{ id: `page.${item.path}`, label: parent + item.label, kind: 'Page', path: item.path, keywords: '' }];
  });

/** The records that the modules' searches find for the text. */
function useJumps(text: string): Jump[] {
  const session = useSession();
  const [query] = useDebouncedValue(text.trim(), 180);
  const [jumps, setJumps] = useState<Jump[]>([]);
  useEffect(() => {
    setJumps([]);
    if (query.length < 2) return;
    const stop = new AbortController();
    const sources = allSources().filter(
      (source) => routeReason(source.needs ? { needs: source.needs } : {}, session) === null,
    );
    for (const source of sources) {
      source.find(query, stop.signal).then(
        (results) => {
          if (!stop.signal.aborted) setJumps((old) => [...old, ...results]);
        },
        // A failed search must not hide the results of the other searches.
        () => {},
      );
    }
    return () => stop.abort();
  }, [query, session]);
  return jumps;
}
