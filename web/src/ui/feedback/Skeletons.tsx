import styles from './Skeletons.module.css';

/** A grey bar of the right size where text will be. Hidden from screen readers: the region around it says that it is busy. */
export function Bone({ width = '100%', height = 12 }: { width?: number | string; height?: number | string }) {
  return <span className={styles.bone} style={{ width, height }} aria-hidden />;
}

const WIDTHS = ['62%', '80%', '46%', '70%', '54%'];
export const boneWidth = (row: number, column: number): string =>
  WIDTHS[(row * 3 + column * 2) % WIDTHS.length] as string;

export function BoneLines({ lines = 3 }: { lines?: number }) {
  return (
    <span className={styles.lines} aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike
        <Bone key={line} width={boneWidth(line, lines)} />
      ))}
    </span>
  );
}

/** Title, value pairs: the shape of a side panel. */
export function BoneFields({ count = 6 }: { count?: number }) {
  return (
    <div className={styles.fields} role="status" aria-label="Loading">
      {Array.from({ length: count }, (_, field) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the fields are all alike
        <span key={field} className={styles.lines}>
          <Bone width={88} height={10} />
          <Bone width={boneWidth(field, 1)} height={14} />
        </span>
      ))}
    </div>
  );
}
