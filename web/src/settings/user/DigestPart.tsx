/** The emails of the inbox: the digest, and mentions. */
import { Checkbox, NativeSelect } from '@mantine/core';
import {
  DIGEST_HOURS,
  type DigestSettings,
  getDigestSettings,
  updateDigestSettings,
} from '@parley/contract/inbox/digests.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { DateField } from '../../ui/form/dates/DateField.tsx';
import { isTime } from '../../ui/form/dates/date_text.ts';
import styles from '../Settings.module.css';

const DAILY = 24;
const OPTIONS = [
  { value: '', label: 'Never' },
  ...DIGEST_HOURS.map((hours) => ({
    value: String(hours),
    label: hours === DAILY ? 'Every day' : `Every ${hours} hours`,
  })),
];

export function DigestPart() {
  const query = useEndpoint(getDigestSettings);
  if (query.error)
    return (
      <ErrorState title="The digest settings could not be loaded" onRetry={() => void query.refetch()}>
        {query.error.message}
      </ErrorState>
    );
  if (!query.data) return <SkeletonLines lines={2} />;
  return <DigestForm settings={query.data.data} />;
}

function DigestForm({ settings: { every_hours, time, timezone, mention_emails } }: { settings: DigestSettings }) {
  const save = useAction(updateDigestSettings, { invalidates: ['digest_settings'] });
  const change = (body: Partial<DigestSettings>) => {
    // The digest follows the user's time zone, not that of the company.
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    save.mutate({ body: { ...body, timezone: here } });
  };
  return (
    <div className={styles.form}>
      <NativeSelect
        label="Email digest"
        description="A summary of the conversations that need your attention. No email is sent in quiet hours."
        value={every_hours === null ? '' : String(every_hours)}
        data={OPTIONS}
        disabled={save.isPending}
        onChange={({ currentTarget: { value } }) =>
          change({ every_hours: DIGEST_HOURS.find((hours) => String(hours) === value) ?? null })
        }
      />
      {every_hours === DAILY && (
        <>
          <DateField
            kind="time"
            label="Send at"
            value={time}
            onChange={(next) => isTime(next) && next !== '24:00' && next !== time && change({ time: next })}
          />
          <p className={styles.hint}>Time zone {timezone.replaceAll('_', ' ')}</p>
        </>
      )}
      <Checkbox
        label="Email about mentions"
        description="When a note mentions you. You are always notified in the app."
        checked={mention_emails}
        disabled={save.isPending}
        onChange={({ currentTarget: { checked } }) => change({ mention_emails: checked })}
      />
    </div>
  );
}
