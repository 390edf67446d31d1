import { Button } from '@mantine/core';
import {
  countsSpend,
  describeLimit,
  getLimit,
  LIMIT_STATUS,
  type Limit,
  listViolations,
  updateLimit,
  type Violation,
} from '@parley/contract/guard/limits.ts';
import { IconGauge } from '@tabler/icons-react';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { SMS_LIMITS } from '../../paths.ts';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatMoney, formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { Timeline } from '../../ui/data/Timeline.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { SaveBar } from '../../ui/form/SaveBar.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { Fields } from '../../ui/layout/SidePanel.tsx';
import { BackTestPart } from './BackTestPart.tsx';
import { LimitFields } from './LimitFields.tsx';
import { LIMIT_LABELS } from './labels.ts';
import { checkLimit, type LimitValues, limitBody, limitValues } from './limit_values.ts';
import styles from './SmsLimits.module.css';
import { useLimitRemoval } from './useLimitRemoval.ts';

export default function EditLimitPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string };
  const query = useEndpoint(getLimit, { params: { id } });
  return (
    <RecordPage query={query} noun="limit" icon={IconGauge} back={<Back to={SMS_LIMITS}>SMS limits</Back>}>
      {(limit) => <EditLimit key={limit.id} limit={limit} />}
    </RecordPage>
  );
}

function EditLimit({ limit }: { limit: Limit }) {
  const { account } = useSession();
  const navigate = useNavigate();
  const { remove, reason } = useLimitRemoval(() => void navigate({ to: SMS_LIMITS }));
  const money = (micros: number) => formatMoney(micros, account.currency);
  const used = countsSpend(limit.type) ? money(limit.used ?? 0) : formatNumber(limit.used);
  return (
    <>
      <PageHeader
        title={describeLimit(limit, money)}
        badge={<StatusBadge {...LIMIT_STATUS[limit.state]} />}
        {...(limit.inherited_from === null && {
          secondary: (
            <Disabled reason={reason}>
              <Button variant="default" color="red" onClick={() => void remove(limit)}>
                Delete limit
              </Button>
            </Disabled>
          ),
        })}
      />
      <div className={styles.form}>
        <Fields
          fields={[
            ...(limit.used === null
              ? []
              : [
                  { label: limit.interval === 'day' ? 'Used today (UTC)' : `Used this ${limit.interval}`, value: used },
                ]),
            ...(limit.warning === null ? [] : [{ label: 'Last warning', value: `At ${limit.warning}%` }]),
            { label: 'Blocked', value: formatCount(limit.blocked, 'message') },
            { label: 'Resets', value: <DateTime value={limit.reset_date} /> },
          ]}
        />
        {limit.inherited_from === null ? (
          <EditPart limit={limit} />
        ) : (
          <Notice tone="info">
            {`Only ${limit.inherited_from} can change this limit. You can create a stricter limit of your own.`}
          </Notice>
        )}
      </div>
      <History limit={limit} />
    </>
  );
}

/** Follows the changes of others until the user changes something. */
function EditPart({ limit }: { limit: Limit }) {
  const [shown, setShown] = useState(limit);
  const [isDirty, setDirty] = useState(false);
  const key = JSON.stringify(limitValues(shown));
  const isOutdated = JSON.stringify(limitValues(limit)) !== key;
  if (isOutdated && !isDirty) setShown(limit);
  return (
    <>
      {isOutdated && isDirty && (
        <Notice tone="wait">
          This limit was changed while you edited it. If you save, your version replaces it. If you discard your
          changes, you see the new version.
        </Notice>
      )}
      <EditForm key={key} limit={shown} onDirty={setDirty} />
    </>
  );
}

function EditForm({ limit, onDirty }: { limit: Limit; onDirty: (isDirty: boolean) => void }) {
  const reason = useReason(updateLimit);
  const { form, bind, validate, saveBar } = useContractForm<typeof updateLimit, LimitValues>(updateLimit, {
    initial: limitValues(limit),
    body: limitBody,
    check: checkLimit,
    input: (values) => ({ params: { id: limit.id }, body: limitBody(values) }),
    labels: LIMIT_LABELS,
    onDone: () => toast.success('Limit saved'),
  });
  // Remounts the fields that keep their own state after the changes are discarded.
  const [discards, setDiscards] = useState(0);
  const { isDirty } = saveBar;
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);
  const onDiscard = () => {
    saveBar.onDiscard();
    setDiscards((count) => count + 1);
  };
  return (
    <Form {...bind} className={styles.form} aria-label="SMS limit">
      <LimitFields key={discards} form={form} />
      <BackTestPart form={form} validate={validate} />
      <SaveBar {...saveBar} onDiscard={onDiscard} save="Save limit" reason={reason} />
    </Form>
  );
}

function History({ limit }: { limit: Limit }) {
  const { data } = useEndpoint(listViolations, { query: { filter: { limit_id: limit.id } } });
  if (!data || data.data.length === 0) return null;
  return (
    <section className={styles.history} aria-labelledby="violations">
      <h2 id="violations" className={styles.title}>
        When this limit was reached
      </h2>
      <Timeline
        label="When this limit was reached"
        entries={data.data.map((violation) => ({
          key: violation.id,
          title: outcome(violation, limit),
          at: violation.create_date,
          tone: violation.end_date === null ? 'fail' : 'off',
        }))}
      />
    </section>
  );
}

const outcome = (violation: Violation, limit: Limit): string => {
  const { block_traffic, blocked, end_date, account_id, account_name } = violation;
  return [
    ...(limit.inherited_from === null && account_id !== limit.account_id ? [account_name] : []),
    block_traffic ? `${formatCount(blocked, 'message')} blocked` : 'Only notified',
    ...(end_date === null ? ['still reached'] : []),
  ].join(', ');
};
