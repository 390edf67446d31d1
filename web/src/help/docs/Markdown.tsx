/**
 * Renders the Markdown of the guides and of the manual: headings, paragraphs, lists, tables, and code blocks, and
 * within a line code, bold text, emphasis, and links. Other Markdown is shown as text.
 */
import { createContext, Fragment, type ReactNode, use } from 'react';
import { CodeBlock } from '../../ui/data/CodeBlock.tsx';
import styles from './Docs.module.css';

export interface Block {
  /** Its position in the text. */
  id: number;
  /** The heading above it. */
  title: string;
  kind: 'heading' | 'text' | 'list' | 'ordered' | 'table' | 'code';
  /** The level of a heading: 2 for `## Example`. */
  level: number;
  lines: string[];
}

/** How a document shows the parts that differ between documents. */
export interface MarkdownParts {
  link: (label: ReactNode, href: string) => ReactNode;
  heading: (title: string, level: number) => ReactNode;
}
const PLAIN: MarkdownParts = {
  link: (label, href) => <a href={href}>{label}</a>,
  heading: (title) => <h3 className={styles.guideTitle}>{inline(title, PLAIN.link)}</h3>,
};
const Parts = createContext(PLAIN);

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

function readBlock(lines: string[]): Pick<Block, 'kind' | 'level' | 'lines'> {
  const first = lines[0] ?? '';
  const level = /^#*/.exec(first)![0].length;
  if (first.startsWith('```')) return { kind: 'code', level, lines: lines.slice(1, -1) };
  if (level > 0) return { kind: 'heading', level, lines: [first.replace(/^#+ /, '')] };
  if (first.startsWith('|')) return { kind: 'table', level, lines: lines.filter((line) => !/^\|[-|]+$/.test(line)) };
  if (!/^(- |\d+\. )/.test(first)) return { kind: 'text', level, lines: [lines.join(' ')] };
  return { kind: first.startsWith('- ') ? 'list' : 'ordered', level, lines: joinItems(lines) };
}

/** Adds the other lines of an item to its first line. */
const joinItems = (lines: readonly string[]): string[] =>
  lines
    .join('\n')
    .replace(/\n(?!- |\d+\. )\s*/g, ' ')
    .split('\n')
    .map((line) => line.replace(/^(- |\d+\. )/, ''));

/** The heading of the page is not part of the text. */
export function Markdown({ text, parts = PLAIN }: { text: string; parts?: MarkdownParts }) {
  return (
    <Parts value={parts}>
      {readBlocks(text)
        .slice(1)
        .map((block) => (
          <BlockView key={block.id} block={block} />
        ))}
    </Parts>
  );
}

function BlockView({ block: { kind, level, lines, title: label } }: { block: Block }) {
  const { link, heading } = use(Parts);
  if (kind === 'code') return <CodeBlock code={lines.join('\n')} label={`Code: ${label}`} />;
  if (kind === 'heading') return heading(lines[0]!, level);
  if (kind === 'table') return <Table lines={lines} label={label} />;
  const items = lines.map((line) => <li key={line}>{inline(line, link)}</li>);
  if (kind === 'list') return <ul className={styles.guideList}>{items}</ul>;
  if (kind === 'ordered') return <ol className={styles.guideList}>{items}</ol>;
  return <p>{inline(lines[0]!, link)}</p>;
}

const cells = (line: string): string[] =>
  line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim());

function Table({ lines: [head = '', ...rows], label }: { lines: readonly string[]; label: string }) {
  const { link } = use(Parts);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section className={styles.tableBox} aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr>
            {cells(head).map((cell) => (
              <th key={cell} scope="col">
                {inline(cell, link)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row}>
              {cells(row).map((cell) => (
                <td key={cell}>{inline(cell, link)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const INLINE = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\(([^)]+)\)/g;

export function inline(text: string, link = PLAIN.link): ReactNode[] {
  const parts: ReactNode[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, bold, emphasis, label = '', href = ''] = match;
    parts.push(text.slice(end, match.index));
    if (code !== undefined) parts.push(<code key={match.index}>{code}</code>);
    else if (bold !== undefined) parts.push(<strong key={match.index}>{bold}</strong>);
    else if (emphasis !== undefined) parts.push(<em key={match.index}>{emphasis}</em>);
    else parts.push(<Fragment key={match.index}>{link(inline(label, link), href)}</Fragment>);
    end = match.index + whole.length;
  }
  return [...parts, text.slice(end)];
}
