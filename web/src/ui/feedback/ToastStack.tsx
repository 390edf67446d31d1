import { Notifications } from '@mantine/notifications';
import styles from './Toasts.module.css';

/** A default export because it is loaded lazily: nothing has happened yet when the first page is drawn. */
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
