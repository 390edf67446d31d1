import styles from './Skeletons.module.css';

/**
 * A gray bar the size of the text to come. Hidden from screen readers, because the surrounding region is marked as
 * busy.
 */
export function Skeleton({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) {
  return <span className={styles.bone} style={{ width, height }} aria-hidden />;
}

const WIDTHS = ['62%', '80%', '46%', '70%', '54%'];
export const skeletonWidth = (row: number, column: number): string =>
  WIDTHS[(row * 3 + column * 2) % WIDTHS.length] as string;

export function SkeletonLines({ lines = 3 }: { lines?: number }) {
  return (
    <span className={styles.lines} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Skeleton key={line} width={skeletonWidth(line, lines)} />
      ))}
    </span>
  );
}

/** The parts of a page below each other, such as its filters, figures, and chart, with their heights. */
export function SkeletonBlocks({ heights }: { heights: readonly number[] }) {
  return (
    <div className={styles.blocks} role="status" aria-label="Loading">
      {heights.map((height, block) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks have no identity
        <Skeleton key={block} height={height} />
      ))}
    </div>
  );
}

/** Label-value pairs in the layout of a side panel. */
export function SkeletonFields({ count = 6 }: { count?: number }) {
  return (
    <div className={styles.fields} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are all alike
        <span key={field} className={styles.lines}>
          <Skeleton width={88} height={10} />
          <Skeleton width={skeletonWidth(field, 1)} height={14} />
        </span>
      ))}
    </div>
  );
}
