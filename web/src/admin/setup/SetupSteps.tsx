import { type Setup, STEP_STATUS } from '@parley/contract/admin/setup.ts';
import { Link } from '@tanstack/react-router';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import styles from './Setup.module.css';
import { STEP_WORDS } from './setup_words.ts';

/** The steps with their state. A step that is not done links to the page where an operator completes it. */
export function SetupSteps({ steps }: { steps: Setup['steps'] }) {
  return (
    <ul className={styles.steps}>
      {steps.map(({ name, status, detail }) => {
        const { label, link } = STEP_WORDS[name];
        return (
          <li key={name}>
            <div className={styles.words}>
              <span className={styles.label}>{label}</span>
              <span className={styles.detail}>{detail}</span>
            </div>
            {status !== 'done' && link && (
              <Link to={link.to} className={styles.link}>
                {link.label}
              </Link>
            )}
            <StatusBadge {...STEP_STATUS[status]} />
          </li>
        );
      })}
    </ul>
  );
}
