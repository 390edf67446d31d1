import { ActionIcon, Button, Switch } from '@mantine/core';
import { createKeyword, type Keyword, removeKeyword, updateKeyword } from '@parley/contract/audiences/keywords.ts';
import { IconArrowDown, IconArrowUp, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useAction } from '../../kernel/http/query.ts';
import { Allow } from '../../kernel/session/allow.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { confirm } from '../../ui/feedback/Confirm.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import styles from '../Settings.module.css';
import keywords from './Keywords.module.css';
import { keywordLine, keywordName } from './words.ts';

const KeywordDialog = lazyPart(() => import('./KeywordDialog.tsx'));

export function KeywordList({ keywords: all }: { keywords: readonly Keyword[] }) {
  const [editing, setEditing] = useState<Keyword | 'new' | null>(null);
  return (
    <>
      {all.length === 0 ? (
        <p className={styles.hint}>No keywords yet. People can still reply STOP, START, and HELP.</p>
      ) : (
        <ol className={styles.rows}>
          {all.map((keyword, n) => (
            <KeywordRow
              key={keyword.id}
              keyword={keyword}
              isFirst={n === 0}
              isLast={n === all.length - 1}
              onEdit={setEditing}
            />
          ))}
        </ol>
      )}
      <div>
        <Allow needs={createKeyword.needs}>
          <Button variant="default" leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEditing('new')}>
            Add keyword
          </Button>
        </Allow>
      </div>
      {editing && (
        <Suspense>
          <KeywordDialog keyword={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
        </Suspense>
      )}
    </>
  );
}

interface RowProps {
  keyword: Keyword;
  isFirst: boolean;
  isLast: boolean;
  onEdit: (keyword: Keyword) => void;
}

function KeywordRow({ keyword, isFirst, isLast, onEdit }: RowProps) {
  const reason = useReason(updateKeyword.needs);
  const update = useAction(updateKeyword);
  const remove = useAction(removeKeyword);
  const { id, enabled, position } = keyword;
  const name = keywordName(keyword);
  const isFixed = reason !== null || update.isPending;
  const change = (body: { enabled?: boolean; position?: number }) => update.mutate({ params: { id }, body });
  const ask = async () => {
    const isSure = await confirm({
      title: `Delete the keyword “${name}”?`,
      consequence: 'Messages with this keyword will get no reply. The stop list and consents do not change.',
      action: 'Delete keyword',
      danger: true,
    });
    if (isSure) remove.mutate({ params: { id } });
  };
  return (
    <li className={keywords.row}>
      <Switch
        aria-label={`Keyword ${name}`}
        checked={enabled}
        disabled={isFixed}
        onChange={(event) => change({ enabled: event.currentTarget.checked })}
      />
      <span className={styles.rowText}>
        <bdi className={styles.rowName}>{name}</bdi>
        <span className={styles.hint}>{keywordLine(keyword)}</span>
      </span>
      <span className={keywords.tools}>
        <ActionIcon
          variant="subtle"
          aria-label={`Move ${name} up`}
          disabled={isFirst || isFixed}
          onClick={() => change({ position: position - 1 })}
        >
          <IconArrowUp size={16} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          aria-label={`Move ${name} down`}
          disabled={isLast || isFixed}
          onClick={() => change({ position: position + 1 })}
        >
          <IconArrowDown size={16} aria-hidden />
        </ActionIcon>
        <Allow needs={updateKeyword.needs}>
          <ActionIcon variant="subtle" aria-label={`Edit ${name}`} onClick={() => onEdit(keyword)}>
            <IconPencil size={16} aria-hidden />
          </ActionIcon>
        </Allow>
        <Allow needs={removeKeyword.needs}>
          <ActionIcon
            variant="subtle"
            aria-label={`Delete ${name}`}
            loading={remove.isPending}
            onClick={() => void ask()}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Allow>
      </span>
    </li>
  );
}
