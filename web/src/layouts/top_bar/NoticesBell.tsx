import { ActionIcon } from '@mantine/core';
import { IconBell } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { countUnseen, markNoticesSeen, type Notice, useNotices } from '../../kernel/notices.ts';
import { linkToAddress } from '../../paths.ts';
import { CountBadge } from '../../ui/data/CountBadge.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { Popup } from '../../ui/layout/Popup.tsx';
import styles from './TopBar.module.css';

export function NoticesBell() {
  const notices = useNotices();
  const count = countUnseen(notices);
  return (
    <Popup
      label="Notifications"
      className={styles.notices}
      onOpen={markNoticesSeen}
      target={(props) => (
        <ActionIcon
          {...props}
          size={34}
          className={styles.bell}
          aria-label={count ? `Notifications, ${count} new` : 'Notifications'}
        >
          <IconBell size={18} stroke={1.7} aria-hidden />
          <span className={styles.bellCount} aria-hidden>
            <CountBadge count={count} />
          </span>
        </ActionIcon>
      )}
    >
      {(close) =>
        notices.length === 0 ? (
          <p className={styles.quiet}>No notifications yet. Finished imports, campaigns, and exports appear here.</p>
        ) : (
          notices.map((notice) => <Entry key={notice.id} notice={notice} onGo={close} />)
        )
      }
    </Popup>
  );
}

function Entry({ notice, onGo }: { notice: Notice; onGo: () => void }) {
  const router = useRouter();
  const content = (
    <>
      <span className={styles.noticeTitle}>
        {notice.title}
        <span className={styles.noticeTime}>
          <DateTime value={notice.at} show="time" />
        </span>
      </span>
      {notice.text && <span className={styles.noticeText}>{notice.text}</span>}
    </>
  );
  const link = notice.path && linkToAddress(notice.path);
  return link && link.to in router.routesByPath ? (
    <Link className={styles.notice} {...link} onClick={onGo}>
      {content}
    </Link>
  ) : (
    <div className={styles.notice}>{content}</div>
  );
}
