import type { UseFormReturnType } from '@mantine/form';
import { type BackTest, backTestLimit } from '@parley/contract/guard/back_tests.ts';
import { useState } from 'react';
import { BackTestHint, BackTestSection } from '../../guard/back_test/BackTestSection.tsx';
import { useAction } from '../../kernel/http/query.ts';
import { formatCount } from '../../ui/data/format.ts';
import { type LimitValues, limitBody } from './limit_values.ts';

interface BackTestPartProps {
  form: UseFormReturnType<LimitValues>;
  validate: () => boolean;
}

/** Tests the limit in the form. */
export function BackTestPart({ form, validate }: BackTestPartProps) {
  const [result, setResult] = useState<BackTest | null>(null);
  const action = useAction(backTestLimit, { onSuccess: ({ data }) => setResult(data) });
  const run = () => {
    if (!validate()) return;
    const { enabled: _, warn_at: __, sub_accounts: ___, ...body } = limitBody(form.getValues());
    action.mutate({ body });
  };
  return (
    <BackTestSection rule="this limit" result={result} isRunning={action.isPending} onRun={run}>
      {({ blocked, messages, intervals_total }) =>
        blocked > 0 && (
          <BackTestHint>
            {`Checked ${formatCount(messages, 'message')}. The limit would have been reached in ` +
              `${formatCount(intervals_total, 'interval')}.`}
          </BackTestHint>
        )
      }
    </BackTestSection>
  );
}
