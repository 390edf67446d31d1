import { formatCount } from '../ui/data/format.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Admin.module.css';

interface FileProblemsProps {
  /** The number of invalid lines. */
  invalid: number;
  /** The first of them. */
  problems: readonly { line: number; text: string }[];
}

/** The invalid lines of a file. Shows nothing if there are none. */
export function FileProblems({ invalid, problems }: FileProblemsProps) {
  if (invalid === 0) return null;
  return (
    <>
      <Notice tone="fail">
        {formatCount(invalid, 'invalid line')}. Correct the file, then choose it again. Nothing was changed.
      </Notice>
      <ul className={styles.problems}>
        {problems.map(({ line, text }) => (
          <li key={line}>
            Line {line}: {text}
          </li>
        ))}
        {invalid > problems.length && <li>and {formatCount(invalid - problems.length, 'more line')}</li>}
      </ul>
    </>
  );
}
