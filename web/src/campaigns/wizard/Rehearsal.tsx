/** The campaign's rehearsal: cost by network, example texts, and everyone who will get no message. */
import { Button, Modal, Select } from '@mantine/core';
import {
  type CampaignRehearsal,
  EXCLUSIONS,
  type Exclusion,
  PRICE_CERTAINTIES,
  type PriceCertainty,
  rehearseCampaign,
} from '@parley/contract/campaigns/rehearsals.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useContext, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { formatCount, formatMoney, formatNumber } from '../../ui/data/format.ts';
import { PhoneNumber } from '../../ui/data/PhoneNumber.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { countryName } from '../../ui/form/countries.ts';
import { WizardNext } from '../../ui/layout/Wizard.tsx';
import { SKIP_LABELS } from '../labels.ts';
import { previewRequest } from './choices.ts';
import type { Draft } from './draft.ts';
import styles from './Wizard.module.css';

const PAGE = 10;

interface RehearsalProps {
  channel: ChannelName;
  draft: Draft;
  onClose: () => void;
}

export default function Rehearsal({ channel, draft, onClose }: RehearsalProps) {
  useReturnToOpener();
  const [reason, setReason] = useState<Exclusion | null>(null);
  const [offset, setOffset] = useState(0);
  const body = { ...previewRequest(channel, draft), ...(reason ? { reason } : {}), offset, size: PAGE };
  const { data, error, refetch } = useEndpoint(rehearseCampaign, { body }, { keepPrevious: true, staleTime: 0 });
  const rehearsal = data?.data;
  return (
    <Modal opened onClose={onClose} title="Rehearsal" size={860}>
      {error ? (
        <ErrorState title="The rehearsal could not be loaded" onRetry={() => void refetch()}>
          {error.message}
        </ErrorState>
      ) : !rehearsal ? (
        <SkeletonLines lines={10} />
      ) : (
        <div className={styles.review}>
          <p className={styles.lead}>
            {formatCount(rehearsal.counts.will_receive, 'person', 'people')} would get the message
            {rehearsal.total_micros !== null && ` for ${formatMoney(rehearsal.total_micros, rehearsal.currency)}`}.
            Nothing was sent.
          </p>
          <Networks channel={channel} rehearsal={rehearsal} />
          <Examples rehearsal={rehearsal} />
          <Excluded
            rehearsal={rehearsal}
            reason={reason}
            offset={offset}
            onReason={(next) => {
              setReason(next);
              setOffset(0);
            }}
            onOffset={setOffset}
          />
          <Start onClose={onClose} />
        </div>
      )}
    </Modal>
  );
}

/** Starts or schedules the campaign, like the last button of the wizard. */
function Start({ onClose }: { onClose: () => void }) {
  const action = useContext(WizardNext);
  if (!action) return null;
  return (
    <div className={styles.dialogButtons}>
      <Button variant="default" onClick={onClose}>
        Back to review
      </Button>
      <Disabled reason={action.reason}>
        <Button
          onClick={() => {
            onClose();
            void action.run();
          }}
        >
          {action.label}
        </Button>
      </Disabled>
    </div>
  );
}

function Networks({ channel, rehearsal }: { channel: ChannelName; rehearsal: CampaignRehearsal }) {
  const { networks, currency } = rehearsal;
  const isSegmented = channelRules(channel).counts === 'segments';
  const notes = PRICE_CERTAINTIES.filter((certainty) => networks.some((row) => row.certainty === certainty)).flatMap(
    (certainty) => CERTAINTY_NOTES[certainty] ?? [],
  );
  if (networks.length === 0) return null;
  return (
    <section className={styles.block}>
      <h3>Cost by network</h3>
      <div className={styles.tableBox}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">Country and network</th>
              <th scope="col">Recipients</th>
              {isSegmented && <th scope="col">Segments</th>}
              <th scope="col">Cost</th>
            </tr>
          </thead>
          <tbody>
            {networks.map((row) => (
              <tr key={`${row.country} ${row.mccmnc}`}>
                <th scope="row">
                  {countryName(row.country)}, {row.network ?? row.mccmnc ?? 'network unknown'}{' '}
                  <span className={styles.certainty}>{CERTAINTY_LABELS[row.certainty]}</span>
                </th>
                <td>{formatNumber(row.recipients)}</td>
                {isSegmented && <td>{formatNumber(row.segments)}</td>}
                <td>{formatMoney(row.cost_micros, currency)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {notes.map((note) => (
        <p key={note} className={styles.hint}>
          {note}
        </p>
      ))}
    </section>
  );
}

const CERTAINTY_LABELS: Readonly<Record<PriceCertainty, string>> = {
  certain: 'Price certain',
  number_range: 'Price by number range',
  lookup: 'Price before lookup',
  maximum: 'Highest price',
};
const CERTAINTY_NOTES: Readonly<Record<PriceCertainty, string | null>> = {
  certain: null,
  number_range: 'Price by number range: the price of the network that issued the number, even if the number has moved.',
  lookup: 'Price before lookup: it changes if the lookup finds that the number is on another network.',
  maximum: 'Highest price: the price of the most expensive channel. You pay for the channel that delivers.',
};

const KIND_LABELS = {
  longest: 'Longest',
  shortest: 'Shortest',
  empty_variable: 'Empty variable',
  other: '',
} as const;

function Examples({ rehearsal: { examples } }: { rehearsal: CampaignRehearsal }) {
  if (examples.length === 0) return null;
  return (
    <section className={styles.block}>
      <h3>Example texts</h3>
      <ul className={styles.examples}>
        {examples.map(({ number, text, kind }) => (
          <li key={number}>
            <span className={styles.exampleHead}>
              <PhoneNumber value={number} />
              {KIND_LABELS[kind] && <span className={styles.optionNote}>{KIND_LABELS[kind]}</span>}
            </span>
            <span dir="auto" className={styles.exampleText}>
              {text}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ExcludedProps {
  rehearsal: CampaignRehearsal;
  reason: Exclusion | null;
  offset: number;
  onReason: (reason: Exclusion | null) => void;
  onOffset: (offset: number) => void;
}

function Excluded({ rehearsal, reason, offset, onReason, onOffset }: ExcludedProps) {
  const { excluded, excluded_total: total, counts } = rehearsal;
  const reasons = EXCLUSIONS.filter((key) => counts[key] > 0);
  if (reasons.length === 0) return null;
  return (
    <section className={styles.block}>
      <h3>Contacts without a message</h3>
      <Select
        className={styles.short}
        aria-label="Reason"
        placeholder="All reasons"
        clearable
        data={reasons.map((key) => ({ value: key, label: `${SKIP_LABELS[key]} (${formatNumber(counts[key])})` }))}
        value={reason}
        onChange={(next) => onReason(next as Exclusion | null)}
      />
      <div className={styles.tableBox}>
        <table className={styles.table} aria-label="Contacts without a message">
          <thead>
            <tr>
              <th scope="col">Contact</th>
              <th scope="col">Reason</th>
            </tr>
          </thead>
          <tbody>
            {excluded.map((contact) => (
              <tr key={`${contact.number} ${contact.reason}`}>
                <th scope="row">
                  <bdi>{[contact.first_name, contact.last_name].filter(Boolean).join(' ')}</bdi>{' '}
                  <PhoneNumber value={contact.number} />
                </th>
                <td>{SKIP_LABELS[contact.reason]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > PAGE && (
        <div className={styles.pages}>
          <Button variant="default" size="xs" disabled={offset === 0} onClick={() => onOffset(offset - PAGE)}>
            Previous
          </Button>
          <span className={styles.optionNote}>
            {formatNumber(offset + 1)} to {formatNumber(Math.min(offset + PAGE, total))} of {formatNumber(total)}
          </span>
          <Button variant="default" size="xs" disabled={offset + PAGE >= total} onClick={() => onOffset(offset + PAGE)}>
            Next page
          </Button>
        </div>
      )}
    </section>
  );
}
