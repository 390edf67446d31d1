import { ActionIcon, Button } from '@mantine/core';
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { IconX } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useAction } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { Tooltip } from '../ui/feedback/Tooltip.tsx';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';
import type { NextStep } from './next_steps.ts';

/** The onboarding list: the steps that are still open. Renders nothing once all are done or dismissed. */
export function NextSteps({ steps }: { steps: readonly NextStep[] }) {
  const { account } = useSession();
  const update = useAction(updatePreference);
  const canDismiss = useReason(updatePreference) === null;
  const open = steps.filter(({ done }) => !done);
  if (open.length === 0) return null;
  const dismiss = (keys: readonly string[]) =>
    update.mutate({ body: { steps_closed: [...(account.preference.steps_closed ?? []), ...keys] } });
  return (
    <Card
      title="Next steps"
      note={`${steps.length - open.length} of ${steps.length} done`}
      action={
        canDismiss && (
          <Button
            variant="subtle"
            size="compact-xs"
            disabled={update.isPending}
            onClick={() => dismiss(steps.map(({ key }) => key))}
          >
            Dismiss all
          </Button>
        )
      }
    >
      <ul className={styles.rows}>
        {open.map((step, index) => (
          <li key={step.key} className={styles.next}>
            <span className={styles.mark} aria-hidden />
            <div className={styles.words}>
              <p className={styles.name}>{step.title}</p>
              <p className={styles.dim}>{step.text}</p>
            </div>
            <Button component={Link} to={step.href} variant={index === 0 ? 'filled' : 'default'} size="xs">
              {step.action}
            </Button>
            {canDismiss && (
              <Tooltip label="Dismiss">
                <ActionIcon
                  aria-label={`Dismiss: ${step.title}`}
                  disabled={update.isPending}
                  onClick={() => dismiss([step.key])}
                >
                  <IconX size={15} aria-hidden />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
