import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type ReactNode, type RefObject, useImperativeHandle } from 'react';
import type { Measure } from './Rows.tsx';

interface VirtualRowsProps {
  body: RefObject<HTMLTableSectionElement | null>;
  count: number;
  /** The height of a row before it is measured. */
  estimate: number;
  scroller: HTMLDivElement | null;
  span: number;
  /** Gets the function that scrolls to a row. */
  scrollTo: RefObject<((index: number) => void) | undefined>;
  onKeyDown: (event: KeyboardEvent) => void;
  draw: (index: number, measure: Measure) => ReactNode;
}

/** The table body of a long list: renders only the visible rows. A default export, because it is loaded lazily. */
export default function VirtualRows(props: VirtualRowsProps) {
  const { body, count, estimate, scroller, span, scrollTo, onKeyDown, draw } = props;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller,
    estimateSize: () => estimate,
    overscan: 12,
  });
  useImperativeHandle(scrollTo, () => virtual.scrollToIndex, [virtual]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <tbody ref={body} onKeyDown={onKeyDown}>
      <Spacer height={before} span={span} />
      {items.map(({ index }) => draw(index, virtual.measureElement))}
      <Spacer height={after} span={span} />
    </tbody>
  );
}

function Spacer({ height, span }: { height: number; span: number }) {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={span} style={{ height, padding: 0, border: 0 }} />
    </tr>
  );
}
