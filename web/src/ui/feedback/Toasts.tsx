/**
 * Short notes about what has just happened: top right, below the bar, four seconds, at most three at a time (the rest wait their turn).
 * An error that needs an act is not a toast: it stays in place beside what failed.
 */
import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import styles from './Toasts.module.css';

type Kind = 'success' | 'error' | 'warning' | 'info';

const ICONS = { success: IconCheck, error: IconX, warning: IconAlertTriangle, info: IconInfoCircle };

export interface ToastOptions {
  /** The same id replaces the toast that is still shown instead of adding one. */
  id?: string;
  title?: string;
  /** Milliseconds; false stays until it is closed. */
  stay?: number | false;
}

function show(kind: Kind, message: ReactNode, { id, title, stay }: ToastOptions = {}): void {
  const Icon = ICONS[kind];
  const data = {
    message,
    ...(title ? { title } : {}),
    ...(stay === undefined ? {} : { autoClose: stay }),
    icon: <Icon size={16} stroke={2.2} aria-hidden />,
    'data-kind': kind,
    role: kind === 'error' || kind === 'warning' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Close this note' },
    classNames: { root: styles.root, icon: styles.icon, title: styles.title, description: styles.text },
  };
  const key = id ?? (typeof message === 'string' ? `${kind}:${message}` : undefined);
  // Shown again rather than stacked: ten failures of one kind are one note.
  if (key) notifications.hide(key);
  notifications.show({ ...data, ...(key ? { id: key } : {}) });
}

export const toast = {
  success: (message: ReactNode, options?: ToastOptions) => show('success', message, options),
  error: (message: ReactNode, options?: ToastOptions) => show('error', message, options),
  warning: (message: ReactNode, options?: ToastOptions) => show('warning', message, options),
  info: (message: ReactNode, options?: ToastOptions) => show('info', message, options),
};

// What is shown before the stack is there waits in the store.
const ToastStack = lazy(() => import('./ToastStack.tsx'));

export function Toasts() {
  return (
    <Suspense>
      <ToastStack />
    </Suspense>
  );
}
