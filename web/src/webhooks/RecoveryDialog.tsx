import { Button, Modal } from '@mantine/core';
import { recoverWebhook } from '@parley/contract/webhooks/webhooks.ts';
import { useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { fromLocal, offsetName, toLocal, toWire } from '../ui/controls/local_time.ts';
import { Segments } from '../ui/controls/Segments.tsx';
import { formatCount } from '../ui/data/format.ts';
import { useZone } from '../ui/data/zone.ts';
import { toast } from '../ui/feedback/Toasts.tsx';
import { DateField } from '../ui/form/dates/DateField.tsx';
import { Buttons, FormProblem } from '../ui/form/FormParts.tsx';
import styles from './Webhooks.module.css';

const HOUR_MS = 3_600_000;
const PERIODS = [
  { value: '1', label: 'Last hour' },
  { value: '24', label: 'Last 24 hours' },
  { value: '72', label: 'Last 3 days' },
  { value: 'since', label: 'Since' },
] as const;
type Period = (typeof PERIODS)[number]['value'];

/** Resends the deliveries that have failed since a time. A default export, because it is loaded when it opens. */
export default function RecoveryDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const zone = useZone();
  const [period, setPeriod] = useState<Period>('24');
  const [local, setLocal] = useState(() => toLocal(new Date(Date.now() - 24 * HOUR_MS), zone));
  const since = period === 'since' ? fromLocal(local, zone) : new Date(Date.now() - Number(period) * HOUR_MS);
  const isFuture = since !== null && since.getTime() > Date.now();
  const [problem, setProblem] = useState<string | null>(null);
  const recovery = useAction(recoverWebhook, {
    onSuccess: ({ data: { count } }) => {
      toast.success(
        count === 0
          ? 'No deliveries have failed since then'
          : `Resending ${formatCount(count, 'delivery', 'deliveries')}`,
      );
      onClose();
    },
    onError: ({ message }) => setProblem(message),
  });
  return (
    <Modal opened onClose={onClose} title="Resend failed deliveries" centered>
      <form
        className={styles.form}
        aria-label="Resend failed deliveries"
        onSubmit={(event) => {
          event.preventDefault();
          if (since && !isFuture) recovery.mutate({ params: { id }, body: { since: toWire(since) } });
        }}
      >
        <p className={styles.hint}>
          Deliveries whose last attempt failed in this period are resent now, including those waiting for their next
          attempt. At most 10,000 at a time.
        </p>
        <Segments aria-label="Period" value={period} data={PERIODS} onChange={setPeriod} />
        {period === 'since' && (
          <DateField
            kind="datetime"
            label="Failed since"
            description={`Account time zone: ${zone.replaceAll('_', ' ')} (${offsetName(since ?? new Date(), zone)}).`}
            value={local}
            onChange={setLocal}
            error={since === null ? 'Failed since is required!' : isFuture ? 'This time is in the future' : undefined}
          />
        )}
        <FormProblem>{problem}</FormProblem>
        <Buttons>
          <Button type="submit" loading={recovery.isPending} disabled={since === null || isFuture}>
            Resend deliveries
          </Button>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
        </Buttons>
      </form>
    </Modal>
  );
}
