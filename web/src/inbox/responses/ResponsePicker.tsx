/** Chooses a response and fills it in for the conversation. A default export, because it loads when it opens. */
import { Anchor, Modal } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { fillResponse, listResponses, type SavedResponse } from '@parley/contract/inbox/responses.ts';
import { IconMessageReply } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useId, useRef, useState } from 'react';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { SAVED_RESPONSES } from '../../paths.ts';
import { moveByArrows } from '../../ui/controls/arrow_keys.ts';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { toast } from '../../ui/feedback/Toasts.tsx';
import styles from './Responses.module.css';

const DEBOUNCE_MS = 150;
const MAX_CHOICES = 50;

interface Props {
  conversation_id: string;
  onInsert: (text: string) => void;
  onClose: () => void;
}

export default function ResponsePicker({ conversation_id, onInsert, onClose }: Props) {
  const [text, setText] = useState('');
  const [search] = useDebouncedValue(text.trim(), DEBOUNCE_MS);
  const list = useEndpoint(
    listResponses,
    { query: { page_size: MAX_CHOICES, ...(search ? { filter: { search } } : {}) } },
    { keepPrevious: true },
  );
  const box = useRef<HTMLDivElement>(null);
  const fill = useAction(fillResponse, {
    invalidates: ['responses'],
    onSuccess: ({ data }) => {
      onInsert(data.text);
      if (data.missing.length > 0)
        toast.warning(`No value for ${data.missing.map((name) => `{${name}}`).join(', ')}. Edit the text first.`);
      onClose();
    },
  });
  const choose = ({ id }: SavedResponse) => {
    if (!fill.isPending) fill.mutate({ params: { id }, body: { conversation_id } });
  };
  return (
    <Modal opened onClose={onClose} title="Insert response" size={480}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the events are those of the field and the buttons */}
      <div ref={box} className={styles.picker} onKeyDown={(event) => moveByArrows(event, box.current)}>
        <SearchInput
          aria-label="Search responses"
          placeholder="Shortcut, name, or text"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            const first = list.data?.data[0];
            if (event.key === 'Enter' && first && search === text.trim()) choose(first);
          }}
          data-autofocus
          dir="auto"
        />
        {list.error ? (
          <ErrorState title="The responses could not be loaded" onRetry={() => void list.refetch()}>
            {list.error.message}
          </ErrorState>
        ) : !list.data ? (
          <SkeletonLines lines={5} />
        ) : list.data.data.length === 0 ? (
          <EmptyState icon={IconMessageReply} title={search ? 'No responses match this search' : 'No responses yet'}>
            Save replies that you send often under Responses.
          </EmptyState>
        ) : (
          <div className={styles.choices}>
            {groupResponses(list.data.data, search).map(({ title, responses }) => (
              <Choices key={title ?? ''} title={title} responses={responses} onChoose={choose} />
            ))}
          </div>
        )}
        <Anchor component={Link} to={SAVED_RESPONSES} size="sm" onClick={onClose}>
          Manage responses
        </Anchor>
      </div>
    </Modal>
  );
}

interface Group {
  /** Null for responses without a folder, if no other group precedes them. */
  title: string | null;
  responses: SavedResponse[];
}

/** Responses whose shortcut matches come first, then one group per folder, in the order of the list. */
export function groupResponses(responses: readonly SavedResponse[], search: string): Group[] {
  const typed = search.replace(/^\//, '').toLowerCase();
  const groups = new Map<string, Group>();
  for (const response of responses) {
    const isShortcut = typed !== '' && response.shortcut?.startsWith(typed) === true;
    const title = isShortcut ? 'Matching shortcut' : (response.folder ?? (groups.size > 0 ? 'No folder' : null));
    const key = isShortcut ? '/' : (response.folder ?? '').toLowerCase();
    const group = groups.get(key) ?? { title, responses: [] };
    group.responses.push(response);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function Choices({ title, responses, onChoose }: Group & { onChoose: (response: SavedResponse) => void }) {
  const id = useId();
  return (
    <>
      {title !== null && (
        <p className={styles.group} id={id}>
          <bdi>{title}</bdi>
        </p>
      )}
      <ul className={styles.list} aria-labelledby={title === null ? undefined : id}>
        {responses.map((response) => (
          <li key={response.id}>
            <button type="button" className={styles.choice} onClick={() => onChoose(response)}>
              <span className={styles.choiceTop}>
                <bdi className={styles.choiceName}>{response.name}</bdi>
                {response.shortcut && <bdi className={styles.shortcut}>/{response.shortcut}</bdi>}
              </span>
              <span className={styles.choiceText} dir="auto">
                {response.text}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
