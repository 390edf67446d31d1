/** The button in the top bar that shows what is new, with a dot until the user has seen it. */
import { ActionIcon } from '@mantine/core';
import { markNewsSeen } from '@parley/contract/auth/news.ts';
import { IconGift } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Popup } from '../../ui/layout/Popup.tsx';
import { hasUnseenNews, NEWS_ID } from './changelog.ts';
import styles from './News.module.css';

const NewsList = lazyPart(() => import('./NewsList.tsx'));

export function NewsButton() {
  const { user } = useSession();
  const [isOpened, setOpened] = useState(false);
  // A failure only leaves the dot for the next time.
  const save = useAction(markNewsSeen, { onError: () => {} });
  const isOwn = user.impersonation === null && user.pending === null;
  const isUnseen = isOwn && !isOpened && hasUnseenNews(user);
  const open = () => {
    if (isUnseen) save.mutate({ body: { news_id: NEWS_ID } });
    setOpened(true);
  };
  return (
    <Popup
      label="What’s new"
      className={styles.box}
      onOpen={open}
      target={(props) => (
        <ActionIcon
          {...props}
          size={34}
          className={styles.button}
          aria-label={isUnseen ? 'What’s new (unread)' : 'What’s new'}
        >
          <IconGift size={18} stroke={1.7} aria-hidden />
          {isUnseen && <span className={styles.dot} aria-hidden />}
        </ActionIcon>
      )}
    >
      {(close) => (
        <Suspense>
          <NewsList onGo={close} />
        </Suspense>
      )}
    </Popup>
  );
}
