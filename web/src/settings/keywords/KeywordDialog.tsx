/** Adds or edits a keyword. A default export, because it loads when it opens. */
import { Button, Modal, MultiSelect, NativeSelect, TagsInput, Textarea } from '@mantine/core';
import { KEYWORD_EFFECTS, KEYWORD_MATCHES } from '@parley/contract/audiences/keyword_matching.ts';
import {
  createKeyword,
  KEYWORD_LABELS_MAX,
  KEYWORD_REPLY_MAX,
  KEYWORD_WORDS_MAX,
  type Keyword,
  updateKeyword,
} from '@parley/contract/audiences/keywords.ts';
import { useState } from 'react';
import { useLabels } from '../../inbox/labels/labels.ts';
import type { ApiError } from '../../kernel/http/client.ts';
import { useAction } from '../../kernel/http/query.ts';
import { senderLabel, useSenderSearch } from '../../senders/SenderSelect.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';
import { EFFECT_LABELS, MATCH_LABELS } from './words.ts';

type Draft = Pick<Keyword, 'words' | 'match' | 'sender_ids' | 'countries' | 'effect' | 'reply' | 'label_ids'>;
const EMPTY: Draft = {
  ...{ words: [], match: 'exact', sender_ids: [], countries: [], effect: 'none', reply: null, label_ids: [] },
};

interface DialogProps {
  keyword: Keyword | null;
  onClose: () => void;
}

export default function KeywordDialog({ keyword, onClose }: DialogProps) {
  const [draft, setDraft] = useState<Draft>(keyword ?? EMPTY);
  const [problem, setProblem] = useState<string | null>(null);
  const change = (fields: Partial<Draft>) => setDraft((old) => ({ ...old, ...fields }));
  const options = {
    onSuccess: onClose,
    onError: ({ errors, message }: ApiError) => setProblem(errors.map((one) => one.message).join(' ') || message),
  };
  const create = useAction(createKeyword, options);
  const update = useAction(updateKeyword, options);
  const labels = useLabels();
  const save = () => {
    const { words, match, sender_ids, countries, effect } = draft;
    const known = new Set(labels.map(({ id }) => id));
    const label_ids = draft.label_ids.filter((id) => known.has(id));
    const body = { words, match, sender_ids, countries, effect, label_ids, reply: draft.reply?.trim() || null };
    if (keyword) update.mutate({ params: { id: keyword.id }, body });
    else create.mutate({ body });
  };
  const isEmpty = draft.effect === 'none' && draft.label_ids.length === 0 && !draft.reply?.trim();
  return (
    <Modal opened onClose={onClose} title={keyword ? 'Edit keyword' : 'Add keyword'} size="lg">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (draft.words.length > 0 && !isEmpty) save();
        }}
      >
        <When draft={draft} onChange={change} />
        <Then draft={draft} onChange={change} labels={labels} />
        {problem && <Notice tone="fail">{problem}</Notice>}
        <Buttons>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button
            type="submit"
            loading={create.isPending || update.isPending}
            disabled={draft.words.length === 0 || isEmpty}
          >
            Save keyword
          </Button>
        </Buttons>
      </form>
    </Modal>
  );
}

interface PartProps {
  draft: Draft;
  onChange: (fields: Partial<Draft>) => void;
}

function When({ draft, onChange }: PartProps) {
  const [search, setSearch] = useState('');
  const { answer } = useSenderSearch({}, search);
  const [names, setNames] = useState(new Map<string, string>());
  const found = (answer.data?.data ?? []).map((sender) => ({ value: sender.id, label: senderLabel(sender) }));
  const kept = draft.sender_ids
    .filter((id) => !found.some(({ value }) => value === id))
    .map((value) => ({ value, label: names.get(value) ?? 'Another sender' }));
  const choose = (sender_ids: string[]) => {
    setNames((old) => new Map([...old, ...found.map(({ value, label }) => [value, label] as const)]));
    onChange({ sender_ids });
  };
  return (
    <>
      <TagsInput
        label="Words"
        description="Words or phrases with the same meaning. Press Enter after each one."
        placeholder={draft.words.length === 0 ? 'For example: join' : ''}
        maxTags={KEYWORD_WORDS_MAX}
        value={draft.words}
        onChange={(words) => onChange({ words })}
        acceptValueOnBlur
        data-autofocus
      />
      <NativeSelect
        label="Matches if"
        data={KEYWORD_MATCHES.map((value) => ({ value, label: MATCH_LABELS[value] }))}
        value={draft.match}
        onChange={(event) => onChange({ match: event.currentTarget.value as Draft['match'] })}
      />
      <MultiSelect
        label="Senders"
        placeholder={draft.sender_ids.length === 0 ? 'All senders' : ''}
        data={[...kept, ...found]}
        value={draft.sender_ids}
        onChange={choose}
        searchValue={search}
        onSearchChange={setSearch}
        searchable
      />
      <CountriesSelect
        label="Contact countries"
        placeholder={draft.countries.length === 0 ? 'All countries' : ''}
        value={draft.countries}
        onChange={(countries) => onChange({ countries })}
      />
    </>
  );
}

function Then({ draft, onChange, labels }: PartProps & { labels: readonly { id: string; name: string }[] }) {
  const setEffect = (effect: Draft['effect']) =>
    onChange({ effect, ...(effect === 'automation' ? { reply: null } : {}) });
  return (
    <>
      <NativeSelect
        label="Effect"
        data={KEYWORD_EFFECTS.map((value) => ({ value, label: EFFECT_LABELS[value] }))}
        value={draft.effect}
        onChange={(event) => setEffect(event.currentTarget.value as Draft['effect'])}
      />
      {draft.effect !== 'automation' && (
        <Textarea
          label="Reply"
          description={
            draft.effect === 'none'
              ? 'Charged like any other message. At most 5 per person in 24 hours. Can contain {first_name:friend}.'
              : `Leave empty for the sender’s reply to ${draft.effect === 'opt_out' ? 'STOP' : 'START'}.`
          }
          maxLength={KEYWORD_REPLY_MAX}
          autosize
          minRows={2}
          value={draft.reply ?? ''}
          onChange={(event) => onChange({ reply: event.currentTarget.value || null })}
          dir="auto"
        />
      )}
      <MultiSelect
        label="Add labels"
        data={labels.map(({ id, name }) => ({ value: id, label: name }))}
        value={draft.label_ids}
        maxValues={KEYWORD_LABELS_MAX}
        onChange={(label_ids) => onChange({ label_ids })}
        searchable
      />
    </>
  );
}
