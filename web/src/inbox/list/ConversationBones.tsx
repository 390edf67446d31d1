import { Skeleton, skeletonWidth } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Inbox.module.css';

/** Rows of the list before they have loaded. */
export const ConversationBones = ({ label, rows }: { label: string; rows: number }) => (
  <div role="status" aria-label={label}>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <span key={row} className={styles.listBone}>
        <Skeleton width={22} height={22} />
        <span className={styles.listBoneText}>
          <Skeleton width={skeletonWidth(row, 0)} height={14} />
          <Skeleton width={skeletonWidth(row, 1)} />
        </span>
      </span>
    ))}
  </div>
);
