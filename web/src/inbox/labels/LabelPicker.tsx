import type { Conversation } from '@parley/contract/inbox/inbox.ts';
import { createLabel, LABEL_NEEDS } from '@parley/contract/inbox/label_changes.ts';
import type { Label } from '@parley/contract/inbox/labels.ts';
import { IconCheck, IconPlus, IconTag } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { useShortcuts } from '../../kernel/shortcuts.ts';
import { SearchInput } from '../../ui/controls/SearchInput.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Popup } from '../../ui/layout/Popup.tsx';
import assign from '../assign/Assign.module.css';
import styles from './Labels.module.css';
import { useLabels } from './labels.ts';
import { freeColor } from './palette.ts';
import { useToggleLabel } from './toggle_label.ts';

const LabelsDialog = lazyPart(() => import('./LabelsDialog.tsx'));

type Labeled = Pick<Conversation, 'id' | 'label_ids'>;

/** The button that opens a conversation's labels. */
export function LabelPicker({ conversation }: { conversation: Labeled }) {
  const [isManaging, setManaging] = useState(false);
  const mayLabel = useReason(LABEL_NEEDS) === null;
  useShortcuts('Conversation', [{ keys: 'L', label: 'Label', run: openLabelPicker, when: () => mayLabel }]);
  return (
    <>
      <Popup
        label="Labels"
        takesFocus
        movesByArrows
        className={assign.box}
        target={(target) => (
          <Allow needs={LABEL_NEEDS}>
            <button {...target} className={assign.target} data-labels aria-label="Labels">
              <IconTag size={16} aria-hidden />
            </button>
          </Allow>
        )}
      >
        {(close) => (
          <LabelList
            conversation={conversation}
            onManage={() => {
              close();
              setManaging(true);
            }}
          />
        )}
      </Popup>
      {isManaging && (
        <Suspense>
          <LabelsDialog onClose={() => setManaging(false)} />
        </Suspense>
      )}
    </>
  );
}

/** Opens the labels of the conversation on the page. */
export function openLabelPicker(): void {
  document.querySelector<HTMLButtonElement>('button[data-labels]')?.click();
}

function LabelList({ conversation, onManage }: { conversation: Labeled; onManage: () => void }) {
  const labels = useLabels();
  const toggle = useToggleLabel();
  const mayCreate = useReason(createLabel.needs) === null;
  const [search, setSearch] = useState('');
  const create = useAction(createLabel, {
    onSuccess: ({ data }) => {
      setSearch('');
      void toggle(conversation.id, data.id, true);
    },
  });
  const name = search.trim();
  const found = labels.filter((label) => label.name.toLowerCase().includes(name.toLowerCase()));
  const isNew = name !== '' && !labels.some((label) => label.name.toLowerCase() === name.toLowerCase());
  const add = () => {
    if (!create.isPending) create.mutate({ body: { name, color: freeColor(labels) } });
  };
  const isOn = ({ id }: Label) => conversation.label_ids.includes(id);
  const flip = (label: Label) => void toggle(conversation.id, label.id, !isOn(label));
  return (
    <>
      <SearchInput
        aria-label="Search labels"
        placeholder={mayCreate ? 'Find or create a label' : 'Find a label'}
        value={search}
        onChange={(event) => setSearch(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          if (found[0]) flip(found[0]);
          else if (isNew && mayCreate) add();
        }}
        data-autofocus
        dir="auto"
      />
      <ul className={assign.users}>
        {found.map((label) => (
          <li key={label.id}>
            <button type="button" className={assign.user} aria-pressed={isOn(label)} onClick={() => flip(label)}>
              <span className={styles.dot} data-color={label.color} aria-hidden />
              <span className={assign.name}>
                <bdi>{label.name}</bdi>
              </span>
              {isOn(label) && <IconCheck size={15} aria-hidden />}
            </button>
          </li>
        ))}
        {isNew && mayCreate && (
          <li>
            <button type="button" className={assign.user} onClick={add}>
              <IconPlus size={15} aria-hidden />
              <span className={assign.name}>
                Create “<bdi>{name}</bdi>”
              </span>
            </button>
          </li>
        )}
      </ul>
      {found.length === 0 && !(isNew && mayCreate) && (
        <p className={assign.none}>{name ? 'No labels match this search' : 'No labels yet'}</p>
      )}
      <button type="button" className={`${assign.user} ${styles.manage}`} onClick={onManage}>
        Manage labels
      </button>
    </>
  );
}
