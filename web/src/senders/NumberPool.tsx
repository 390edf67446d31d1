/**
 * The number pool of a sender, as a list in the panel and as a form on the edit page. Each change saves the whole list.
 */

import { Button, NumberInput } from '@mantine/core';
import { PHONE_CHANNEL } from '@parley/contract/channels/names.ts';
import {
  listSenderMembers,
  MAX_MEMBERS,
  MEMBER_TYPES,
  putSenderMembers,
  type SenderMember,
} from '@parley/contract/senders/members.ts';
import { type ListedSender, listSenders } from '@parley/contract/senders/senders.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { useReason } from '../kernel/session/session.tsx';
import { formatCount, formatPercent } from '../ui/data/format.ts';
import { PhoneNumber } from '../ui/data/PhoneNumber.tsx';
import { parsePhone } from '../ui/data/phone.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../ui/feedback/Skeletons.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import { countryName } from '../ui/form/countries.ts';
import { Buttons } from '../ui/form/FormParts.tsx';
import { SearchSelect } from '../ui/form/SearchSelect.tsx';
import styles from './Senders.module.css';

type PoolState = Pick<ListedSender, 'id' | 'channel' | 'type' | 'status' | 'pool_id'>;

export const canHavePool = ({ id, channel, type, status, pool_id }: PoolState): boolean =>
  channel === PHONE_CHANNEL &&
  MEMBER_TYPES.includes(type) &&
  status === 'available' &&
  (pool_id === null || pool_id === id);

const useMembers = (id: string) => useEndpoint(listSenderMembers, { params: { id } });

/** The pool in the sender panel. Shows nothing if the sender has no pool. */
export function PoolMembers({ id }: { id: string }) {
  const members = useMembers(id).data?.data ?? [];
  if (members.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>Number pool</h3>
      <ul className={styles.files} aria-label="Number pool">
        {members.map((member) => (
          <li key={member.sender_id}>
            <MemberNumber member={member} />
            <span className={styles.hint}>{shareText(member, members)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function MemberNumber({ member: { code, country, own } }: { member: SenderMember }) {
  const details = [country && countryName(country), own && 'main number'].filter(Boolean).join(', ');
  return (
    <span>
      <PhoneNumber value={code} /> {details && <span className={styles.hint}>{details}</span>}
    </span>
  );
}

function shareText({ messages_30_days: count }: SenderMember, all: readonly SenderMember[]): string {
  const total = all.reduce((sum, member) => sum + member.messages_30_days, 0);
  // Messages from before the pool was created are not counted, because they all came from one number.
  return total === 0
    ? 'No messages since this pool was created'
    : `${formatPercent(count, total)}, ${formatCount(count, 'message')} since this pool was created`;
}

/** The pool on the edit page of the sender. */
export function NumberPoolForm({ id }: { id: string }) {
  const query = useMembers(id);
  return (
    <section aria-labelledby="members" className={styles.form}>
      <div>
        <h2 id="members" className={styles.heading}>
          Number pool
        </h2>
        <p className={styles.hint}>
          Messages from this sender are sent from its main number and from the numbers in its pool. Each contact always
          gets messages from the same number. New contacts are assigned a number from their country if the pool has one.
          Replies to all numbers arrive here.
        </p>
      </div>
      {query.data ? (
        <EditableMembers id={id} members={query.data.data} />
      ) : query.error ? (
        <ErrorState
          title="The number pool could not be loaded"
          onRetry={() => void query.refetch()}
          retrying={query.isFetching}
        >
          {query.error.message}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={3} />
        </div>
      )}
    </section>
  );
}

interface WeightedMember {
  sender_id: string;
  weight?: number;
}

function EditableMembers({ id, members }: { id: string; members: readonly SenderMember[] }) {
  const reason = useReason(putSenderMembers.needs);
  const put = useAction(putSenderMembers);
  const save = (next: readonly WeightedMember[], success: string) =>
    put.mutate(
      { params: { id }, body: { members: next.map(({ sender_id, weight }) => ({ sender_id, weight })) } },
      { onSuccess: () => toast.success(success) },
    );
  return (
    <>
      {members.length > 0 && (
        <ul className={styles.files} aria-label="Number pool">
          {members.map((member) => (
            <li key={member.sender_id}>
              <span className={styles.stack}>
                <MemberNumber member={member} />
                <span className={styles.hint}>{shareText(member, members)}</span>
              </span>
              <Buttons>
                <WeightInput
                  key={member.weight}
                  member={member}
                  reason={reason}
                  onChange={(weight) =>
                    save(
                      members.map((one) => (one === member ? { ...one, weight } : one)),
                      `${parsePhone(member.code).text} now has a weight of ${weight}`,
                    )
                  }
                />
                {!member.own && (
                  <RemoveMember
                    member={member}
                    removing={put.isPending}
                    onRemove={() =>
                      save(
                        members.filter((one) => one !== member),
                        `${parsePhone(member.code).text} is a separate sender again`,
                      )
                    }
                  />
                )}
              </Buttons>
            </li>
          ))}
        </ul>
      )}
      <AddMember
        id={id}
        full={members.filter(({ own }) => !own).length >= MAX_MEMBERS - 1}
        reason={reason}
        adding={put.isPending}
        onAdd={({ id: sender_id, code }) =>
          save([...members, { sender_id }], `${parsePhone(code).text} was added to the pool`)
        }
      />
    </>
  );
}

function RemoveMember(props: { member: SenderMember; removing: boolean; onRemove: () => void }) {
  return (
    <Allow needs={putSenderMembers.needs}>
      <Button
        variant="default"
        size="xs"
        loading={props.removing}
        aria-label={`Remove ${parsePhone(props.member.code).text}`}
        onClick={props.onRemove}
      >
        Remove
      </Button>
    </Allow>
  );
}

/** Saves the weight when the field loses focus. */
function WeightInput(props: { member: SenderMember; reason: string | null; onChange: (weight: number) => void }) {
  const { member, reason, onChange } = props;
  const [weight, setWeight] = useState<number | string>(member.weight);
  return (
    <NumberInput
      aria-label={`Weight of ${parsePhone(member.code).text}`}
      size="xs"
      w={96}
      prefix="Weight "
      min={1}
      max={100}
      clampBehavior="strict"
      allowDecimal={false}
      readOnly={reason !== null}
      value={weight}
      onChange={setWeight}
      onBlur={() => {
        const next = Number(weight);
        if (weight === '' || next < 1) setWeight(member.weight);
        else if (next !== member.weight) onChange(next);
      }}
    />
  );
}

function AddMember(props: {
  id: string;
  full: boolean;
  reason: string | null;
  adding: boolean;
  onAdd: (sender: ListedSender) => void;
}) {
  const { id, full, reason, adding, onAdd } = props;
  const [selected, setSelected] = useState<string | null>(null);
  const query = useEndpoint(listSenders, {
    query: { page_size: 300, filter: { channel: PHONE_CHANNEL, types: MEMBER_TYPES.join(','), statuses: 'available' } },
  });
  const candidates = (query.data?.data ?? []).filter((sender) => sender.id !== id && sender.pool_id === null);
  const sender = candidates.find((one) => one.id === selected);
  if (query.data && candidates.length === 0)
    return <p className={styles.hint}>No other numbers to add. You can buy numbers on the Senders page.</p>;
  return (
    <div className={styles.adding}>
      <SearchSelect
        label="Add number"
        description="The number will be used only through this sender. Campaigns that use it directly will stop."
        placeholder="Choose a number"
        disabled={reason !== null}
        data={candidates.map((one) => ({ value: one.id, label: candidateLabel(one) }))}
        nothingFoundMessage="No numbers match"
        value={sender ? selected : null}
        onChange={setSelected}
      />
      <Disabled
        reason={
          reason ?? (full ? `A pool can have at most ${MAX_MEMBERS} numbers` : sender ? null : 'Choose a number first')
        }
      >
        <Button
          variant="default"
          loading={adding}
          onClick={() => {
            if (sender) onAdd(sender);
            setSelected(null);
          }}
        >
          Add number
        </Button>
      </Disabled>
    </div>
  );
}

const candidateLabel = ({ code, name }: ListedSender): string =>
  name === code || name === `+${code}` ? parsePhone(code).text : `${parsePhone(code).text} (${name})`;
