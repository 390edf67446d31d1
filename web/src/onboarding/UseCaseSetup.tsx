/**
 * Sets up a use case in one click: a template with the text, and an empty audience unless the text is a code. Then it
 * lists what is left to do, with the columns that the text needs. On channels other than SMS, the company needs a
 * sender, because the reviewers of templates require it.
 */
import { Button, VisuallyHidden } from '@mantine/core';
import { updatePreference } from '@parley/contract/accounts/company.ts';
import { createAudience, listAudiences } from '@parley/contract/audiences/audiences.ts';
import { channelRules } from '@parley/contract/channels/index.ts';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { createTemplate, listTemplates } from '@parley/contract/templates/templates.ts';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { call } from '../kernel/http/client.ts';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { useReason, useSession } from '../kernel/session/session.tsx';
import { CREATE_KEY, campaignToPath, importIntoPath, SENDERS, templatePath, VERIFICATIONS } from '../paths.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import styles from './Onboarding.module.css';
import { templateBody, templateName, type UseCase } from './use_case.ts';

interface Ready {
  template_id: string;
  /** Null: codes are sent to one person at a time. */
  audience_id: string | null;
}

const COLUMNS: Readonly<Record<string, string>> = {
  first_name: 'First name',
  custom1: 'Custom 1: the value that the text needs, such as a date, an amount, or a code',
};

/** The columns of the audience that the text needs. */
const neededColumns = (text: string): string[] => [
  'Phone number',
  ...[...new Set([...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!))].flatMap((name) => COLUMNS[name] ?? []),
];

/** The company's first sender that can send on the channel. */
function useSender(channel: UseCase['channel']): { code: string; isMissing: boolean } {
  const isNeeded = channel !== DEFAULT_CHANNEL;
  const canList = useReason(listSenders) === null;
  const senders = useEndpoint(
    listSenders,
    { query: { filter: { channel, statuses: 'available,approved' }, page_size: 1 } as never },
    { enabled: isNeeded && canList, staleTime: 60_000 },
  );
  const code = senders.data?.data[0]?.code ?? '';
  return { code, isMissing: isNeeded && code === '' };
}

interface Existing {
  template_id?: string | undefined;
  audience_id?: string | undefined;
}

/** The rows that an earlier setup has created, unless it was renamed or deleted since. */
async function findExisting(
  channel: UseCase['channel'],
  names: { template: string; audience: string },
): Promise<Existing> {
  const [templates, audiences] = await Promise.all([
    call(listTemplates, { query: { filter: { channel, name: names.template }, page_size: 100 } } as never),
    call(listAudiences, { query: { filter: { channel, name: names.audience }, page_size: 100 } } as never),
  ]);
  return {
    template_id: templates.data.find(({ name }) => name === names.template)?.id,
    audience_id: audiences.data.find(({ name }) => name === names.audience)?.id,
  };
}

export function UseCaseSetup({ useCase }: { useCase: UseCase }) {
  const { title, channel, kind } = useCase;
  const { account } = useSession();
  const [ready, setReady] = useState<Ready | null>(null);
  const sender = useSender(channel);
  const template = useAction(createTemplate);
  const audience = useAction(createAudience);
  const keep = useAction(updatePreference, { onError: () => {} });
  const canKeep = useReason(updatePreference) === null;
  const hasAudience = kind !== 'code';
  const audienceReason = useReason(createAudience);
  const reasons = [useReason(createTemplate), hasAudience ? audienceReason : null];
  const name = templateName(title);
  const done = account.preference.onboarding.use_cases ?? [];
  const isDone = done.includes(name);
  const setUp = async () => {
    const list_name = title.slice(0, 45);
    const existing = isDone ? await findExisting(channel, { template: name, audience: list_name }) : {};
    // A second click after a failure creates only what is missing.
    const template_id =
      existing.template_id ??
      (template.data ?? (await template.mutateAsync({ body: templateBody(useCase, sender.code) }))).data.id;
    const audience_id = !hasAudience
      ? null
      : (existing.audience_id ?? (await audience.mutateAsync({ body: { channel, name: list_name } })).data.id);
    setReady({ template_id, audience_id });
    if (canKeep && !isDone) keep.mutate({ body: { onboarding: { use_cases: [...done, name] } } });
  };
  if (ready) return <Checklist useCase={useCase} ready={ready} onClose={() => setReady(null)} />;
  if (sender.isMissing) return null;
  return (
    <Disabled reason={reasons.find(Boolean) ?? null}>
      <Button
        size="xs"
        variant="default"
        loading={template.isPending || audience.isPending}
        onClick={() => void setUp().catch(() => {})}
      >
        {isDone ? 'Show checklist' : 'Set up'}
        <VisuallyHidden>&nbsp;{title}</VisuallyHidden>
      </Button>
    </Disabled>
  );
}

const takeFocus = (element: HTMLElement | null) => element?.focus({ preventScroll: true });

function Checklist({ useCase, ready, onClose }: { useCase: UseCase; ready: Ready; onClose: () => void }) {
  const { title, channel } = useCase;
  const { label, templates } = channelRules(channel);
  return (
    // The list replaces the button and takes its focus.
    <section className={styles.checklist} aria-label={`Checklist: ${title}`} ref={takeFocus} tabIndex={-1}>
      <ul className={styles.checkItems}>
        <Item isDone>
          <Link to={templatePath(ready.template_id)}>Template</Link> created
        </Item>
        {templates.review !== 'none' && <Item>Wait until the {label} template is approved</Item>}
        {ready.audience_id === null ? (
          <CodeItems />
        ) : (
          <CampaignItems useCase={useCase} audience_id={ready.audience_id} />
        )}
      </ul>
      <Button size="xs" variant="subtle" onClick={onClose}>
        Dismiss
        <VisuallyHidden>&nbsp;the checklist of {title}</VisuallyHidden>
      </Button>
    </section>
  );
}

const CodeItems = () => (
  <>
    <Item>
      <Link to={CREATE_KEY}>Create an API key</Link> for the software that requests codes
    </Item>
    <Item>
      Send a code with <code>POST /v1/verifications</code> and the ID of the template
    </Item>
    <Item>
      Watch how many codes are entered under <Link to={VERIFICATIONS}>Verifications</Link>
    </Item>
  </>
);

function CampaignItems({ useCase, audience_id }: { useCase: UseCase; audience_id: string }) {
  const { text, kind, channel, when } = useCase;
  return (
    <>
      <Item>
        <Link to={importIntoPath(audience_id)}>Import contacts</Link> with these columns:{' '}
        {neededColumns(text).join('; ')}
      </Item>
      {kind === 'marketing' && <Item>Record the consent of your contacts in the import</Item>}
      {kind === 'conversation' && (
        <Item>
          Choose a <Link to={SENDERS}>sender</Link> that can receive replies
        </Item>
      )}
      <Item>
        <Link to={campaignToPath(channel, audience_id)}>Create the campaign</Link>. Best time: {when}
      </Item>
    </>
  );
}

function Item({ isDone = false, children }: { isDone?: boolean; children: ReactNode }) {
  const Icon = isDone ? IconCircleCheck : IconCircleDashed;
  return (
    <li className={styles.checkItem}>
      <Icon size={16} stroke={1.8} aria-hidden />
      <span>{children}</span>
    </li>
  );
}
