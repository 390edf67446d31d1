/**
 * The summary above a form after a failed submit. It links to the invalid fields and leaves the errors to them, so that
 * no error is shown twice. A fixed field stays in the list until the next submit, so that the form does not move while
 * the user types.
 */
import { VisuallyHidden } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useEffect, useRef } from 'react';
import styles from './ErrorSummary.module.css';
import { type FieldIssue, focusField } from './form_errors.ts';

interface ErrorSummaryProps {
  issues: readonly FieldIssue[];
  /** True once the field has no error. */
  isFixed?: (name: string) => boolean;
}

export function ErrorSummary({ issues, isFixed = () => false }: ErrorSummaryProps) {
  const root = useRef<HTMLElement>(null);
  // The submit has focused the first invalid field. The summary comes into view, too, if there is room for both.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each failed submit
  useEffect(() => {
    const top = root.current?.getBoundingClientRect().top;
    const bottom = document.activeElement?.getBoundingClientRect().bottom;
    if (top !== undefined && bottom !== undefined && bottom - top < window.innerHeight / 2)
      root.current?.scrollIntoView?.({ block: 'nearest' });
  }, [issues]);
  // The error of a field that is not shown disappears with its cause; links stay.
  const listed = issues.filter(({ name, isShown }) => isShown || !isFixed(name));
  if (listed.length === 0) return null;
  const open = listed.filter(({ name }) => !isFixed(name)).length;
  return (
    <section ref={root} className={styles.root} aria-label="Errors in this form" data-fixed={open === 0 || undefined}>
      {open === 0 ? <IconCheck size={16} aria-hidden /> : <IconAlertTriangle size={16} aria-hidden />}
      <div>
        <p className={styles.title}>{title(open)}</p>
        <ul className={styles.list}>
          {listed.map((issue) => (
            <Issue key={issue.name} issue={issue} fixed={isFixed(issue.name)} />
          ))}
        </ul>
      </div>
    </section>
  );
}

const title = (open: number): string =>
  open === 0 ? 'All errors are fixed' : open === 1 ? '1 field needs attention' : `${open} fields need attention`;

function Issue({ issue, fixed }: { issue: FieldIssue; fixed: boolean }) {
  if (!issue.isShown) return <li className={styles.text}>{issue.text}</li>;
  return (
    <li>
      <a
        href={`#${issue.id}`}
        className={styles.link}
        data-fixed={fixed || undefined}
        onClick={(event) => {
          // The address does not change: a page's fragment may have another meaning.
          event.preventDefault();
          focusField(issue.name);
        }}
      >
        {issue.label}
        {fixed && <VisuallyHidden>, fixed</VisuallyHidden>}
      </a>
    </li>
  );
}
