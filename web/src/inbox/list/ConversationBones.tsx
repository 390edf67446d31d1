import { Skeleton, skeletonWidth } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Inbox.module.css';

const ROWS = 8;

/** The list of conversations before it has loaded. */
export const ConversationBones = () => (
  <div role="status" aria-label="Loading conversations">
    {Array.from({ length: ROWS }, (_, row) => (
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
