import { ActionIcon, NativeSelect } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { formatNumber } from './format.ts';
import styles from './Pagination.module.css';

const PAGE_SIZES = [10, 20, 50, 100] as const;

interface PaginationProps {
  number: number;
  size: number;
  total: number;
  /** Marks the total as an estimate, shown with "about". */
  estimate?: boolean;
  onPage: (number: number) => void;
  onSize: (size: number) => void;
  /** The plural noun for the listed items, such as "campaigns". */
  noun?: string;
}

export function Pagination({ number, size, total, estimate = false, onPage, onSize, noun = 'rows' }: PaginationProps) {
  const pages = Math.max(1, Math.ceil(total / size));
  const first = total === 0 ? 0 : (number - 1) * size + 1;
  const last = Math.min(total, number * size);
  return (
    <nav className={styles.root} aria-label="Pages">
      <span role="status">
        {total === 0
          ? `0 ${noun}`
          : `${formatNumber(first)}–${formatNumber(last)} of ${estimate ? 'about ' : ''}${formatNumber(total)}`}
      </span>
      <span className={styles.controls}>
        <NativeSelect
          size="xs"
          aria-label="Rows per page"
          value={String(size)}
          data={PAGE_SIZES.map((option) => ({ value: String(option), label: `${option} per page` }))}
          onChange={(event) => onSize(Number(event.currentTarget.value))}
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
          {formatNumber(number)} / {formatNumber(pages)}
        </span>
        <ActionIcon
          variant="default"
          size={30}
          aria-label="Next page"
          disabled={number >= pages}
          onClick={() => onPage(number + 1)}
        >
          <IconChevronRight size={16} aria-hidden />
        </ActionIcon>
      </span>
    </nav>
  );
}
