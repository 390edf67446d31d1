/** Runs a rule over the messages of the last 90 days and shows the messages that it would have blocked. */
import { Button } from '@mantine/core';
import { BACK_TEST_DAYS, type Outcome } from '@parley/contract/guard/back_tests.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { IconHistory } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatMoney, formatNumber } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import styles from './BackTest.module.css';

/** The words for the blocked traffic and for people's responses to it. */
export interface BackTestWords {
  readonly noun: 'message' | 'code';
  /** After a number, such as "3 received a reply". */
  readonly answered: (count: number) => string;
  readonly column: string;
}
const MESSAGE_WORDS: BackTestWords = { noun: 'message', answered: () => 'received a reply', column: 'Replied' };
export const CODE_WORDS: BackTestWords = {
  noun: 'code',
  answered: (count) => (count === 1 ? 'was entered' : 'were entered'),
  column: 'Entered',
};

interface BackTestProps<T extends Outcome> {
  /** The rule in a sentence, such as "this limit". */
  rule: string;
  /** Null: not run yet, or the rule has changed since. */
  result: T | null;
  isRunning: boolean;
  onRun: () => void;
  words?: BackTestWords;
  /** The parts of the rule that block most. */
  children?: (result: T) => ReactNode;
}

export function BackTestSection<T extends Outcome>(props: BackTestProps<T>) {
  const { rule, result, isRunning, onRun, words = MESSAGE_WORDS, children } = props;
  const button = useRef<HTMLButtonElement>(null);
  // A disabled button loses the focus.
  useEffect(() => {
    if (result && document.activeElement === document.body) button.current?.focus({ preventScroll: true });
  }, [result]);
  return (
    <section className={styles.backTest} aria-label="Back-test">
      <div className={styles.backTestHead}>
        <div>
          <h2 className={styles.title}>Back-test</h2>
          <p className={styles.hint}>
            {`See which ${words.noun}s from the last ${BACK_TEST_DAYS} days ${rule} would have blocked. `}
            Nothing is saved.
          </p>
        </div>
        <Button
          ref={button}
          variant="default"
          leftSection={<IconHistory size={16} aria-hidden />}
          loading={isRunning}
          onClick={onRun}
        >
          Run back-test
        </Button>
      </div>
      {result && (
        <>
          <Notice tone={result.blocked === 0 ? 'ok' : 'wait'}>{backTestText(result, rule, words)}</Notice>
          {children?.(result)}
          {result.examples && result.examples.length > 0 && <Examples examples={result.examples} words={words} />}
        </>
      )}
    </section>
  );
}

export function backTestText(
  { blocked, blocked_micros, currency, delivered, answered, messages, days }: Outcome,
  rule: string,
  { noun, answered: describeAnswered }: BackTestWords = MESSAGE_WORDS,
): string {
  if (messages === 0) return `There were no ${noun}s to test in the last ${days} days.`;
  const subject = rule[0]!.toUpperCase() + rule.slice(1);
  if (blocked === 0)
    return `${subject} would have blocked none of your ${formatCount(messages, noun)} from the last ${days} days.`;
  const cost = blocked_micros === null ? '' : ` worth ${formatMoney(blocked_micros, currency)}`;
  return (
    `${subject} would have blocked ${formatCount(blocked, noun)}${cost}. ` +
    `${formatNumber(delivered)} of them ${delivered === 1 ? 'was' : 'were'} delivered, and ` +
    `${formatNumber(answered)} ${describeAnswered(answered)}.`
  );
}

const Examples = ({ examples, words }: { examples: NonNullable<Outcome['examples']>; words: BackTestWords }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
  <section className={styles.examples} aria-label={`Blocked ${words.noun}s`} tabIndex={0}>
    <table>
      <caption>Newest {words.noun}s that would have been blocked</caption>
      <thead>
        <tr>
          <th scope="col">To</th>
          <th scope="col" className={styles.sent}>
            Sent
          </th>
          <th scope="col">Status</th>
          <th scope="col">{words.column}</th>
        </tr>
      </thead>
      <tbody>
        {examples.map((example) => (
          <tr key={example.id}>
            <td>
              <PhoneNumber value={example.to} />
            </td>
            <td className={styles.sent}>
              <DateTime value={example.create_date} />
            </td>
            <td>
              <StatusBadge {...MESSAGE_STATUS[example.status as keyof typeof MESSAGE_STATUS]} />
            </td>
            <td>{example.answered ? 'Yes' : 'No'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);

/** A line about the result. */
export const BackTestHint = ({ children }: { children: ReactNode }) => <p className={styles.hint}>{children}</p>;
