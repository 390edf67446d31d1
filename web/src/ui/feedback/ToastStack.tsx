import { Notifications } from '@mantine/notifications';
import styles from './Toasts.module.css';

/** The stack of toasts. A default export, because it is loaded lazily; the first page needs no toasts. */
export default function ToastStack() {
  return (
    <Notifications
      position="top-right"
      limit={3}
      autoClose={4000}
      zIndex={600}
      containerWidth={360}
      transitionDuration={160}
      className={styles.stack}
    />
  );
}
