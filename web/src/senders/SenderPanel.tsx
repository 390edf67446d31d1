/** One sender: its status, reasons, facts, timeline, and actions. */

import { Anchor, Button } from '@mantine/core';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import type { AccessFields } from '@parley/contract/channels/access.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { listMessages } from '@parley/contract/messages/messages.ts';
import { getSender, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { createSender, removeSender } from '@parley/contract/senders/orders.ts';
import type { ListedSender } from '@parley/contract/senders/senders.ts';
import { Link, useNavigate } from '@tanstack/react-router';
import { channelLabel } from '../channels/index.ts';
import { useRecordActions } from '../kernel/commands.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { campaignPath, EDIT_SENDER, linkTo, messagesPath, senderPath } from '../paths.ts';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Figure } from '../ui/data/Figure.tsx';
import { dayKey, formatNumber } from '../ui/data/format.ts';
import { Money } from '../ui/data/Money.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Timeline } from '../ui/data/Timeline.tsx';
import { useZone } from '../ui/data/zone.ts';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { BlockedContacts } from './BlockedContacts.tsx';
import { CarrierCode } from './CarrierCode.tsx';
import {
  carrierFields,
  daysText,
  fieldLabel,
  senderStatus,
  senderTypeLabel,
  TIMELINE,
  timelineTitle,
} from './labels.ts';
import { PoolMembers } from './NumberPool.tsx';
import styles from './Senders.module.css';

interface SenderPanelProps {
  id: string | null;
  onClose: () => void;
  onRemove: (sender: ListedSender) => void;
  verb: (sender: ListedSender) => string;
}

export function SenderPanel({ id, onClose, onRemove, verb }: SenderPanelProps) {
  const query = useEndpoint(getSender, { params: { id: id ?? '' } }, { enabled: id !== null });
  const sender = id && query.data?.data.id === id ? query.data.data : null;
  useSenderCommands(sender, onRemove, verb);
  return (
    <SidePanel
      open={id !== null}
      onClose={onClose}
      title={sender ? sender.code ? <PhoneNumber value={sender.code} /> : sender.name : 'Sender'}
      description={
        sender && (
          <>
            <StatusBadge {...senderStatus(sender)} />
            {senderTypeLabel(sender)}
          </>
        )
      }
      recordId={sender?.id}
      actions={
        sender &&
        sender.request_status !== 'DELETED' && (
          <>
            <Allow needs={createSender.needs}>
              <Button component={Link} {...linkTo(EDIT_SENDER, { id: sender.id })}>
                {primaryAction(sender)}
              </Button>
            </Allow>
            <Allow needs={removeSender.needs}>
              <Button variant="default" onClick={() => onRemove(sender)}>
                {verb(sender)}
              </Button>
            </Allow>
          </>
        )
      }
    >
      {query.error && !sender ? (
        <ErrorState
          title="The sender could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : sender ? (
        <SenderDetails sender={sender} />
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={8} />
        </div>
      )}
    </SidePanel>
  );
}

function useSenderCommands(
  sender: SenderDetail | null,
  onRemove: SenderPanelProps['onRemove'],
  verb: SenderPanelProps['verb'],
): void {
  const navigate = useNavigate();
  const editReason = useReason(createSender.needs);
  const removeReason = useReason(removeSender.needs);
  const record = sender && { kind: 'sender', id: sender.id, title: sender.name, path: senderPath(sender.id) };
  useRecordActions(
    record,
    !sender || sender.request_status === 'DELETED'
      ? []
      : [
          {
            label: primaryAction(sender),
            reason: editReason,
            run: () => void navigate(linkTo(EDIT_SENDER, { id: sender.id })),
          },
          { label: verb(sender), keywords: 'delete remove', reason: removeReason, run: () => onRemove(sender) },
        ],
  );
}

function primaryAction(sender: SenderDetail): string {
  if (!sender.editable) return 'Edit';
  if (sender.asked) return 'Reply';
  if (sender.status === 'rejected') return 'Edit and resubmit';
  return sender.rental ? 'Register' : 'Continue';
}

/** Pool members are used through the sender of the pool, whose stop list applies. */
const canSendDirectly = ({ id, status, pool_id }: SenderDetail): boolean =>
  (status === 'available' || status === 'approved') && (pool_id === null || pool_id === id);

function SenderDetails({ sender }: { sender: SenderDetail }) {
  return (
    <div className={styles.panel}>
      <ReviewNotice sender={sender} />
      <StateNotices sender={sender} />
      <ProfileNotice channel={sender.channel} profile={sender.profile} id={sender.id} />
      {sender.rental?.grace_date && (
        <Notice tone="fail">
          Your balance did not cover the monthly rental. To keep the number, add funds before{' '}
          <DateTime value={sender.rental.grace_date} />.
        </Notice>
      )}
      <SenderFacts sender={sender} />
      {sender.members_count > 0 && <PoolMembers id={sender.id} />}
      <CampaignLinks sender={sender} />
      {canSendDirectly(sender) && <BlockedContacts key={sender.id} id={sender.id} />}
      <SenderTimeline sender={sender} />
    </div>
  );
}

function ReviewNotice({ sender }: { sender: SenderDetail }) {
  if (sender.reasons.length === 0 && !sender.note) return null;
  return (
    <Notice tone={sender.asked ? 'wait' : 'fail'}>
      <strong>{sender.asked ? 'More information requested' : 'Why it was rejected'}</strong>
      <ul className={styles.reasons}>
        {sender.reasons.map(({ field, text }) => (
          <li key={`${field} ${text}`}>
            <span className={styles.field}>{fieldLabel(field)}</span> {text}
          </li>
        ))}
        {sender.note && <li>{sender.note}</li>}
      </ul>
    </Notice>
  );
}

function StateNotices({ sender }: { sender: SenderDetail }) {
  return (
    <>
      {sender.status === 'unregistered' && sender.kind && (
        <Notice tone="wait">
          {sender.rental
            ? 'Carriers in this country block the number until it is registered.'
            : 'Draft. It has not been submitted for review.'}
        </Notice>
      )}
      {sender.pool_name !== null && (
        <Notice tone="info">
          This number is in the pool of {sender.pool_name}. It is used only through that sender.
        </Notice>
      )}
      {sender.verification && (
        <CarrierCode
          of="sender"
          channel={sender.channel}
          id={sender.id}
          number={sender.code}
          verification={sender.verification}
        />
      )}
      {sender.carrier_state?.quality === 'RED' && (
        <Notice tone="wait">
          <strong>Low quality.</strong> Many recipients are reporting or blocking messages from this sender. If this
          continues, {channelLabel(sender.channel)} will lower its daily limit.
        </Notice>
      )}
    </>
  );
}

function ProfileNotice({ channel, profile, id }: Pick<SenderDetail, 'channel' | 'profile' | 'id'>) {
  if (profile?.state !== 'refused') return null;
  return (
    <Notice
      tone="fail"
      action={
        <Link {...linkTo(EDIT_SENDER, { id })} className={styles.noticeLink}>
          Edit profile
        </Link>
      }
    >
      <strong>{timelineTitle('profile_refused', channel)}</strong>
      <ul className={styles.reasons}>
        {profile.refusals.map(({ field, text }) => (
          <li key={field}>
            <span className={styles.field}>{fieldLabel(field)}</span> {text}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Whether recipients can reply. Business senders that are not in use yet show what was requested. */
function canReceive({ channel, two_way, status, registration }: SenderDetail): boolean {
  const { access } = channelRules(channel);
  if (!access || status === 'available' || status === 'approved') return two_way;
  const form: AccessFields | null = registration[access];
  return form?.two_way !== false;
}

function SenderFacts({ sender }: { sender: SenderDetail }) {
  const { rental } = sender;
  return (
    <Fields
      fields={[
        { label: 'Name', value: sender.name },
        ...(sender.business_name ? [{ label: 'Business name', value: sender.business_name }] : []),
        ...carrierFields(sender.carrier_state),
        ...(sender.brand ? [{ label: 'Brand', value: sender.brand }] : []),
        { label: 'Countries', value: sender.countries.map(countryName).join(', ') || 'All' },
        { label: 'Two-way', value: canReceive(sender) ? 'Yes' : 'No' },
        ...(rental
          ? [
              { label: 'Price per month', value: <Money micros={rental.monthly_micros} currency={rental.currency} /> },
              { label: 'Renews', value: <DateTime value={rental.renewal_date} /> },
            ]
          : []),
        {
          label: 'Messages, last 30 days',
          value: <Usage sender={sender} />,
        },
      ]}
    />
  );
}

const DAY_MS = 86_400_000;

/** The messages of the last 30 days, including today in the account's time zone. */
function Usage({ sender: { id, messages_30_days, messages_30_days_more } }: { sender: SenderDetail }) {
  const zone = useZone();
  const mayMessages = useReason(listMessages.needs) === null;
  const href = messagesPath({ sender: id, direction: 'MT', from: dayKey(Date.now() - 29 * DAY_MS, zone) });
  return (
    <Figure href={mayMessages ? href : undefined}>
      {formatNumber(messages_30_days)}
      {messages_30_days_more && ' or more'}
    </Figure>
  );
}

function CampaignLinks({ sender }: { sender: SenderDetail }) {
  if (sender.campaigns.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>Used by</h3>
      <ul className={styles.plain}>
        {sender.campaigns.map((campaign) => (
          <li key={campaign.id}>
            <Anchor
              underline="always"
              component={Link}
              to={campaignPath({ id: campaign.id, channel: sender.channel })}
              inherit
            >
              {campaign.name}
            </Anchor>{' '}
            <StatusBadge {...CAMPAIGN_STATUS[campaign.status]} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function SenderTimeline({ sender }: { sender: SenderDetail }) {
  if (sender.timeline.length === 0 && !sender.expected_date) return null;
  const entries = sender.timeline.map(({ id, kind, text, create_date }) => ({
    key: id,
    title: timelineTitle(kind, sender.channel),
    tone: TIMELINE[kind].tone,
    at: create_date,
    detail: text || undefined,
  }));
  const expected =
    sender.expected_date && sender.expected_days
      ? [
          {
            key: 'expected',
            title: `A decision is expected within ${daysText(sender.expected_days)}`,
            tone: 'wait' as const,
            at: sender.expected_date,
          },
        ]
      : [];
  return (
    <section>
      <h3 className={styles.heading}>Timeline</h3>
      <Timeline label="Timeline" entries={[...entries, ...expected]} />
    </section>
  );
}
