import styles from './Fallbacks.module.css';

export const Problem = ({ children }: { children: string | null }) =>
  children ? (
    <p className={styles.problem} role="alert">
      {children}
    </p>
  ) : null;
