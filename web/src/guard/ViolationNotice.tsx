import { CloseButton } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { SMS_LIMITS } from '../paths.ts';
import styles from './ViolationNotice.module.css';
import { clearViolation } from './violation.ts';

/** Stays until the user dismisses it or the violation expires. A default export, because it is loaded lazily. */
export default function ViolationNotice() {
  return (
    <div className={styles.root} role="alert">
      <IconAlertTriangle size={18} aria-hidden className={styles.icon} />
      <p className={styles.text}>
        Threshold reached! You can adjust your rule settings accordingly.{' '}
        <Link to={SMS_LIMITS} className={styles.link}>
          SMS limits
        </Link>
      </p>
      <CloseButton size="sm" aria-label="Dismiss" onClick={clearViolation} />
    </div>
  );
}
