/** Runs the rule in the form over recent messages of all accounts and shows what it would have matched. */
import { Button } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { backTestContentRule, CONTENT_TEST_DAYS, type ContentBackTest } from '@parley/contract/guard/content_rules.ts';
import { IconHistory } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { MarkedText } from './MarkedText.tsx';
import styles from './Reviews.module.css';
import { type RuleValues, ruleBody } from './rule_values.ts';

export function RuleBackTest({ form }: { form: UseFormReturnType<RuleValues> }) {
  const [result, setResult] = useState<ContentBackTest | null>(null);
  const action = useAction(backTestContentRule, { onSuccess: ({ data }) => setResult(data) });
  const run = () => {
    const { enabled: _, name: __, ...body } = ruleBody(form.getValues());
    action.mutate({ body });
  };
  return (
    <section className={styles.backTest} aria-label="Back-test">
      <div>
        <h3 className={styles.heading}>Back-test</h3>
        <p className={styles.hint}>
          {`See what this rule would have matched in the messages of the last ${CONTENT_TEST_DAYS} days. ` +
            'Nothing is saved.'}
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
      {result && <Result result={result} />}
    </section>
  );
}

export function backTestText({ matched, matched_accounts, messages, accounts, is_sample }: ContentBackTest): string {
  const tested = `${formatCount(messages, 'message')} of ${formatCount(accounts, 'account')}`;
  const result =
    matched === 0
      ? `This rule would have matched none of ${tested}.`
      : `This rule would have matched ${formatCount(matched, 'message')} of ` +
        `${formatCount(matched_accounts, 'account')}, among ${tested}.`;
  return is_sample ? `${result} This is a sample of the newest messages.` : result;
}

const Result = ({ result }: { result: ContentBackTest }) => (
  <>
    <Notice tone={result.matched === 0 ? 'ok' : 'wait'}>{backTestText(result)}</Notice>
    {result.examples && result.examples.length > 0 && (
      <ul className={styles.examples} aria-label="Newest matches">
        {result.examples.map(({ message_id, company_name, country, create_date, text, matches }) => (
          <li key={message_id}>
            <div className={styles.about}>
              <span>{company_name}</span>
              <span>{countryName(country)}</span>
              <DateTime value={create_date} />
            </div>
            <MarkedText text={text} matches={matches} />
          </li>
        ))}
      </ul>
    )}
  </>
);
