/** Notifications of new messages by saved inbox view. Other conversations follow the settings above. */
import { Checkbox, NativeSelect } from '@mantine/core';
import {
  listViewNotifications,
  type NotificationChoice,
  removeViewNotifications,
  updateViewNotifications,
} from '@parley/contract/inbox/view_notifications.ts';
import { listViews, type View } from '@parley/contract/views/views.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Settings.module.css';

const KINDS: readonly { key: keyof NotificationChoice; label: string }[] = [
  { key: 'devices', label: 'My devices' },
  { key: 'toasts', label: 'In-app notifications' },
  { key: 'sound', label: 'Sound' },
  { key: 'digest', label: 'Email digest' },
];
const ALL: NotificationChoice = { devices: true, toasts: true, sound: true, digest: true };
const NONE: NotificationChoice = { devices: false, toasts: false, sound: false, digest: false };

export function ViewsPart() {
  const views = useEndpoint(listViews, { query: { list: 'inbox' } });
  const settings = useEndpoint(listViewNotifications);
  const failed = views.error ? views : settings.error ? settings : null;
  if (failed)
    return (
      <ErrorState title="The saved views could not be loaded" onRetry={() => void failed.refetch()}>
        {failed.error?.message}
      </ErrorState>
    );
  if (!views.data || !settings.data) return <SkeletonLines lines={2} />;
  const chosen = new Map(settings.data.data.map(({ view_id, ...choice }) => [view_id, choice]));
  return (
    <section className={styles.form} aria-labelledby="view-notifications">
      <div>
        <h3 id="view-notifications" className={styles.partTitle}>
          Saved inbox views
        </h3>
        <p className={styles.hint}>
          {views.data.data.length === 0
            ? 'Save a view in the inbox to choose how you are notified about its conversations.'
            : 'A conversation in several of these views notifies you if one of them does. Quiet hours still apply.'}
        </p>
      </div>
      {views.data.data.map((view) => (
        <ViewChoice key={view.id} view={view} choice={chosen.get(view.id) ?? null} />
      ))}
    </section>
  );
}

function ViewChoice({ view: { id, name }, choice }: { view: View; choice: NotificationChoice | null }) {
  const invalidates = ['inbox_view_notifications'];
  const save = useAction(updateViewNotifications, { invalidates });
  const remove = useAction(removeViewNotifications, { invalidates });
  const isBusy = save.isPending || remove.isPending;
  const store = (body: NotificationChoice) => save.mutate({ params: { id }, body });
  const mode = choice === null ? 'general' : KINDS.some(({ key }) => choice[key]) ? 'own' : 'off';
  const select = (next: string) => {
    if (next === 'general') remove.mutate({ params: { id } });
    else store(next === 'own' ? ALL : NONE);
  };
  return (
    <div className={styles.form}>
      <NativeSelect
        label={<bdi>{name}</bdi>}
        value={mode}
        disabled={isBusy}
        data={[
          { value: 'general', label: 'Like other conversations' },
          { value: 'own', label: 'Own settings' },
          { value: 'off', label: 'No notifications' },
        ]}
        onChange={(event) => select(event.currentTarget.value)}
      />
      {choice !== null && mode === 'own' && (
        <fieldset className={styles.choices}>
          <legend className={styles.hint}>Notify me with</legend>
          {KINDS.map(({ key, label }) => (
            <Checkbox
              key={key}
              label={label}
              checked={choice[key]}
              disabled={isBusy}
              onChange={(event) => store({ ...choice, [key]: event.currentTarget.checked })}
            />
          ))}
        </fieldset>
      )}
    </div>
  );
}
