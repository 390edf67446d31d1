import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { SmallSelect } from '../controls/SmallSelect.tsx';
import { formatNumber } from './format.ts';
import styles from './Pagination.module.css';

const PAGE_SIZES = [10, 20, 50, 100] as const;

interface PaginationProps {
  number: number;
  size: number;
  /** Undefined while the first page loads, and if it could not be loaded. */
  total: number | undefined;
  /** The rows were not counted to the end: there are more than `total`. */
  isMore?: boolean;
  /** The first page could not be loaded. */
  isFailed?: boolean;
  /** Whether there is a next page, if the total does not tell. */
  hasNext?: boolean;
  onPage: (number: number) => void;
  onSize: (size: number) => void;
  /** Counts all rows, if the list offers it. */
  onCount?: (() => void) | undefined;
  counting?: boolean;
  /** Loads the page again. Set if the rows are older than the last attempt to load them. */
  onRetry?: (() => void) | undefined;
  /** The plural noun for the listed items, such as "campaigns". */
  noun?: string;
}

/** The footer of a list: which rows the page shows, the page size, and the buttons to the other pages. */
export function Pagination(props: PaginationProps) {
  const { number, size, total, isMore = false, onPage, onSize, onCount, onRetry, noun = 'rows' } = props;
  const pages = total === undefined || isMore ? undefined : Math.max(1, Math.ceil(total / size));
  // A list that fits on the smallest page has nothing to choose.
  const isWhole = pages === 1 && total !== undefined && total <= PAGE_SIZES[0];
  const hasNext = pages === undefined ? (total !== undefined && props.hasNext) || false : number < pages;
  return (
    <nav className={styles.root} aria-label="Pages">
      <span className={styles.count}>
        <span role="status">{rangeText(props, noun)}</span>
        {isMore && onCount && (
          <Button size="compact-xs" variant="subtle" loading={props.counting ?? false} onClick={onCount}>
            Count exactly
          </Button>
        )}
        {onRetry && (
          <>
            <span className={styles.stale} role="status">
              The last update failed.
            </span>
            <Button size="compact-xs" variant="subtle" onClick={onRetry}>
              Retry
            </Button>
          </>
        )}
      </span>
      {!isWhole && (
        <span className={styles.controls}>
          <SmallSelect
            aria-label="Rows per page"
            value={String(size)}
            data={PAGE_SIZES.map((option) => ({ value: String(option), label: `${option} per page` }))}
            onChange={(value) => onSize(Number(value))}
          />
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Previous page"
            disabled={number <= 1}
            onClick={() => onPage(number - 1)}
          >
            <IconChevronLeft size={16} aria-hidden />
          </ActionIcon>
          <span className={styles.page}>
            {pages === undefined ? `Page ${formatNumber(number)}` : `${formatNumber(number)} / ${formatNumber(pages)}`}
          </span>
          <ActionIcon
            variant="default"
            size={30}
            aria-label="Next page"
            disabled={!hasNext}
            onClick={() => onPage(number + 1)}
          >
            <IconChevronRight size={16} aria-hidden />
          </ActionIcon>
        </span>
      )}
    </nav>
  );
}

function rangeText({ number, size, total, isMore, isFailed }: PaginationProps, noun: string): string {
  if (total === undefined) return isFailed ? `No ${noun} loaded` : `Loading ${noun}…`;
  if (total === 0) return `0 ${noun}`;
  const first = (number - 1) * size + 1;
  const last = isMore ? number * size : Math.min(total, number * size);
  return `${formatNumber(first)}–${formatNumber(last)} of ${isMore ? 'more than ' : ''}${formatNumber(total)}`;
}
