import { Button, VisuallyHidden } from '@mantine/core';
import type { getBadges } from '@parley/contract/inbox/inbox.ts';
import { INBOX_NEEDS } from '@parley/contract/inbox/needs.ts';
import { IconApi, IconBook, IconChevronRight, IconSend } from '@tabler/icons-react';
import { Link, useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { channelView } from '../../channels/index.ts';
import { useLaterEndpoint } from '../../kernel/http/query.ts';
import { buildMenu, type MenuEntry } from '../../kernel/session/menu.ts';
import { routeReason } from '../../kernel/session/routes.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { setUnread } from '../../kernel/unread.ts';
import { ADMIN_NAV, NAV, TRY_IT_NOW, unreadTotal } from '../../nav.ts';
import { DOCUMENTATION_LINK, MANUAL_LINK } from '../../paths.ts';
import { brandName } from '../../ui/brand.ts';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { Mark, WordMark } from '../../ui/layout/WordMark.tsx';
import styles from './Menu.module.css';
import type { Queues } from './OperatorQueues.tsx';

interface MenuProps {
  /** True if the menu shows only icons. */
  folded: boolean;
  /** Called when the user opens a page, so that the drawer can close. */
  onGo?: () => void;
}

export function Menu({ folded, onGo }: MenuProps) {
  const session = useSession();
  const router = useRouter();
  const path = useRouterState({ select: (state) => state.location.pathname });
  const exists = (route: string) => route in router.routesByPath;
  const groups = buildMenu(session.admin ? ADMIN_NAV : NAV, session, path, exists);
  const mayCount = useReason(INBOX_NEEDS) === null;
  const badges = useLaterEndpoint<typeof getBadges>('conversation_badges.get', loadBadges, {
    enabled: mayCount && !session.admin,
  }).data?.data;
  useEffect(() => setUnread(badges ? unreadTotal(badges) : 0), [badges]);
  const [queues, setQueues] = useState<Queues>({});
  const counts = { badges, ...queues };
  const entryCount = (entry: MenuEntry): number => entry.item.count?.(counts) ?? 0;
  const entryTotal = (entry: MenuEntry): number => entry.item.total?.(counts) ?? 0;

  return (
    <nav className={styles.root} aria-label="Main" data-folded={folded || undefined}>
      <Link to="/" className={styles.brand} onClick={onGo}>
        {folded ? <Mark size={28} /> : <WordMark size={28} />}
        {session.admin && !folded && <span className={styles.admin}> Operators</span>}
        <VisuallyHidden>{folded ? `${brandName()}, home` : ', home'}</VisuallyHidden>
      </Link>
      {session.admin && (
        <Suspense fallback={null}>
          <OperatorQueues onChange={setQueues} />
        </Suspense>
      )}
      {!session.admin && exists(TRY_IT_NOW.path) && (
        <div className={styles.try}>
          <Disabled reason={routeReason(TRY_IT_NOW, session)} position="right">
            <Button
              component={Link}
              to={TRY_IT_NOW.path}
              fullWidth
              px={folded ? 0 : undefined}
              aria-label={TRY_IT_NOW.label}
            >
              <IconSend size={16} aria-hidden />
              {!folded && <span className={styles.tryLabel}>{TRY_IT_NOW.label}</span>}
            </Button>
          </Disabled>
        </div>
      )}
      <div className={styles.groups}>
        {groups.map((group) => (
          <ul key={group[0]?.item.path} className={styles.group}>
            {group.map((entry) => (
              <li key={entry.item.path}>
                {entry.children.length > 0 ? (
                  <Branch entry={entry} folded={folded} entryCount={entryCount} entryTotal={entryTotal} onGo={onGo} />
                ) : (
                  <Entry entry={entry} folded={folded} count={entryCount(entry)} onGo={onGo} />
                )}
              </li>
            ))}
          </ul>
        ))}
      </div>
      <ul className={styles.footer}>
        <li>
          <OutLink href={DOCUMENTATION_LINK} label="Documentation" icon={IconApi} folded={folded} />
        </li>
        <li>
          <OutLink href={MANUAL_LINK} label="User manual" icon={IconBook} folded={folded} />
        </li>
      </ul>
    </nav>
  );
}

// Lazy, because the first screen does not need the contract of conversations.
const loadBadges = () => import('@parley/contract/inbox/inbox.ts').then(({ getBadges }) => getBadges);
// Lazy, because customers do not need the operators' contracts.
const OperatorQueues = lazy(() => import('./OperatorQueues.tsx'));

interface EntryProps {
  entry: MenuEntry;
  folded: boolean;
  count: number;
  total?: number;
  inner?: boolean;
  onGo?: (() => void) | undefined;
}

function Entry({ entry, folded, count, total = 0, inner = false, onGo }: EntryProps) {
  const { item, reason, active } = entry;
  const Icon = item.channel ? channelView(item.channel).icon : item.icon;
  const content = (
    <>
      {Icon && <Icon size={18} stroke={1.7} aria-hidden />}
      <span className={styles.label}>{item.label}</span>
      <span className={styles.count}>
        {!folded && <CountBadge count={total} label="total" quiet />}
        <CountBadge count={count} label={item.counts ?? 'unread'} />
      </span>
    </>
  );
  const shared = { className: styles.entry, 'data-inner': inner || undefined };
  if (reason) {
    return (
      <Tooltip label={reason} position="right">
        <a {...shared} role="link" aria-disabled="true" tabIndex={0} aria-label={folded ? item.label : undefined}>
          {content}
        </a>
      </Tooltip>
    );
  }
  return (
    <Tooltip label={item.label} position="right" disabled={!folded}>
      <Link
        to={item.path}
        {...shared}
        aria-current={active ? 'page' : undefined}
        aria-label={folded ? item.label : undefined}
        onClick={onGo}
      >
        {content}
      </Link>
    </Tooltip>
  );
}

interface BranchProps {
  entry: MenuEntry;
  folded: boolean;
  entryCount: (entry: MenuEntry) => number;
  entryTotal: (entry: MenuEntry) => number;
  onGo?: (() => void) | undefined;
}

/** An entry with subpages. When the menu is folded, it links to the first page that the user may open. */
function Branch({ entry, folded, entryCount, entryTotal, onGo }: BranchProps) {
  const [opened, setOpened] = useState(entry.active);
  const [wasActive, setWasActive] = useState(entry.active);
  if (entry.active !== wasActive) {
    setWasActive(entry.active);
    if (entry.active) setOpened(true);
  }
  const Icon = entry.item.icon;
  const total = entryCount(entry);
  if (folded) {
    const first = entry.children.find((child) => child.reason === null);
    const target = { ...entry, item: { ...entry.item, path: first?.item.path ?? entry.item.path } };
    return <Entry entry={target} folded count={total} onGo={onGo} />;
  }
  return (
    <>
      <button
        type="button"
        className={styles.entry}
        aria-expanded={opened}
        data-branch-active={(entry.active && !opened) || undefined}
        onClick={() => setOpened(!opened)}
      >
        {Icon && <Icon size={18} stroke={1.7} aria-hidden />}
        <span className={styles.label}>{entry.item.label}</span>
        <span className={styles.count}>{!opened && <CountBadge count={total} label="unread" />}</span>
        <IconChevronRight size={14} className={styles.chevron} aria-hidden />
      </button>
      {opened && (
        <ul className={styles.children}>
          {entry.children.map((child) => (
            <li key={child.item.path}>
              <Entry
                entry={child}
                folded={false}
                count={entryCount(child)}
                total={entryTotal(child)}
                inner
                onGo={onGo}
              />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function OutLink({
  href,
  label,
  icon: Icon,
  folded,
}: {
  href: string;
  label: string;
  icon: typeof IconBook;
  folded: boolean;
}) {
  return (
    <Tooltip label={label} position="right" disabled={!folded}>
      <a
        className={styles.entry}
        href={href}
        target="_blank"
        rel="noreferrer"
        aria-label={folded ? `${label} (opens in a new tab)` : undefined}
      >
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className={styles.label}>{label}</span>
      </a>
    </Tooltip>
  );
}
