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
    title: 'Bring your contacts',
    text: 'A CSV or XLSX file becomes an audience. You see what was found in it before anything is stored.',
    done: 'There are people to write to.',
    action: 'Create audience',
    href: '/contacts/create-audience',
    needs: 'AUDIENCES:add',
  },
  campaign: {
    title: 'Send a campaign',
    text: 'Write once, with names in it. See what each person will get and what it will cost, then send.',
    done: '',
    action: 'Create SMS campaign',
    href: '/sms/create-campaign',
    needs: 'CAMPAIGNS:add',
  },
  replies: {
    title: 'Answer the replies',
    text: 'What people write back is in the inbox within a second, next to everything you sent them.',
    done: 'Everything people wrote has been read.',
    action: 'Open inbox',
    href: '/inbox',
    needs: 'MESSAGES:view',
  },
} as const;

/** Three steps from nothing to a conversation; the first open one leads. */
export function FirstSteps({ steps }: { steps: readonly FirstStep[] }) {
  const session = useSession();
  const { routesByPath } = useRouter();
  const leading = steps.find(({ done }) => !done)?.key;
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
                  variant={key === leading ? 'filled' : 'default'}
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
