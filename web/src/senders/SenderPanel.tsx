/** One sender: where it stands, what was said about it, what happened, and what can be done now. */
import { Anchor, Button } from '@mantine/core';
import { getSender, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { createSender, removeSender } from '@parley/contract/senders/orders.ts';
import type { ListedSender } from '@parley/contract/senders/senders.ts';
import { Link } from '@tanstack/react-router';
import { useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { EDIT_SENDER, linkTo } from '../paths.ts';
import { CopyId } from '../ui/data/CopyId.tsx';
import { DateTime } from '../ui/data/DateTime.tsx';
import { Money } from '../ui/data/Money.tsx';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Timeline } from '../ui/data/Timeline.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { BlockedContacts } from './BlockedContacts.tsx';
import { CarrierCode } from './CarrierCode.tsx';
import { carrierFields, daysText, fieldLabel, senderStatus, senderTypeLabel, TIMELINE } from './labels.ts';
import { PoolMembers } from './NumberPool.tsx';
import styles from './Senders.module.css';

export interface SenderPanelProps {
  id: string | null;
  onClose: () => void;
  onRemove: (sender: ListedSender) => void;
  verb: (sender: ListedSender) => string;
}

export function SenderPanel({ id, onClose, onRemove, verb }: SenderPanelProps) {
  const answer = useEndpoint(getSender, { params: { id: id ?? '' } }, { enabled: id !== null });
  const sender = id && answer.data?.data.id === id ? answer.data.data : null;
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
      actions={
        sender &&
        sender.request_status !== 'DELETED' && (
          <>
            <Allow needs={createSender.needs}>
              <Button component={Link} {...linkTo(EDIT_SENDER, { id: sender.id })}>
                {actionOf(sender)}
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
      {answer.error && !sender ? (
        <ErrorState
          title="The sender could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : sender ? (
        <Opened sender={sender} />
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={8} />
        </div>
      )}
    </SidePanel>
  );
}

function actionOf(sender: SenderDetail): string {
  if (!sender.editable) return 'Edit';
  if (sender.asked) return 'Answer';
  if (sender.status === 'rejected') return 'Mend and send again';
  return sender.rental ? 'Register' : 'Go on';
}

/** Of WhatsApp and Viber, before they are in use: as it was asked for. */
const isAnswered = ({ two_way, type, status, registration }: SenderDetail): boolean =>
  type === 'business' && status !== 'available' && status !== 'approved'
    ? registration.viber?.two_way !== false
    : two_way;

/** One that stands behind another is written from through that one, whose stops count. */
const isSentFrom = ({ id, status, pool_id }: SenderDetail): boolean =>
  (status === 'available' || status === 'approved') && (pool_id === null || pool_id === id);

function Opened({ sender }: { sender: SenderDetail }) {
  const { rental } = sender;
  return (
    <div className={styles.panel}>
      {(sender.reasons.length > 0 || sender.note) && (
        <Notice tone={sender.asked ? 'wait' : 'fail'}>
          <strong>{sender.asked ? 'Our team asks' : 'Why it was rejected'}</strong>
          <ul className={styles.reasons}>
            {sender.reasons.map(({ field, text }) => (
              <li key={`${field} ${text}`}>
                <span className={styles.field}>{fieldLabel(field)}</span> {text}
              </li>
            ))}
            {sender.note && <li>{sender.note}</li>}
          </ul>
        </Notice>
      )}
      {sender.status === 'unregistered' && sender.kind && (
        <Notice tone="wait">
          {sender.rental
            ? 'Carriers of this country block it until it has been registered.'
            : 'A draft: nothing has been sent for approval yet.'}
        </Notice>
      )}
      {sender.pool_name !== null && (
        <Notice tone="info">Stands behind {sender.pool_name}: messages leave from it through that sender.</Notice>
      )}
      {sender.verification && (
        <CarrierCode of="sender" id={sender.id} number={sender.code} verification={sender.verification} />
      )}
      {sender.carrier_state?.quality === 'RED' && (
        <Notice tone="wait">
          <strong>Its quality is low.</strong> Many people report or block its messages. If that goes on WhatsApp lets
          it write to fewer of them.
        </Notice>
      )}
      {sender.profile?.state === 'refused' && (
        <Notice
          tone="fail"
          action={
            <Link {...linkTo(EDIT_SENDER, { id: sender.id })} className={styles.there}>
              Mend the profile
            </Link>
          }
        >
          <strong>WhatsApp did not take all of the profile</strong>
          <ul className={styles.reasons}>
            {sender.profile.refusals.map(({ field, text }) => (
              <li key={field}>
                <span className={styles.field}>{fieldLabel(field)}</span> {text}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      {rental?.grace_date && (
        <Notice tone="fail">
          The balance was not enough for the next month. Add funds before <DateTime value={rental.grace_date} />, or the
          number is given back.
        </Notice>
      )}
      <Fields
        fields={[
          { label: 'Name', value: sender.name },
          ...(sender.business_name ? [{ label: 'Business name', value: sender.business_name }] : []),
          ...carrierFields(sender.carrier_state),
          ...(sender.brand ? [{ label: 'Brand', value: sender.brand }] : []),
          { label: 'Countries', value: sender.countries.map(countryName).join(', ') || 'All' },
          { label: 'People can answer', value: isAnswered(sender) ? 'Yes' : 'No' },
          ...(rental
            ? [
                { label: 'A month', value: <Money micros={rental.monthly_micros} currency={rental.currency} /> },
                { label: 'Renews', value: <DateTime value={rental.renewal_date} /> },
              ]
            : []),
          {
            label: 'Messages of the last 30 days',
            value: `${sender.messages_30_days.toLocaleString('en-US')}${sender.messages_30_days_more ? ' or more' : ''}`,
          },
          { label: 'Id', value: <CopyId value={sender.id} /> },
        ]}
      />
      {sender.members_count > 0 && <PoolMembers id={sender.id} />}
      {sender.campaigns.length > 0 && (
        <section>
          <h3 className={styles.heading}>Used by</h3>
          <ul className={styles.plain}>
            {sender.campaigns.map((campaign) => (
              <li key={campaign.id}>
                {/* Other channels have no pages of campaigns. */}
                {sender.channel === 'SMS' ? (
                  <Anchor underline="always" component={Link} to={`/sms/my-campaigns/${campaign.id}`} inherit>
                    {campaign.name}
                  </Anchor>
                ) : (
                  campaign.name
                )}{' '}
                <StatusBadge status={campaign.status} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {isSentFrom(sender) && <BlockedContacts key={sender.id} id={sender.id} />}
      {(sender.timeline.length > 0 || sender.expected_date) && (
        <section>
          <h3 className={styles.heading}>What happened</h3>
          <Timeline
            label="What happened"
            entries={[
              ...sender.timeline.map(({ id, kind, text, create_date }) => ({
                key: id,
                title: TIMELINE[kind].title,
                tone: TIMELINE[kind].tone,
                at: create_date,
                detail: text || undefined,
              })),
              ...(sender.expected_date && sender.expected_days
                ? [
                    {
                      key: 'expected',
                      title: `A decision is expected within ${daysText(sender.expected_days)}`,
                      tone: 'wait' as const,
                      at: sender.expected_date,
                    },
                  ]
                : []),
            ]}
          />
        </section>
      )}
    </div>
  );
}
