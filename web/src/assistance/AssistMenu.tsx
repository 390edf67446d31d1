import { NativeSelect } from '@mantine/core';
import { ACTION_RULES, ASSISTANCE_ACTIONS, type AssistanceAction } from '@parley/contract/assistance/actions.ts';
import { useMemo, useState } from 'react';
import { moveByArrows } from '../ui/controls/arrow_keys.ts';
import styles from './Assistance.module.css';
import { type Direction, languageChoices, readLanguage, saveLanguage } from './languages.ts';
import type { Ask } from './use_assist.ts';

const DIRECTIONS: Partial<Record<AssistanceAction, Direction>> = { translate_thread: 'in', translate_draft: 'out' };

interface Props {
  isEmpty: boolean;
  /** Why no reply can be written. */
  reason: string | null;
  onChoose: (ask: Ask) => void;
}

/** The actions. Arrow keys move between them. */
export function AssistMenu({ isEmpty, reason, onChoose }: Props) {
  const choices = useMemo(languageChoices, []);
  const [languages, setLanguages] = useState(() => ({ in: readLanguage('in'), out: readLanguage('out') }));
  const refusal = (action: AssistanceAction): string | null => {
    const { writes_draft, needs_text } = ACTION_RULES[action];
    if (writes_draft && reason !== null) return reason;
    return needs_text && isEmpty ? 'Write a reply first' : null;
  };
  return (
    <ul className={styles.items} onKeyDown={(event) => moveByArrows(event, event.currentTarget)}>
      {ASSISTANCE_ACTIONS.map((action, n) => {
        const why = refusal(action);
        // The same reason is shown once, at the first action.
        const isRepeated = n > 0 && refusal(ASSISTANCE_ACTIONS[n - 1]!) === why;
        const direction = DIRECTIONS[action];
        const { label } = ACTION_RULES[action];
        return (
          <li key={action} className={styles.item}>
            <button
              type="button"
              className={styles.choice}
              aria-disabled={why !== null || undefined}
              title={why ?? undefined}
              onClick={() =>
                why === null && onChoose({ action, ...(direction ? { language: languages[direction] } : {}) })
              }
            >
              {label}
              {why && !isRepeated && <span className={styles.why}>{why}</span>}
            </button>
            {direction && (
              <NativeSelect
                size="xs"
                className={styles.language}
                aria-label={`${label}: language`}
                data={choices}
                value={languages[direction]}
                onChange={({ currentTarget: { value } }) => {
                  saveLanguage(direction, value);
                  setLanguages((old) => ({ ...old, [direction]: value }));
                }}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}
