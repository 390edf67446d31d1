import { IconCloudOff, IconSearch } from '@tabler/icons-react';
import { type ReactNode, Suspense } from 'react';
import { TrialChip } from '../../accounts/TrialChip.tsx';
import { openOverlay } from '../../kernel/commands.ts';
import { useConnection } from '../../kernel/http/connection.ts';
import { useTitle } from '../../kernel/session/routes.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Tooltip } from '../../ui/feedback/Tooltip.tsx';
import { KeyHint } from '../../ui/layout/KeyHint.tsx';
import { BalanceChip } from './BalanceChip.tsx';
import { NoticesBell } from './NoticesBell.tsx';
import styles from './TopBar.module.css';
import { UserMenu } from './UserMenu.tsx';

// Lazy, because the first screen needs neither the help nor the news.
const HelpButtons = lazyPart(() => import('../../help/HelpButtons.tsx'));

export function TopBar({ lead }: { lead: ReactNode }) {
  const { live, admin } = useSession();
  const connection = useConnection();
  const title = useTitle();
  return (
    <header className={styles.root}>
      {lead}
      <span className={styles.title}>{title}</span>
      <div className={styles.end}>
        {live === 'waiting' && connection === 'online' && (
          <Tooltip label="Live updates are interrupted, so data may be outdated. Retrying every two seconds.">
            <span className={styles.offline} role="status">
              <IconCloudOff size={15} aria-hidden />
              <span className={styles.offlineText}>Reconnecting</span>
            </span>
          </Tooltip>
        )}
        <button type="button" className={styles.search} onClick={() => openOverlay('palette')}>
          <IconSearch size={15} aria-hidden />
          <span className={styles.searchText}>Search</span>
          <span className={styles.searchKeys}>
            <KeyHint keys={['mod', 'K']} />
          </span>
        </button>
        {!admin && <TrialChip />}
        {!admin && <BalanceChip />}
        <span className={styles.help}>
          <Suspense>
            <HelpButtons />
          </Suspense>
        </span>
        <NoticesBell />
        <UserMenu />
      </div>
    </header>
  );
}
