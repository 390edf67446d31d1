import { Link, type LinkProps } from '@tanstack/react-router';
import { type ReactNode, useLayoutEffect, useRef } from 'react';
import styles from './PageTabs.module.css';

interface PageTabsProps {
  /** The accessible name: "Settings". */
  label: string;
  children: ReactNode;
}

/** The tabs of a page, as links. If they are wider than the page, the open one is in view and the edges fade. */
export function PageTabs({ label, children }: PageTabsProps) {
  const root = useRef<HTMLElement>(null);
  const shown = useRef<Element>(null);
  // Reads the layout only after another tab has opened: pages render their tabs with every change of the URL.
  useLayoutEffect(() => {
    const nav = root.current;
    const open = nav?.querySelector<HTMLElement>('[aria-current]') ?? null;
    if (nav && open && open !== shown.current)
      nav.scrollLeft = open.offsetLeft - (nav.clientWidth - open.offsetWidth) / 2;
    shown.current = open;
  });
  useLayoutEffect(() => {
    const nav = root.current;
    if (!nav) return;
    const mark = () => {
      nav.toggleAttribute('data-before', nav.scrollLeft > 1);
      nav.toggleAttribute('data-after', nav.scrollLeft + nav.clientWidth < nav.scrollWidth - 1);
    };
    mark();
    const observer = new ResizeObserver(mark);
    observer.observe(nav);
    nav.addEventListener('scroll', mark, { passive: true });
    return () => {
      observer.disconnect();
      nav.removeEventListener('scroll', mark);
    };
  }, []);
  return (
    <nav ref={root} aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  );
}

interface PageTabProps {
  /** The address, as props of a link. */
  link: LinkProps;
  isOpen: boolean;
  children: ReactNode;
}

/** One tab. `exact`, because the router would also mark a tab as open on the pages below it. */
export const PageTab = ({ link, isOpen, children }: PageTabProps) => (
  <Link
    {...(link as LinkProps & { to: string })}
    className={styles.tab}
    activeOptions={{ exact: true, includeSearch: true }}
    aria-current={isOpen ? 'page' : undefined}
  >
    {children}
  </Link>
);
