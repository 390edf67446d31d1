/** The menu of saved views in the filter bar. The button names the active view and shows that it was modified. */
import { Button } from '@mantine/core';
import { IconBookmark, IconChevronDown } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../../ui/feedback/lazy_part.ts';
import { ActionMenu } from '../../../ui/layout/ActionMenu.tsx';
import type { SavedViews } from './saved_views.ts';
import type { ViewDialogTarget } from './ViewDialog.tsx';
import styles from './ViewsMenu.module.css';

// Loaded with the first click, because most visits to a list do not need them.
const ViewItems = lazyPart(() => import('./ViewItems.tsx'));
const ViewDialog = lazyPart(() => import('./ViewDialog.tsx'));

interface ViewsMenuProps {
  views: SavedViews;
  /** The plural noun for the listed items. */
  noun: string;
}

export function ViewsMenu({ views, noun }: ViewsMenuProps) {
  const [dialog, setDialog] = useState<ViewDialogTarget>(null);
  const [hadDialog, setHadDialog] = useState(false);
  const { active, isModified } = views;
  return (
    <>
      <ActionMenu
        target={(target) => (
          <Button
            {...target}
            variant="default"
            leftSection={<IconBookmark size={15} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            {...(active ? { 'aria-label': `View: ${active.name}${isModified ? ', modified' : ''}` } : {})}
          >
            {active ? <bdi className={styles.name}>{active.name}</bdi> : 'Views'}
            {isModified && <span className={styles.modified}>Modified</span>}
          </Button>
        )}
      >
        <ViewItems
          views={views}
          noun={noun}
          onDialog={(target) => {
            setHadDialog(true);
            setDialog(target);
          }}
        />
      </ActionMenu>
      {hadDialog && (
        <Suspense>
          <ViewDialog views={views} target={dialog} onClose={() => setDialog(null)} />
        </Suspense>
      )}
    </>
  );
}
