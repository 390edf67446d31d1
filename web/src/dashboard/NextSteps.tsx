import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { IconCheck, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';
import type { NextStep } from './next_steps.ts';

/** Gone once everything is done or put aside. */
export function NextSteps({ steps }: { steps: readonly NextStep[] }) {
  const { account } = useSession();
  const keep = useAction(updatePreference);
  if (!steps.some(({ done }) => !done)) return null;
  const putAside = (key: string) =>
    keep.mutate({ body: { steps_closed: [...(account.preference.steps_closed ?? []), key] } });
  const done = steps.filter((step) => step.done);
  return (
    <Card title="Next steps" note={`${done.length} of ${steps.length} done`}>
      <ul className={styles.rows}>
        {steps.map((step) => (
          <li key={step.key} className={styles.next} data-done={step.done || undefined}>
            <span className={styles.mark} aria-hidden>
              {step.done && <IconCheck size={13} stroke={2.4} />}
            </span>
            <div className={styles.words}>
              <p className={styles.name}>
                {step.title}
                {step.done && <span className={styles.doneWord}> Done</span>}
              </p>
              {!step.done && <p className={styles.dim}>{step.text}</p>}
            </div>
            {!step.done && (
              <>
                <Button component={Link} to={step.href} variant="default" size="xs">
                  {step.action}
                </Button>
                <Tooltip label="Put aside">
                  <ActionIcon
                    aria-label={`Put aside: ${step.title}`}
                    disabled={keep.isPending}
                    onClick={() => putAside(step.key)}
                  >
                    <IconX size={15} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
