import styles from './FormParts.module.css';

/** Marks the label of a field that may stay empty. Fields without the mark are required. */
export const Optional = () => <span className={styles.optional}> (optional)</span>;
