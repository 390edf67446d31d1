/** Shows the earlier conversations that the conditions in the form match. */
import { Button } from '@mantine/core';
import { conversationBucket } from '@parley/contract/inbox/inbox.ts';
import {
  type RuleConditions,
  type RuleTest,
  TEST_CONVERSATIONS,
  TEST_DAYS,
  TEST_ROWS,
  testRule,
} from '@parley/contract/inbox/rules.ts';
import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { BUCKET_PATHS, conversationPath, linkToAddress } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import styles from '../Settings.module.css';
import rules from './Rules.module.css';

export function TestRun({ conditions }: { conditions: RuleConditions }) {
  const [tested, setTested] = useState<{ conditions: RuleConditions; result: RuleTest } | null>(null);
  const action = useAction(testRule);
  const run = () =>
    action.mutate({ body: { conditions } }, { onSuccess: ({ data }) => setTested({ conditions, result: data }) });
  // A result of other conditions would mislead.
  const result = tested?.conditions === conditions ? tested.result : null;
  return (
    <section className={styles.form} aria-label="Test run">
      <div className={rules.head}>
        <p className={styles.hint}>
          {result
            ? resultText(result)
            : `See which conversations of the last ${TEST_DAYS} days match. Nothing changes.`}
        </p>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconHistory size={14} aria-hidden />}
          loading={action.isPending}
          onClick={run}
        >
          Test run
        </Button>
      </div>
      {result && result.rows.length > 0 && <Matches rows={result.rows} />}
    </section>
  );
}

function resultText({ matched, conversations, rows }: RuleTest): string {
  const latest = conversations === TEST_CONVERSATIONS ? 'the latest ' : '';
  const text = `Would have matched ${formatNumber(matched)} of ${latest}${formatCount(conversations, 'conversation')}.`;
  return rows.length < matched && rows.length > 0
    ? `${text} The latest ${rows.length < TEST_ROWS ? `${rows.length} that you can view` : rows.length}:`
    : text;
}

function Matches({ rows }: { rows: RuleTest['rows'] }) {
  const { user } = useSession();
  return (
    <ul className={rules.matches}>
      {rows.map(({ conversation_id, assignee_id, number, text, date }) => (
        <li key={conversation_id} className={rules.match}>
          <Link
            {...linkToAddress(
              conversationPath(BUCKET_PATHS[conversationBucket(assignee_id, user.id)], conversation_id),
            )}
            target="_blank"
          >
            <PhoneNumber value={number} />
          </Link>
          <span className={rules.matchText} dir="auto">
            {text}
          </span>
          <DateTime value={date} />
        </li>
      ))}
    </ul>
  );
}
