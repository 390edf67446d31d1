/** Lets the user find a channel's approved templates by name and choose one. */
import { Button, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { listTemplates, type Template } from '@parley/contract/templates/templates.ts';
import { IconSearch, IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from './Dialogs.module.css';
import { NO_TEMPLATE_FOUND, noTemplatesYet, pausedReason, SEARCH_DEBOUNCE_MS } from './template_words.ts';

const PAGE_SIZE = 20;

interface TemplateChoicesProps {
  channel: ChannelName;
  /** The sender's code, for channels whose templates belong to a single sender. */
  sender?: string;
  onChoose: (template: Template) => void;
}

export function TemplateChoices({ channel, sender, onChoose }: TemplateChoicesProps) {
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [name] = useDebouncedValue(search.trim(), SEARCH_DEBOUNCE_MS);
  const hasSender = sender !== undefined && channelRules(channel).templates.fields.includes('wa_sender_code');
  const filter = {
    ...({ channel, status: 'COMPLETED' } as const),
    ...(name ? { name } : {}),
    ...(hasSender ? { sender_code: sender } : {}),
  };
  const query = useEndpoint(listTemplates, { query: { page, page_size: PAGE_SIZE, filter } }, { keepPrevious: true });
  const rows = query.data?.data;
  const total = query.data?.pagination.total ?? 0;
  return (
    <>
      <TextInput
        aria-label="Search templates"
        placeholder="Search by name"
        leftSection={<IconSearch size={15} aria-hidden />}
        value={search}
        data-autofocus
        onChange={(event) => {
          setSearch(event.currentTarget.value);
          setPage(1);
        }}
      />
      {query.error ? (
        <ErrorState title="The templates could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      ) : !rows ? (
        <SkeletonLines lines={5} />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconTemplate} title={name ? NO_TEMPLATE_FOUND : noTemplatesYet(channel)} />
      ) : (
        <ul className={styles.list} aria-busy={query.isPlaceholderData}>
          {rows.map((template) => (
            <li key={template.id}>
              <Choice template={template} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
      {total > PAGE_SIZE && (
        <div className={styles.feet}>
          <Button variant="default" size="xs" disabled={page === 1} onClick={() => setPage(page - 1)}>
            Previous
          </Button>
          <Button variant="default" size="xs" disabled={page * PAGE_SIZE >= total} onClick={() => setPage(page + 1)}>
            Next
          </Button>
        </div>
      )}
    </>
  );
}

function Choice({ template, onChoose }: { template: Template; onChoose: (template: Template) => void }) {
  return (
    <button
      type="button"
      className={styles.choice}
      aria-disabled={template.paused || undefined}
      onClick={() => !template.paused && onChoose(template)}
    >
      <span className={styles.choiceName}>{template.name}</span>
      <span className={styles.choiceText}>{pausedReason(template) ?? template.text}</span>
    </button>
  );
}
