import { ActionIcon } from '@mantine/core';
import { IconAdjustmentsHorizontal } from '@tabler/icons-react';
import { Suspense } from 'react';
import { lazyPart } from '../../feedback/lazy_part.ts';
import { SkeletonLines } from '../../feedback/Skeletons.tsx';
import { usePreload } from '../../feedback/usePreload.ts';
import { Popup } from '../../layout/Popup.tsx';
import styles from './ColumnMenu.module.css';
import type { ColumnChoice } from './column_choice.ts';

const loadList = () => import('./ColumnList.tsx');
const ColumnList = lazyPart(loadList) as unknown as typeof import('./ColumnList.tsx').default;

/** Lets users choose the columns and their order, by dragging or with buttons. */
export function ColumnMenu<T>({ choice, isCards }: { choice: ColumnChoice<T>; isCards: boolean }) {
  usePreload(loadList);
  const listed = choice.ordered.filter(({ title, card }) => title !== '' && !(isCards && card === 'hidden'));
  if (listed.filter((column) => !column.fixed).length < 2) return null;
  return (
    <Popup
      label="Choose columns"
      className={styles.root}
      target={(target) => (
        <ActionIcon {...target} size={26} aria-label="Choose columns">
          <IconAdjustmentsHorizontal size={15} aria-hidden />
        </ActionIcon>
      )}
    >
      {() => (
        <Suspense fallback={<SkeletonLines lines={5} />}>
          <ColumnList choice={choice} listed={listed} />
        </Suspense>
      )}
    </Popup>
  );
}
