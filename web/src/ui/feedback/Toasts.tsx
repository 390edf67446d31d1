/**
 * Short messages about the latest action. They appear at the top right, below the top bar, for four seconds, at most
 * three at a time; more toasts are queued. An error that requires an action is not a toast: it stays beside the
 * content that failed.
 */
import { notifications, useNotifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck, IconInfoCircle, IconX } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { loadCodeEventually } from './load_code.ts';
import styles from './Toasts.module.css';

type Kind = 'success' | 'error' | 'warning' | 'info';

const ICONS = { success: IconCheck, error: IconX, warning: IconAlertTriangle, info: IconInfoCircle };

interface ToastOptions {
  /** A toast replaces any visible toast with the same ID. */
  id?: string;
  title?: string;
  /** Milliseconds until it closes; false keeps it open until the user closes it. */
  autoClose?: number | false;
  /** A button after the message, such as Undo. It closes the toast. */
  action?: { label: string; run: () => void };
}

function show(kind: Kind, message: ReactNode, { id, title, autoClose, action }: ToastOptions = {}): void {
  const Icon = ICONS[kind];
  const key = id ?? (typeof message === 'string' ? `${kind}:${message}` : undefined);
  const press = () => {
    action?.run();
    if (key) notifications.hide(key);
  };
  const data = {
    message: action ? (
      <span className={styles.row}>
        <span>{message}</span>
        <button type="button" className={styles.action} onClick={press}>
          {action.label}
        </button>
      </span>
    ) : (
      message
    ),
    ...(title ? { title } : {}),
    ...(autoClose === undefined ? {} : { autoClose }),
    icon: <Icon size={16} stroke={2.2} aria-hidden />,
    'data-kind': kind,
    role: kind === 'error' || kind === 'warning' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Dismiss' },
    classNames: { root: styles.root, icon: styles.icon, title: styles.title, description: styles.text },
  };
  // A repeated message replaces itself: ten failures of the same kind show only one toast.
  if (key) notifications.hide(key);
  notifications.show({ ...data, ...(key ? { id: key } : {}) });
}

export const toast = {
  success: (message: ReactNode, options?: ToastOptions) => show('success', message, options),
  error: (message: ReactNode, options?: ToastOptions) => show('error', message, options),
  warning: (message: ReactNode, options?: ToastOptions) => show('warning', message, options),
  info: (message: ReactNode, options?: ToastOptions) => show('info', message, options),
};

// Toasts shown before the stack has loaded wait in the store.
/** Loads the code before the first toast, which may report that the connection is lost. */
export const loadToasts = () => import('./ToastStack.tsx');
const ToastStack = lazy(() => loadCodeEventually(loadToasts));

export function Toasts() {
  const { notifications: shown } = useNotifications();
  const [isUsed, setUsed] = useState(false);
  // The stack stays once it has been used, so that a closing toast can fade out.
  if (shown.length > 0 && !isUsed) setUsed(true);
  if (!isUsed) return null;
  return (
    <Suspense>
      <ToastStack />
    </Suspense>
  );
}
