/** A text with the places that a rule has matched. */
import type { ContentMatch } from '@parley/contract/guard/content_rules.ts';
import { Fragment } from 'react';
import styles from './Reviews.module.css';

export function MarkedText({ text, matches }: { text: string; matches: readonly ContentMatch[] }) {
  const spans = matches
    .flatMap(({ start, end }) => (start === null || end === null ? [] : [{ start, end }]))
    .sort((a, b) => a.start - b.start);
  let at = 0;
  return (
    <div className={styles.text} dir="auto">
      {spans.map(({ start, end }) => {
        const before = text.slice(at, Math.max(at, start));
        const marked = text.slice(Math.max(at, start), end);
        at = Math.max(at, end);
        return (
          <Fragment key={`${start} ${end}`}>
            {before}
            {marked && <mark className={styles.mark}>{marked}</mark>}
          </Fragment>
        );
      })}
      {text.slice(at)}
    </div>
  );
}
