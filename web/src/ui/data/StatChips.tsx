import { Link, useLocation } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Skeleton } from '../feedback/Skeletons.tsx';
import { Tooltip } from '../feedback/Tooltip.tsx';
import { splitAddress } from '../layout/split_address.ts';
import styles from './StatChips.module.css';
import type { Tone } from './status.ts';

export interface Stat {
  key: string;
  label: string;
  /** Undefined while it loads. */
  value: ReactNode | undefined;
  tone?: Tone;
  /** A secondary figure, such as a share. */
  note?: ReactNode;
  /** The list of the rows that the figure counts. Undefined if there is none, or if the user may not open it. */
  href?: string | undefined;
  /** Explains a figure without a list, on hover and on keyboard focus. */
  hint?: string | undefined;
}

/** Counts side by side: a figure, its label, and a colored dot that reinforces the label. A chip links to its rows. */
export function StatChips({ stats, label }: { stats: readonly Stat[]; label: string }) {
  return (
    <dl className={styles.root} aria-label={label}>
      {stats.map(({ key, label: name, value, tone, note, href, hint }) => (
        <div key={key} className={styles.chip} data-click={href ? true : undefined}>
          <dt className={styles.name}>
            {tone && <span className={styles.dot} data-tone={tone} aria-hidden />}
            <Name name={name} href={href} hint={hint} />
          </dt>
          <dd className={styles.value}>
            {value === undefined ? <Skeleton width={48} height={16} /> : value}
            {note && <span className={styles.note}>{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Name({ name, href, hint }: { name: string } & Pick<Stat, 'href' | 'hint'>) {
  if (href) return <ChipLink href={href}>{name}</ChipLink>;
  if (!hint) return name;
  return (
    <Tooltip label={hint}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches the explanation */}
      <span tabIndex={0} className={styles.hint}>
        {name}
      </span>
    </Tooltip>
  );
}

/** A link to a list on the same page keeps the scroll position. */
function ChipLink({ href, children }: { href: string; children: string }) {
  const link = splitAddress(href);
  const isHere = useLocation({ select: ({ pathname }) => pathname === link.to });
  return (
    <Link {...link} className={styles.link} resetScroll={!isHere}>
      {children}
    </Link>
  );
}
