import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Card } from './Card.tsx';
import styles from './Dashboard.module.css';
import type { OpenStep } from './steps.ts';

/** Campaigns that need the user's action; renders nothing if there are none. */
export function OpenSteps({ steps }: { steps: readonly OpenStep[] }) {
  if (steps.length === 0) return null;
  return (
    <Card title="Needs your attention">
      <ul className={styles.rows}>
        {steps.map(({ key, title, text, action, href }) => (
          <li key={key} className={styles.todo}>
            <div className={styles.words}>
              <p className={styles.name}>{title}</p>
              <p className={styles.dim}>{text}</p>
            </div>
            <Button component={Link} to={href} variant="default" size="xs" aria-label={`${action}: ${title}`}>
              {action}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
