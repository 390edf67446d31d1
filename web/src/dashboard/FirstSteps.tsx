import { Button } from '@mantine/core';
import { IconArrowRight, IconCheck } from '@tabler/icons-react';
import { Link, useRouter } from '@tanstack/react-router';
import { routeReason } from '../kernel/session/routes.tsx';
import { useSession } from '../kernel/session/session.tsx';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import styles from './Dashboard.module.css';
import type { FirstStep } from './steps.ts';

const WORDS = {
  contacts: {
    title: 'Import your contacts',
    text: 'Create an audience from a CSV or XLSX file. You review the rows before they are imported.',
    done: 'Your contacts are ready.',
    action: 'Create audience',
    href: '/contacts/create-audience',
    needs: 'AUDIENCES:add',
  },
  campaign: {
    title: 'Send a campaign',
    text: 'Write one message with variables. Review each recipient’s text and the cost, then send.',
    done: '',
    action: 'Create SMS campaign',
    href: '/sms/create-campaign',
    needs: 'CAMPAIGNS:add',
  },
  replies: {
    title: 'Reply to your customers',
    text: 'Replies arrive in the inbox within a second, next to everything you sent.',
    done: 'You have read all replies.',
    action: 'Open inbox',
    href: '/inbox',
    needs: 'MESSAGES:view',
  },
} as const;

/** The first three steps for a new account; the first open step has the primary button. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const session = useSession();
  const { routesByPath } = useRouter();
  const primaryKey = steps.find(({ done }) => !done)?.key;
  return (
    <ol className={styles.steps} aria-label="First steps">
      {steps.map(({ key, done }, index) => {
        const { title, text, done: doneText, action, href, needs } = WORDS[key];
        return (
          <li key={key} className={styles.step} data-done={done || undefined}>
            <span className={styles.number} aria-hidden>
              {done ? <IconCheck size={16} stroke={2.2} /> : index + 1}
            </span>
            <h2 className={styles.stepTitle}>
              {title}
              {done && <span className={styles.doneWord}> Done</span>}
            </h2>
            <p className={styles.stepText}>{done ? doneText : text}</p>
            {href in routesByPath && (
              <Disabled reason={routeReason({ needs }, session)}>
                <Button
                  component={Link}
                  to={href}
                  variant={key === primaryKey ? 'filled' : 'default'}
                  rightSection={<IconArrowRight size={15} aria-hidden />}
                >
                  {action}
                </Button>
              </Disabled>
            )}
          </li>
        );
      })}
    </ol>
  );
}
