/**
 * The deals that the contact has in the connected CRMs. They are asked for after the conversation is shown, and only
 * once the user stays with it, so that walking through the list calls no CRM.
 */
import { Anchor, Button, VisuallyHidden } from '@mantine/core';
import {
  type ContactDeal,
  DEAL_STATUS,
  type ContactDeals as DealGroup,
  listContactDeals,
} from '@parley/contract/crm/deals.ts';
import { IconExternalLink } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ApiResponse } from '../../kernel/http/client.ts';
import { queryKey, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { INTEGRATIONS } from '../../paths.ts';
import { formatMoney, formatNumber } from '../../ui/data/format.ts';
import { StatusBadge } from '../../ui/data/StatusBadge.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PaneSection } from './PaneSection.tsx';
import styles from './PersonSections.module.css';

const STAY_MS = 300;
/** The server shares results for a minute. */
const FRESH_MS = 60_000;
const MICROS = 1_000_000;

export default function ContactDeals({ conversation_id }: { conversation_id: string }) {
  const reason = useReason(listContactDeals);
  const stays = useStay();
  const params = { id: conversation_id };
  const query = useEndpoint(listContactDeals, { params }, { enabled: reason === null && stays, staleTime: FRESH_MS });
  const known = useKnownCrms();
  if (reason) return null;
  const retry = () => void query.refetch();
  if (query.data)
    return query.data.data.map((group) => (
      <Deals key={group.provider} group={group} onRetry={retry} retrying={query.isFetching} />
    ));
  if (query.error)
    return (
      <PaneSection
        title="Deals"
        empty={<Failure text="The deals could not be loaded" onRetry={retry} retrying={query.isFetching} />}
      />
    );
  return known.map((label) => <PaneSection key={label} title={titleText(label)} empty={<SkeletonLines lines={2} />} />);
}

const titleText = (label: string): string => `Deals in ${label}`;

/** True once the component has been shown for a moment. */
function useStay(): boolean {
  const [stays, setStays] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStays(true), STAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return stays;
}

/** The CRMs of an earlier response. Without one, nothing takes up space in accounts that have no CRM. */
function useKnownCrms(): string[] {
  const [module, id] = queryKey(listContactDeals);
  const earlier = useQueryClient().getQueriesData<ApiResponse<typeof listContactDeals>>({ queryKey: [module, id] });
  return earlier.flatMap(([, response]) => (response ? [response.data.map(({ label }) => label)] : [])).at(-1) ?? [];
}

interface GroupProps {
  group: DealGroup;
  onRetry: () => void;
  retrying: boolean;
}

function Deals({ group: { label, person, deals, has_more, problem }, onRetry, retrying }: GroupProps) {
  if (problem === 'signed_out') return <PaneSection title={titleText(label)} empty={<Reconnect label={label} />} />;
  if (problem)
    return (
      <PaneSection
        title={titleText(label)}
        empty={<Failure text={`${label} did not respond`} onRetry={onRetry} retrying={retrying} />}
      />
    );
  const empty = person ? 'No deals' : `No person in ${label} has this number`;
  return (
    <PaneSection title={titleText(label)} empty={empty}>
      {deals.map((deal) => (
        <Deal key={deal.id} deal={deal} />
      ))}
      {has_more && person?.url && (
        <li>
          <WebLink url={person.url} text={`All deals in ${label}`} />
        </li>
      )}
    </PaneSection>
  );
}

function Deal({ deal: { name, stage, state, value, currency, url } }: { deal: ContactDeal }) {
  return (
    <li className={styles.deal}>
      {url ? <WebLink url={url} text={name || 'Deal without a name'} /> : <bdi>{name || 'Deal without a name'}</bdi>}
      <span className={styles.facts}>
        {value !== null && <span className="tabular">{valueText(value, currency)}</span>}
        {stage && <bdi>{stage}</bdi>}
        {state !== 'open' && <StatusBadge {...DEAL_STATUS[state]} />}
      </span>
    </li>
  );
}

const valueText = (value: number, currency: string | null): string =>
  currency ? formatMoney(value * MICROS, currency) : formatNumber(value);

/** A page of the CRM, in a tab of its own. */
function WebLink({ url, text }: { url: string; text: string }) {
  return (
    <Anchor size="sm" href={url} target="_blank" rel="noopener noreferrer">
      <bdi>{text}</bdi> <IconExternalLink size={12} aria-hidden />
      <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
    </Anchor>
  );
}

interface FailureProps {
  text: string;
  onRetry: () => void;
  retrying: boolean;
}

function Failure({ text, onRetry, retrying }: FailureProps) {
  return (
    <div className={styles.failed} role="status">
      <span>{text}</span>
      <Button variant="default" size="compact-xs" loading={retrying} onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}

function Reconnect({ label }: { label: string }) {
  return (
    <>
      {label} no longer accepts the connection.{' '}
      <Anchor inherit component={Link} to={INTEGRATIONS}>
        Connect again
      </Anchor>
    </>
  );
}
