import { ActionIcon, Button, Tooltip } from '@mantine/core';
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { IconCheck, IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';
import type { NextStep } from './next_steps.ts';

/** Suggested steps; renders nothing once all are done or dismissed. */
export function NextSteps({ steps }: { steps: readonly NextStep[] }) {
  const { account } = useSession();
  const update = useAction(updatePreference);
  const canDismiss = useReason(updatePreference) === null;
  if (!steps.some(({ done }) => !done)) return null;
  const dismiss = (key: string) =>
    update.mutate({ body: { steps_closed: [...(account.preference.steps_closed ?? []), key] } });
  const doneCount = steps.filter((step) => step.done).length;
  return (
    <Card title="Next steps" note={`${doneCount} of ${steps.length} done`}>
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
                {canDismiss && (
                  <Tooltip label="Dismiss">
                    <ActionIcon
                      aria-label={`Dismiss: ${step.title}`}
                      disabled={update.isPending}
                      onClick={() => dismiss(step.key)}
                    >
                      <IconX size={15} aria-hidden />
                    </ActionIcon>
                  </Tooltip>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
