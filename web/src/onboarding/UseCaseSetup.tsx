/**
 * Sets up a use case in one click: a template with the text, and an empty audience. Then it lists what is left to do,
 * with the columns that the text needs.
 */
import { Button, VisuallyHidden } from '@mantine/core';
import { createAudience } from '@parley/contract/audiences/audiences.ts';
import { createTemplate } from '@parley/contract/templates/templates.ts';
import { IconCircleCheck, IconCircleDashed } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { useAction } from '../kernel/http/query.ts';
import { useReason } from '../kernel/session/session.tsx';
import { campaignToPath, importIntoPath, SENDERS, templatePath } from '../paths.ts';
import { Disabled } from '../ui/feedback/Disabled.tsx';
import styles from './Onboarding.module.css';
import { templateName, type UseCase } from './use_case.ts';

interface Ready {
  template_id: string;
  audience_id: string;
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

export function UseCaseSetup({ useCase }: { useCase: UseCase }) {
  const { title, text, channel } = useCase;
  const [ready, setReady] = useState<Ready | null>(null);
  const template = useAction(createTemplate);
  const audience = useAction(createAudience);
  const reasons = [useReason(createTemplate), useReason(createAudience)];
  const isBusy = template.isPending || audience.isPending;
  const setUp = async () => {
    // A second click after a failure creates only what is missing.
    const made = template.data ?? (await template.mutateAsync({ body: { channel, name: templateName(title), text } }));
    const list = await audience.mutateAsync({ body: { channel, name: title.slice(0, 45) } });
    setReady({ template_id: made.data.id, audience_id: list.data.id });
  };
  if (ready) return <Checklist useCase={useCase} ready={ready} onClose={() => setReady(null)} />;
  return (
    <Disabled reason={reasons.find(Boolean) ?? null}>
      <Button size="xs" variant="default" loading={isBusy} onClick={() => void setUp().catch(() => {})}>
        Set up
        <VisuallyHidden>&nbsp;{title}</VisuallyHidden>
      </Button>
    </Disabled>
  );
}

function Checklist({ useCase, ready, onClose }: { useCase: UseCase; ready: Ready; onClose: () => void }) {
  const { title, text, kind, channel, when } = useCase;
  return (
    <section className={styles.checklist} aria-label={`Checklist: ${title}`}>
      <ul className={styles.checkItems}>
        <Item isDone>
          <Link to={templatePath(ready.template_id)}>Template</Link> created
        </Item>
        <Item>
          <Link to={importIntoPath(ready.audience_id)}>Import contacts</Link> with these columns:{' '}
          {neededColumns(text).join('; ')}
        </Item>
        {kind === 'marketing' && <Item>Record the consent of your contacts in the import</Item>}
        {kind === 'conversation' && (
          <Item>
            Choose a <Link to={SENDERS}>sender</Link> that can receive replies
          </Item>
        )}
        <Item>
          <Link to={campaignToPath(channel, ready.audience_id)}>Create the campaign</Link>. Best time: {when}
        </Item>
      </ul>
      <Button size="xs" variant="subtle" onClick={onClose}>
        Dismiss
        <VisuallyHidden>&nbsp;the checklist of {title}</VisuallyHidden>
      </Button>
    </section>
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
