/** "Reply from Template": approved templates of the channel (of this sender, on WhatsApp), a value for each of their places, and what will be read. */
import { Button, Modal, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { MAX_VARIABLE } from '@parley/contract/templates/draft.ts';
import { fillTemplate, templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { listTemplates, type Template } from '@parley/contract/templates/templates.ts';
import { IconArrowLeft, IconSearch, IconTemplate } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useEndpoint } from '../../kernel/http/query.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { useReturnToOpener } from '../../ui/feedback/opener.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { ContentView } from '../ContentView.tsx';
import { wordsOn } from '../marked.tsx';
import styles from './Dialogs.module.css';
import { personName } from './person_name.ts';
import type { ReplyBody } from './reply_body.ts';
import { NOTHING_FOUND, nothingYet, restingWords, SEARCH_DEBOUNCE_MS } from './template_words.ts';

const PAGE_SIZE = 20;

/** Whom it is for, as far as a template has to know: a conversation, or a phone to try it with. */
export type Addressee = Pick<Conversation, 'channel' | 'sender' | 'contact_name' | 'profile_name'>;

interface Props {
  conversation: Addressee;
  title?: string;
  /** What the last button says. */
  action?: string;
  onSend: (body: ReplyBody) => void;
  onClose: () => void;
}

export default function TemplateDialog({
  conversation,
  title = 'Reply from Template',
  action = 'Send',
  onSend,
  onClose,
}: Props) {
  useReturnToOpener();
  const [chosen, setChosen] = useState<Template | null>(null);
  return (
    <Modal opened onClose={onClose} title={title} size={560}>
      {chosen ? (
        <Fill
          template={chosen}
          conversation={conversation}
          action={action}
          onBack={() => setChosen(null)}
          onSend={(body) => {
            onSend(body);
            onClose();
          }}
        />
      ) : (
        <Choose conversation={conversation} onChoose={setChosen} />
      )}
    </Modal>
  );
}

/** The dialog looks for where to begin only when it opens; each of its steps begins somewhere too. */
function useBeginning(step: RefObject<HTMLElement | null>): void {
  useEffect(() => step.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus(), [step]);
}

function Choose({ conversation, onChoose }: { conversation: Addressee; onChoose: (template: Template) => void }) {
  const step = useRef<HTMLDivElement>(null);
  useBeginning(step);
  const { channel, sender } = conversation;
  const [search, setSearch] = useState('');
  const [page, setPage] = useState(1);
  const [searched] = useDebouncedValue(search.trim(), SEARCH_DEBOUNCE_MS);
  const answer = useEndpoint(
    listTemplates,
    {
      query: {
        page,
        page_size: PAGE_SIZE,
        filter: {
          channel,
          status: 'COMPLETED',
          ...(searched ? { name: searched } : {}),
          ...(channel === 'WHATSAPP' ? { sender_code: sender } : {}),
        },
      },
    },
    { keepPrevious: true },
  );
  const rows = answer.data?.data;
  const total = answer.data?.pagination.total ?? 0;
  return (
    <div ref={step} className={styles.body}>
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
      {answer.error ? (
        <ErrorState title="The templates could not be loaded" onRetry={() => void answer.refetch()}>
          {answer.error.message}
        </ErrorState>
      ) : !rows ? (
        <SkeletonLines lines={5} />
      ) : rows.length === 0 ? (
        <EmptyState icon={IconTemplate} title={searched ? NOTHING_FOUND : nothingYet(channel)} />
      ) : (
        <ul className={styles.list} aria-busy={answer.isPlaceholderData}>
          {rows.map((template) => (
            <li key={template.id}>
              <button
                type="button"
                className={styles.choice}
                aria-disabled={template.paused || undefined}
                onClick={() => !template.paused && onChoose(template)}
              >
                <span className={styles.choiceName}>{template.name}</span>
                <span className={styles.choiceText}>{restingWords(template) ?? template.text}</span>
              </button>
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
    </div>
  );
}

interface FillProps {
  template: Template;
  conversation: Addressee;
  action: string;
  onBack: () => void;
  onSend: (body: ReplyBody) => void;
}

/** What is known of the person goes in by itself; everything can be written over. */
function known(name: string, conversation: Addressee): string {
  const [first = '', ...rest] = personName(conversation).split(' ');
  return name === 'first_name' ? first : name === 'last_name' ? rest.join(' ') : '';
}

function Fill({ template, conversation, action, onBack, onSend }: FillProps) {
  const step = useRef<HTMLFormElement>(null);
  useBeginning(step);
  const places = templatePlaceholders(template);
  const [values, setValues] = useState(() => places.map(({ name }) => known(name, conversation)));
  const [tried, setTried] = useState(false);
  const filled = fillTemplate(template, values);
  const wrong = filled.findings[0]?.message ?? null;
  return (
    <form
      ref={step}
      className={styles.body}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // It may stand within a form that is not meant.
        event.stopPropagation();
        setTried(true);
        if (!wrong) return onSend({ text: filled.text, template: template.id, variables: values });
        const empty = values.findIndex((value, place) => !value.trim() && !places[place]!.fallback);
        if (empty >= 0) step.current?.querySelectorAll('input')[empty]?.focus();
      }}
    >
      <Button
        className={styles.back}
        variant="subtle"
        size="compact-sm"
        leftSection={<IconArrowLeft size={15} aria-hidden />}
        onClick={onBack}
      >
        All templates
      </Button>
      {places.map(({ name, tag, fallback }, place) => (
        <TextInput
          // biome-ignore lint/suspicious/noArrayIndexKey: a place is its position
          key={place}
          label={tag}
          {...(fallback ? { description: `“${fallback}” when it is left empty` } : {})}
          value={values[place]}
          error={tried && !values[place]?.trim() && !fallback}
          maxLength={MAX_VARIABLE + 1}
          data-autofocus={place === 0 || undefined}
          onChange={(event) => setValues(values.with(place, event.currentTarget.value))}
          aria-label={`${name}, place ${place + 1}`}
        />
      ))}
      <div
        className={styles.preview}
        data-channel={conversation.channel}
        role="img"
        aria-label="Message as it will arrive"
      >
        <ContentView content={filled.content && { ...filled.content, template: null }}>
          {wordsOn(conversation.channel, filled.text)}
        </ContentView>
      </div>
      {tried && wrong && (
        <p className={styles.wrong} role="alert">
          {wrong}
        </p>
      )}
      <div className={styles.feet}>
        <Button type="submit" data-autofocus={places.length === 0 || undefined}>
          {action}
        </Button>
      </div>
    </form>
  );
}
