/** Ctrl/Cmd K: every page one may open, every frequent action, and a jump to what was typed. A default export because it is loaded lazily. */
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
  words: string;
}

const pagesIn = (items: readonly NavItem[], under = ''): Entry[] =>
  items.flatMap((item) => [
    ...(item.children
      ? pagesIn(item.children, `${item.label} `)
      : [
          {
            id: `page.${item.path}`,
            label: `${under}${under ? '/ ' : ''}${item.label}`,
            kind: 'Page',
            path: item.path,
            words: '',
          },
        ]),
  ]);

export default function CommandPalette({ onClose }: { onClose: () => void }) {
  const session = useSession();
  const router = useRouter();
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  const jumps = useJumps(text);

  const known = useMemo(() => {
    const open = (path: string, needs: NavItem) => path in router.routesByPath && routeReason(needs, session) === null;
    const flat = (items: readonly NavItem[]): NavItem[] =>
      items.flatMap((item) => (item.children ? flat(item.children) : [item]));
    const groups = session.admin ? ADMIN_NAV : [[TRY_IT_NOW], ...NAV];
    const allowed = new Set(
      flat(groups.flat())
        .filter((item) => open(item.path, item))
        .map((item) => item.path),
    );
    const pages = pagesIn(groups.flat()).filter((entry) => allowed.has(entry.path));
    const actions = allCommands()
      .filter((command) => (command.admin ?? false) === session.admin)
      .filter((command) => !isAbsent(command, session) && routeReason(command, session) === null)
      .map((command) => ({ ...command, kind: 'Action', words: command.words ?? '' }));
    return [...actions, ...pages];
  }, [router, session]);

  const found = useMemo(() => {
    const typed = text.trim();
    const ranked = known
      .map((entry) => ({ entry, score: typed ? rank(`${entry.label} ${entry.words}`, typed) : 1 }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry);
    return [...ranked.slice(0, typed ? 8 : 40), ...jumps.map((jump) => ({ ...jump, words: '' }))];
  }, [known, text, jumps]);
  const current = Math.min(at, Math.max(0, found.length - 1));

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });

  const go = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    void navigate({ to: entry.path });
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setAt((current + 1) % Math.max(1, found.length));
    else if (event.key === 'ArrowUp') setAt((current - 1 + found.length) % Math.max(1, found.length));
    else if (event.key === 'Enter') go(found[current]);
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
          aria-activedescendant={found[current] ? `${id}-${current}` : undefined}
          aria-autocomplete="list"
          placeholder="Search pages, actions, campaigns, contacts, message ids"
          value={text}
          data-autofocus
          onKeyDown={press}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setAt(0);
          }}
        />
        <div ref={list} id={`${id}-list`} className={styles.list} role="listbox" aria-label="Results">
          {found.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys belong to the field, which stays focused
            <div
              key={entry.id}
              id={`${id}-${index}`}
              className={styles.option}
              role="option"
              tabIndex={-1}
              aria-selected={index === current}
              onClick={() => go(entry)}
              onMouseMove={() => setAt(index)}
            >
              <span className={styles.label}>{entry.label}</span>
              <span className={styles.kind}>{entry.kind}</span>
            </div>
          ))}
        </div>
        {found.length === 0 && (
          <p className={styles.none} role="status">
            Nothing found for “{text.trim()}”
          </p>
        )}
      </Modal.Content>
    </Modal.Root>
  );
}

function useJumps(text: string): Jump[] {
  const session = useSession();
  const [typed] = useDebouncedValue(text.trim(), 180);
  const [jumps, setJumps] = useState<Jump[]>([]);
  useEffect(() => {
    setJumps([]);
    if (typed.length < 2) return;
    const stop = new AbortController();
    const sources = allSources().filter(
      (source) => routeReason(source.needs ? { needs: source.needs } : {}, session) === null,
    );
    for (const source of sources) {
      source.find(typed, stop.signal).then(
        (more) => {
          if (!stop.signal.aborted) setJumps((old) => [...old, ...more]);
        },
        // One source that fails must not take the others with it; pages and actions are there anyway.
        () => {},
      );
    }
    return () => stop.abort();
  }, [typed, session]);
  return jumps;
}
