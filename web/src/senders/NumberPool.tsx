/** Numbers behind a sender: looked at beside it, put together on its page. Every change is kept at once, as the whole list. */
import { Button, NumberInput } from '@mantine/core';
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
import { SearchSelect } from '../ui/form/SearchSelect.tsx';
import styles from './Senders.module.css';

type Standing = Pick<ListedSender, 'id' | 'channel' | 'type' | 'status' | 'pool_id'>;

/** Others can stand behind it. */
export const canHavePool = ({ id, channel, type, status, pool_id }: Standing): boolean =>
  channel === 'SMS' && MEMBER_TYPES.includes(type) && status === 'available' && (pool_id === null || pool_id === id);

const useMembers = (id: string) => useEndpoint(listSenderMembers, { params: { id } });

/** Beside the sender; nothing while it stands alone. */
export function PoolMembers({ id }: { id: string }) {
  const members = useMembers(id).data?.data ?? [];
  if (members.length === 0) return null;
  return (
    <section>
      <h3 className={styles.heading}>Numbers behind it</h3>
      <ul className={styles.files} aria-label="Numbers behind it">
        {members.map((member) => (
          <li key={member.sender_id}>
            <Shown member={member} />
            <span className={styles.hint}>{shareWords(member, members)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Shown({ member: { code, country, own } }: { member: SenderMember }) {
  const words = [country && countryName(country), own && 'its own'].filter(Boolean).join(', ');
  return (
    <span>
      <PhoneNumber value={code} /> {words && <span className={styles.hint}>{words}</span>}
    </span>
  );
}

function shareWords({ messages_30_days: count }: SenderMember, all: readonly SenderMember[]): string {
  const total = all.reduce((sum, member) => sum + member.messages_30_days, 0);
  // What the sender sent before is not in it: that had one number to leave by.
  return total === 0
    ? 'No messages since the numbers stand together'
    : `${formatPercent(count, total)}, ${formatCount(count, 'message')} since they stand together`;
}

/** On the page of the sender. */
export function NumberPoolForm({ id }: { id: string }) {
  const answer = useMembers(id);
  return (
    <section aria-labelledby="members" className={styles.form}>
      <div>
        <h2 id="members" className={styles.heading}>
          Numbers behind it
        </h2>
        <p className={styles.hint}>
          Messages from this sender leave from its own number and from these. Each person keeps the number they know;
          new people get one of their country where there is one. Answers to all of them come here.
        </p>
      </div>
      {answer.data ? (
        <Members id={id} members={answer.data.data} />
      ) : answer.error ? (
        <ErrorState
          title="The numbers could not be loaded"
          onRetry={() => void answer.refetch()}
          retrying={answer.isFetching}
        >
          {answer.error.message}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading">
          <SkeletonLines lines={3} />
        </div>
      )}
    </section>
  );
}

function Members({ id, members }: { id: string; members: readonly SenderMember[] }) {
  const reason = useReason(putSenderMembers.needs);
  const put = useAction(putSenderMembers);
  const save = (next: readonly Weighed[], words: string) =>
    put.mutate(
      { params: { id }, body: { members: next.map(({ sender_id, weight }) => ({ sender_id, weight })) } },
      { onSuccess: () => toast.success(words) },
    );
  return (
    <>
      {members.length > 0 && (
        <ul className={styles.files} aria-label="Numbers behind it">
          {members.map((member) => (
            <li key={member.sender_id}>
              <span className={styles.stack}>
                <Shown member={member} />
                <span className={styles.hint}>{shareWords(member, members)}</span>
              </span>
              <span className={styles.buttons}>
                <Weight
                  key={member.weight}
                  member={member}
                  reason={reason}
                  onChange={(weight) =>
                    save(
                      members.map((one) => (one === member ? { ...one, weight } : one)),
                      `${parsePhone(member.code).text} has weight ${weight}`,
                    )
                  }
                />
                {!member.own && (
                  <Allow needs={putSenderMembers.needs}>
                    <Button
                      variant="default"
                      size="xs"
                      loading={put.isPending}
                      aria-label={`Take ${parsePhone(member.code).text} away`}
                      onClick={() =>
                        save(
                          members.filter((one) => one !== member),
                          `${parsePhone(member.code).text} stands by itself again`,
                        )
                      }
                    >
                      Take away
                    </Button>
                  </Allow>
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Adding
        id={id}
        full={members.filter(({ own }) => !own).length >= MAX_MEMBERS - 1}
        reason={reason}
        adding={put.isPending}
        onAdd={({ id: sender_id, code }) =>
          save([...members, { sender_id }], `${parsePhone(code).text} stands behind this sender now`)
        }
      />
    </>
  );
}

interface Weighed {
  sender_id: string;
  weight?: number;
}

/** Kept when one leaves the field. */
function Weight(props: { member: SenderMember; reason: string | null; onChange: (weight: number) => void }) {
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
        const given = Number(weight);
        if (weight === '' || given < 1) setWeight(member.weight);
        else if (given !== member.weight) onChange(given);
      }}
    />
  );
}

function Adding(props: {
  id: string;
  full: boolean;
  reason: string | null;
  adding: boolean;
  onAdd: (sender: ListedSender) => void;
}) {
  const { id, full, reason, adding, onAdd } = props;
  const [chosen, setChosen] = useState<string | null>(null);
  const answer = useEndpoint(listSenders, {
    query: { page_size: 300, filter: { channel: 'SMS', types: MEMBER_TYPES.join(','), statuses: 'available' } },
  });
  const free = (answer.data?.data ?? []).filter((sender) => sender.id !== id && sender.pool_id === null);
  const sender = free.find((one) => one.id === chosen);
  if (answer.data && free.length === 0)
    return <p className={styles.hint}>There is no other number to add. Numbers can be bought under Senders.</p>;
  return (
    <div className={styles.adding}>
      <SearchSelect
        label="Add a number"
        description="From then on it is only used through this sender; campaigns that use it by itself stop."
        placeholder="Choose a number"
        disabled={reason !== null}
        data={free.map((one) => ({ value: one.id, label: labelOf(one) }))}
        nothingFoundMessage="No such number"
        value={sender ? chosen : null}
        onChange={setChosen}
      />
      <Disabled reason={reason ?? (full ? `At most ${MAX_MEMBERS} numbers` : sender ? null : 'Choose a number first')}>
        <Button
          variant="default"
          loading={adding}
          onClick={() => {
            if (sender) onAdd(sender);
            setChosen(null);
          }}
        >
          Add
        </Button>
      </Disabled>
    </div>
  );
}

const labelOf = ({ code, name }: ListedSender): string =>
  name === code || name === `+${code}` ? parsePhone(code).text : `${parsePhone(code).text} (${name})`;
