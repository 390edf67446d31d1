import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { splitAddress } from '../layout/split_address.ts';
import styles from './Figure.module.css';

interface FigureProps {
  /** The list of the rows that the number counts. Undefined if the user may not open it. */
  href: string | undefined;
  /** The name of the link, if the number and the text around it do not state what is counted. */
  label?: string | undefined;
  children: ReactNode;
}

/** A number that links to the rows that it counts. */
export function Figure({ href, label, children }: FigureProps) {
  if (href === undefined) return children;
  return (
    <Link {...splitAddress(href)} className={styles.root} {...(label ? { 'aria-label': label } : {})}>
      {children}
    </Link>
  );
}
