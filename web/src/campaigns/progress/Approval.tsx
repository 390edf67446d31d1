/** A campaign's approval: the request, the decision, and the history. */
import { Button, Modal, Textarea } from '@mantine/core';
import type { CampaignApproval } from '@parley/contract/campaigns/approval.ts';
import { APPROVAL_STATUS } from '@parley/contract/campaigns/approval_words.ts';
import { type ApprovalEntry, decideApproval, listApprovals, MAX_REASON } from '@parley/contract/campaigns/approvals.ts';
import type { Campaign } from '@parley/contract/campaigns/campaigns.ts';
import { useState } from 'react';
import { useContractForm } from '../../kernel/form/form.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useSession } from '../../kernel/session/session.tsx';
import { DateTime } from '../../ui/data/DateTime.tsx';
import { formatCount, formatMoney } from '../../ui/data/format.ts';
import { Timeline, type TimelineEntry } from '../../ui/data/Timeline.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Form } from '../../ui/form/Form.tsx';
import { FormProblem } from '../../ui/form/FormParts.tsx';
import styles from '../Campaigns.module.css';

interface ApprovalProps {
  campaign: Campaign;
  approval: CampaignApproval;
}

/** A default export, because it is loaded only for campaigns that need an approval. */
export default function Approval({ campaign, approval }: ApprovalProps) {
  const tone = APPROVAL_STATUS[approval.status].tone;
  return (
    <section className={styles.above} aria-label="Approval">
      {approval.status === 'requested' ? (
        <Request campaign={campaign} approval={approval} />
      ) : (
        campaign.start_date === null && (
          <Notice tone={tone === 'fail' ? 'fail' : 'ok'} className={styles.approval}>
            {approval.decided_by?.name ?? 'A user'} {approval.status} this campaign{' '}
            <DateTime value={approval.decide_date} />.{approval.reason && ` Reason: ${approval.reason}`}
          </Notice>
        )
      )}
      <History campaign={campaign} />
    </section>
  );
}

const submitter = ({ requested_by }: CampaignApproval): string =>
  requested_by ? `${requested_by.name} submitted this campaign` : 'This campaign is waiting';

function Request({ campaign, approval }: ApprovalProps) {
  const { user } = useSession();
  const [isDeclining, setDeclining] = useState(false);
  const { id, name, currency } = campaign;
  const { recipients, amount_micros, target } = approval;
  const people = formatCount(recipients, 'recipient');
  const money = amount_micros === null ? '' : ` for ${formatMoney(amount_micros, currency)}`;
  const isOwn = approval.submitter_ids.includes(user.id);
  const decide = useAction(decideApproval, { invalidates: ['campaigns', 'campaign_approvals'] });
  const approve = async () => {
    const confirmed = await confirm({
      title: `Approve the campaign ${name}?`,
      consequence:
        target === 'scheduled'
          ? `It will be sent to ${people}${money} at its scheduled time.`
          : `It will be sent to ${people}${money} now.`,
      action: target === 'scheduled' ? 'Approve and schedule' : 'Approve and send',
    });
    if (confirmed) decide.mutate({ params: { id }, body: { approval_id: approval.id, decision: 'approved' } });
  };
  return (
    <>
      <Notice
        tone="wait"
        className={styles.approval}
        action={
          !isOwn && (
            <span className={styles.approvalButtons}>
              <Allow needs={decideApproval}>
                <Button size="xs" variant="default" onClick={() => setDeclining(true)}>
                  Decline
                </Button>
              </Allow>
              <Allow needs={decideApproval}>
                <Button size="xs" loading={decide.isPending} onClick={() => void approve()}>
                  Approve
                </Button>
              </Allow>
            </span>
          )
        }
      >
        {isOwn
          ? 'Another user who can edit campaigns must approve this campaign before it starts.'
          : `${submitter(approval)} for approval.`}{' '}
        {people}
        {money}, requested <DateTime value={approval.request_date} />.
      </Notice>
      {isDeclining && (
        <Modal opened onClose={() => setDeclining(false)} title={`Decline the campaign ${name}`}>
          <DeclineForm campaign={campaign} approval={approval} onClose={() => setDeclining(false)} />
        </Modal>
      )}
    </>
  );
}

function DeclineForm({ campaign, approval, onClose }: ApprovalProps & { onClose: () => void }) {
  const { form, bind, sending, problem } = useContractForm(decideApproval, {
    initial: { reason: '' },
    input: ({ reason }) => ({
      params: { id: campaign.id },
      body: { approval_id: approval.id, decision: 'declined' as const, reason },
    }),
    check: ({ reason }) => ({ reason: reason.trim() === '' ? 'A reason is required' : null }),
    guard: false,
    onDone: onClose,
  });
  return (
    <Form {...bind} aria-label="Decline the campaign">
      <Field
        form={form}
        name="reason"
        as={Textarea}
        label="Reason"
        description="Sent to the author by email."
        maxLength={MAX_REASON}
        autosize
        minRows={3}
        data-autofocus
      />
      <FormProblem>{problem}</FormProblem>
      <div className={styles.modalButtons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" color="red" loading={sending}>
          Decline campaign
        </Button>
      </div>
    </Form>
  );
}

function History({ campaign: { id, currency } }: { campaign: Campaign }) {
  const { data } = useEndpoint(listApprovals, { params: { id } });
  if (!data || data.data.length === 0) return null;
  const entries = data.data.toReversed().flatMap((entry) => toEntries(entry, currency));
  return (
    <details className={styles.approvalHistory}>
      <summary>Approval history</summary>
      <Timeline label="Approval history" entries={entries} />
    </details>
  );
}

function toEntries(entry: ApprovalEntry, currency: Campaign['currency']): TimelineEntry[] {
  const { id, status, recipients, amount_micros, requested_by, decided_by, decide_date, void_date, reason } = entry;
  const money = amount_micros === null ? '' : `, ${formatMoney(amount_micros, currency)}`;
  return [
    {
      key: `${id} requested`,
      title: requested_by
        ? `${requested_by.name} requested approval`
        : 'Approval requested by the schedule or an API key',
      at: entry.request_date,
      detail: `${formatCount(recipients, 'recipient')}${money}`,
    },
    ...(decide_date === null
      ? []
      : [
          {
            key: `${id} decided`,
            title: `${decided_by?.name ?? 'A user'} ${status === 'declined' ? 'declined' : 'approved'}`,
            at: decide_date,
            tone: status === 'declined' ? ('fail' as const) : ('ok' as const),
            detail: reason && <bdi>{reason}</bdi>,
          },
        ]),
    ...(void_date === null
      ? []
      : [
          {
            key: `${id} void`,
            title: decide_date === null ? 'Request withdrawn' : 'Campaign changed, so the decision no longer applies',
            at: void_date,
          },
        ]),
  ];
}
