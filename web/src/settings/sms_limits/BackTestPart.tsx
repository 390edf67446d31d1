/** Runs the rule in the form over the messages of the last 90 days and shows what it would have blocked. */
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { type BackTest, backTestLimit } from '@parley/contract/guard/back_tests.ts';
import { MESSAGE_STATUS } from '@parley/contract/messages/statuses.ts';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatMoney, formatNumber } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { type LimitValues, limitBody } from './limit_values.ts';
import styles from './SmsLimits.module.css';

export function BackTestPart({ form }: { form: UseFormReturnType<LimitValues> }) {
  const [result, setResult] = useState<BackTest | null>(null);
  const action = useAction(backTestLimit, { onSuccess: ({ data }) => setResult(data) });
  const run = () => {
    if (form.validate().hasErrors) return;
    const { enabled: _, warn_at: __, sub_accounts: ___, ...body } = limitBody(form.getValues());
    action.mutate({ body });
  };
  return (
    <section className={styles.backTest} aria-label="Back-test">
      <div className={styles.backTestHead}>
        <div>
          <h2 className={styles.title}>Back-test</h2>
          <p className={styles.hint}>
            See which messages from the last 90 days this limit would have blocked. Nothing is saved.
          </p>
        </div>
        <Button
          variant="default"
          leftSection={<IconHistory size={16} aria-hidden />}
          loading={action.isPending}
          onClick={run}
        >
          Run back-test
        </Button>
      </div>
      {result && <Result result={result} />}
    </section>
  );
}

export function backTestText({
  blocked,
  blocked_micros,
  currency,
  delivered,
  answered,
  messages,
  days,
}: BackTest): string {
  if (blocked === 0)
    return `This limit would have blocked none of your ${formatCount(messages, 'message')} from the last ${days} days.`;
  const cost = blocked_micros === null ? '' : ` worth ${formatMoney(blocked_micros, currency)}`;
  return (
    `This limit would have blocked ${formatCount(blocked, 'message')}${cost}. ` +
    `${formatNumber(delivered)} of them ${delivered === 1 ? 'was' : 'were'} delivered, and ` +
    `${formatNumber(answered)} received a reply.`
  );
}

function Result({ result }: { result: BackTest }) {
  return (
    <>
      <Notice tone={result.blocked === 0 ? 'ok' : 'wait'}>{backTestText(result)}</Notice>
      {result.blocked > 0 && (
        <p className={styles.hint}>
          {`Checked ${formatCount(result.messages, 'message')}. The limit would have been reached in ` +
            `${formatCount(result.intervals_total, 'interval')}.`}
        </p>
      )}
      {result.examples && result.examples.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.examples} aria-label="Blocked messages" tabIndex={0}>
          <table>
            <caption>Newest messages that would have been blocked</caption>
            <thead>
              <tr>
                <th scope="col">To</th>
                <th scope="col" className={styles.sent}>
                  Sent
                </th>
                <th scope="col">Status</th>
                <th scope="col">Replied</th>
              </tr>
            </thead>
            <tbody>
              {result.examples.map((example) => (
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
      )}
    </>
  );
}
