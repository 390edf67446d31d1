/** Draws a chart as SVG: bars beside or on top of each other, or lines. A pointer shows the figures of one row. */
import { useNavigate } from '@tanstack/react-router';
import {
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { splitAddress } from '../../layout/split_address.ts';
import styles from './ChartCanvas.module.css';
import type { ChartProps } from './chart_props.ts';
import type { ChartRow } from './csv.ts';
import { axisTicks, placeLabels } from './scale.ts';

type CanvasProps = Omit<ChartProps, 'rows'> & {
  rows: readonly ChartRow[];
  format: (value: number) => string;
  height: number;
};

const AXIS_HEIGHT = 24;
const TOP = 8;
const MAX_BAR = 28;
const LETTER = 7;
const MAX_DOTS = 31;

/** The position of each row and each value on the canvas. */
interface Plot {
  left: number;
  width: number;
  band: number;
  bottom: number;
  ticks: readonly number[];
  toY: (value: number) => number;
}

export function ChartCanvas(props: CanvasProps) {
  const { title, kind, rows, x, series, stacked = false, format, height } = props;
  const root = useRef<HTMLDivElement>(null);
  const width = useWidth(root);
  const [pointed, setPointed] = useState<number | null>(null);
  const plot = layOut(props, width);
  const point = ({ clientX, currentTarget }: PointerEvent) => {
    const index = Math.floor((clientX - currentTarget.getBoundingClientRect().left - plot.left) / plot.band);
    setPointed(index >= 0 && index < rows.length ? index : null);
  };
  const row = pointed === null ? undefined : rows[pointed];
  return (
    <div ref={root} className={styles.root} style={{ height }}>
      {width > 0 && (
        <svg
          role="img"
          aria-label={`${title}, as a chart. Select Table for the figures.`}
          width={width}
          height={height}
          onPointerMove={point}
          onPointerLeave={() => setPointed(null)}
        >
          <Axes plot={plot} rows={rows} x={x.key} format={format} />
          {pointed !== null && (
            <rect
              className={styles.pointed}
              x={plot.left + pointed * plot.band}
              y={TOP}
              width={plot.band}
              height={plot.bottom - TOP}
            />
          )}
          {kind === 'line' ? (
            <Lines plot={plot} rows={rows} series={series} />
          ) : (
            <Linked isLinked={props.href !== undefined}>
              <Bars plot={plot} rows={rows} series={series} stacked={stacked} href={props.href} />
            </Linked>
          )}
        </svg>
      )}
      {row && pointed !== null && (
        <Figures row={row} x={x} series={series} format={format} plot={plot} index={pointed} count={rows.length} />
      )}
    </div>
  );
}

function useWidth(root: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return;
    setWidth(element.clientWidth);
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, [root]);
  return width;
}

const readValue = (row: ChartRow, key: string): number => Number(row[key] ?? 0);

function layOut({ rows, series, stacked, format, height }: CanvasProps, width: number): Plot {
  const peaks = rows.map((row) => {
    const values = series.map(({ key }) => readValue(row, key));
    return stacked ? values.reduce((sum, value) => sum + value, 0) : Math.max(...values);
  });
  const ticks = axisTicks(Math.max(0, ...peaks));
  const max = ticks.at(-1) ?? 1;
  const left = Math.max(...ticks.map((tick) => format(tick).length)) * LETTER + 12;
  const bottom = height - AXIS_HEIGHT;
  const plotWidth = Math.max(0, width - left);
  return {
    left,
    width: plotWidth,
    band: plotWidth / Math.max(rows.length, 1),
    bottom,
    ticks,
    toY: (value) => bottom - (value / max) * (bottom - TOP),
  };
}

interface AxesProps {
  plot: Plot;
  rows: readonly ChartRow[];
  x: string;
  format: (value: number) => string;
}

function Axes({ plot, rows, x, format }: AxesProps) {
  const widest = Math.max(0, ...rows.map((row) => String(row[x] ?? '').length)) * LETTER + 16;
  return (
    <g className={styles.axis}>
      {plot.ticks.map((tick) => (
        <g key={tick}>
          <line x1={plot.left} x2={plot.left + plot.width} y1={plot.toY(tick)} y2={plot.toY(tick)} />
          <text x={plot.left - 8} y={plot.toY(tick)} dominantBaseline="middle" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {placeLabels(rows.length, plot, widest).map(({ index, x: center }) => (
        <text key={index} x={center} y={plot.bottom + 17} textAnchor="middle">
          {rows[index]![x]}
        </text>
      ))}
    </g>
  );
}

interface MarksProps {
  plot: Plot;
  rows: readonly ChartRow[];
  series: ChartProps['series'];
}

const Linked = ({ isLinked, children }: { isLinked: boolean; children: ReactNode }) =>
  isLinked ? <LinkedBars>{children}</LinkedBars> : children;

/** Opens the list of the bar that was clicked. */
function LinkedBars({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const open = ({ target }: MouseEvent) => {
    const address = (target as Element).getAttribute('data-href');
    if (address !== null) void navigate(splitAddress(address));
  };
  // biome-ignore lint/a11y/noStaticElementInteractions: the table of the chart has the same links
  return <g onClick={open}>{children}</g>;
}

/** A click on a bar opens its list. The table of the chart has the same links for the keyboard. */
function Bars({ plot, rows, series, stacked, href }: MarksProps & Pick<ChartProps, 'href'> & { stacked: boolean }) {
  const across = stacked ? 1 : series.length;
  const width = Math.min(MAX_BAR, (plot.band * 0.72) / across);
  return rows.map((row, index) => {
    const start = plot.left + (index + 0.5) * plot.band - (width * across) / 2;
    let below = 0;
    return series.map(({ key, color }, order) => {
      const value = readValue(row, key);
      const base = stacked ? below : 0;
      below += value;
      const top = plot.toY(base + value);
      return (
        value > 0 && (
          <rect
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its position on the axis
            key={`${index} ${key}`}
            x={start + (stacked ? 0 : order * width)}
            y={top}
            width={width}
            height={Math.max(1, plot.toY(base) - top)}
            rx={1}
            style={{ fill: color }}
            {...(href?.(row, key) ? { 'data-href': href(row, key) } : {})}
          />
        )
      );
    });
  });
}

function Lines({ plot, rows, series }: MarksProps) {
  return series.map(({ key, color }) => {
    const points = rows.map((row, index) => ({
      x: plot.left + (index + 0.5) * plot.band,
      y: plot.toY(readValue(row, key)),
    }));
    return (
      <g key={key} style={{ color }}>
        <polyline className={styles.line} points={points.map((point) => `${point.x},${point.y}`).join(' ')} />
        {points.length <= MAX_DOTS &&
          points.map((point) => <circle key={point.x} cx={point.x} cy={point.y} r={3} fill="currentColor" />)}
      </g>
    );
  });
}

interface FiguresProps {
  row: ChartRow;
  x: ChartProps['x'];
  series: ChartProps['series'];
  format: (value: number) => string;
  plot: Plot;
  index: number;
  count: number;
}

/** The figures of one row, on the side of the pointer that has more room. */
function Figures({ row, x, series, format, plot, index, count }: FiguresProps) {
  const isLeft = index < count / 2;
  const edge = plot.left + (isLeft ? index + 1 : index) * plot.band;
  const total = series.reduce((sum, { key }) => sum + readValue(row, key), 0);
  return (
    <div
      className={styles.figures}
      style={isLeft ? { left: edge + 6 } : { left: edge - 6, transform: 'translateX(-100%)' }}
      aria-hidden
    >
      <b>{row[x.key]}</b>
      <dl>
        {series.map(({ key, label, color }) => (
          <div key={key}>
            <dt>
              <span className={styles.swatch} style={{ background: color }} />
              {label}
            </dt>
            <dd>{format(readValue(row, key))}</dd>
          </div>
        ))}
        {series.length > 1 && (
          <div className={styles.total}>
            <dt>Total</dt>
            <dd>{format(total)}</dd>
          </div>
        )}
      </dl>
    </div>
  );
}
