/**
 * Renders the Markdown of the guides: headings, paragraphs, lists, tables, and code blocks, and within a line code,
 * emphasis, and links. Other Markdown is shown as text.
 */
import type { ReactNode } from 'react';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import styles from './Docs.module.css';

export interface Block {
  /** Its position in the text. */
  id: number;
  /** The heading above it. */
  title: string;
  kind: 'heading' | 'text' | 'list' | 'ordered' | 'table' | 'code';
  lines: string[];
}

const BLOCK = /^```\w*\n[\s\S]*?^```$|^(?:(?!```).+\n?)+/gm;

export function readBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  let title = '';
  for (const { 0: part, index: id } of text.matchAll(BLOCK)) {
    const block = readBlock(part.trimEnd().split('\n'));
    if (block.kind === 'heading') title = block.lines[0] ?? '';
    blocks.push({ ...block, id, title });
  }
  return blocks;
}

function readBlock(lines: string[]): Pick<Block, 'kind' | 'lines'> {
  const first = lines[0] ?? '';
  if (first.startsWith('```')) return { kind: 'code', lines: lines.slice(1, -1) };
  if (first.startsWith('#')) return { kind: 'heading', lines: [first.replace(/^#+ /, '')] };
  if (first.startsWith('|')) return { kind: 'table', lines: lines.filter((line) => !/^\|[-|]+$/.test(line)) };
  if (/^(- |\d+\. )/.test(first)) return { kind: first.startsWith('- ') ? 'list' : 'ordered', lines: joinItems(lines) };
  return { kind: 'text', lines: [lines.join(' ')] };
}

/** Adds the further lines of an item to its first line. */
const joinItems = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .replace(/\n(?!- |\d+\. )\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^(- |\d+\. )/, ''));

/** The heading of the page is not part of the text. */
export function Markdown({ text }: { text: string }) {
  return readBlocks(text)
    .slice(1)
    .map((block) => <BlockView key={block.id} block={block} />);
}

function BlockView({ block: { kind, lines, title: label } }: { block: Block }) {
  if (kind === 'code') return <CodeBlock code={lines.join('\n')} label={`Code: ${label}`} />;
  if (kind === 'heading') return <h3 className={styles.guideTitle}>{inline(lines[0]!)}</h3>;
  if (kind === 'table') return <Table lines={lines} label={label} />;
  const items = lines.map((line) => <li key={line}>{inline(line)}</li>);
  if (kind === 'list') return <ul className={styles.guideList}>{items}</ul>;
  if (kind === 'ordered') return <ol className={styles.guideList}>{items}</ol>;
  return <p>{inline(lines[0]!)}</p>;
}

const cells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function Table({ lines: [head = '', ...rows], label }: { lines: readonly string[]; label: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.tableBox} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {cells(head).map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {cells(row).map((cell) => (
                <td key={cell}>{inline(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const INLINE = /`([^`]+)`|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g;

export function inline(text: string): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, emphasis, label, href] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(<code key={match.index}>{code}</code>);
    else if (emphasis !== undefined) parts.push(<em key={match.index}>{emphasis}</em>);
    else
      parts.push(
        <a key={match.index} href={href}>
          {label}
        </a>,
      );
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
