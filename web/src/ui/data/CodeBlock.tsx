/** A block of code with a copy button. Strings, comments, and keywords have their own colors. */
import { ActionIcon } from '@mantine/core';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import styles from './CodeBlock.module.css';
import { copyText } from './CopyId.tsx';

const COPIED_MS = 1_600;
/** Strings, comments, keywords, and numbers of shells, JavaScript, Python, PHP, and JSON. */
const TOKENS = new RegExp(
  [
    /("(?:[^"\\\n]|\\.)*"|'(?:[^'\\]|\\.)*')/,
    /((?<=^|\s)(?:#|\/\/)[^\n]*)/,
    /\b(await|async|const|if|import|from|new|throw|print|curl|True|False|None|true|false|null)\b/,
    /(?<![\w.-])(\d+(?:\.\d+)?)\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gm',
);
const KINDS = ['string', 'comment', 'keyword', 'number'] as const;

interface CodeBlockProps {
  code: string;
  /** The description of the code, for its accessible name. */
  label: string;
}

export function CodeBlock({ code, label }: CodeBlockProps) {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  return (
    <div className={styles.root}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard */}
      <section className={styles.code} aria-label={label} tabIndex={0}>
        <pre>{highlight(code)}</pre>
      </section>
      <ActionIcon
        className={styles.copy}
        aria-label={copied ? `${label} copied` : `Copy ${label}`}
        onClick={() => void copyText(code).then(setCopied)}
      >
        {copied ? <IconCheck size={15} aria-hidden /> : <IconCopy size={15} aria-hidden />}
      </ActionIcon>
    </div>
  );
}

function highlight(code: string) {
  const parts = [];
  let end = 0;
  for (const match of code.matchAll(TOKENS)) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)];
    parts.push(code.slice(end, match.index));
    parts.push(
      <span key={match.index} className={kind && styles[kind]}>
        {match[0]}
      </span>,
    );
    end = match.index + match[0].length;
  }
  return [...parts, code.slice(end)];
}
