/** Taking a template instead of writing: approved ones of a channel, found by name. For whoever writes a message; default export because it is loaded lazily. */
import { Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { listTemplates, type Template } from '@parley/contract/templates/templates.ts';
import { IconSearch, IconTemplate } from '@tabler/icons-react';
import { useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import styles from './TemplatePicker.module.css';
import { NOTHING_FOUND, nothingYet, restingWords, SEARCH_DEBOUNCE_MS } from './template_words.ts';

const SHOWN = 20;

export interface TemplatePickerProps {
  channel: ChannelName;
  onPick: (template: Template) => void;
  onClose: () => void;
}

export default function TemplatePicker({ channel, onPick, onClose }: TemplatePickerProps) {
  const [search, setSearch] = useState('');
  const [name] = useDebouncedValue(search.trim(), SEARCH_DEBOUNCE_MS);
  const answer = useEndpoint(
    listTemplates,
    { query: { page_size: SHOWN, filter: { channel, status: 'COMPLETED', ...(name ? { name } : {}) } } },
    { keepPrevious: true },
  );
  const rows = answer.data?.data;
  const more = (answer.data?.pagination.total ?? 0) > SHOWN;
  return (
    <Modal opened onClose={onClose} title="Use a template" size={560}>
      <div className={styles.picker}>
        <TextInput
          aria-label="Search templates"
          placeholder="Search by name"
          leftSection={<IconSearch size={15} aria-hidden />}
          value={search}
          data-autofocus
          onChange={(event) => setSearch(event.currentTarget.value)}
        />
        {answer.error ? (
          <ErrorState title="The templates could not be loaded" onRetry={() => void answer.refetch()}>
            {answer.error.message}
          </ErrorState>
        ) : !rows ? (
          <SkeletonLines lines={5} />
        ) : rows.length === 0 ? (
          <EmptyState icon={IconTemplate} title={name ? NOTHING_FOUND : nothingYet(channel)} />
        ) : (
          <ul className={styles.picks} aria-busy={answer.isPlaceholderData}>
            {rows.map((template) => (
              <li key={template.id}>
                <button
                  type="button"
                  className={styles.pick}
                  aria-disabled={template.paused || undefined}
                  onClick={() => !template.paused && onPick(template)}
                >
                  <span className={styles.label}>{template.name}</span>
                  <span className={styles.pickText}>{restingWords(template) ?? template.text}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
        {more && <p className={styles.hint}>The newest {SHOWN} are shown. Search to find the others.</p>}
      </div>
    </Modal>
  );
}
