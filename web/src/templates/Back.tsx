import { IconChevronLeft } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import styles from './Library.module.css';
import { LIBRARY } from './links.ts';

export const Back = () => (
  <Link to={LIBRARY} className={styles.back}>
    <IconChevronLeft size={15} aria-hidden />
    Messages
  </Link>
);
