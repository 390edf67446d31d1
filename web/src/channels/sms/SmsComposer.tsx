/** Where an SMS is written: the counter tells segments and encoding, and who forces Unicode is named, underlined and mended by one click. */
import { Button } from '@mantine/core';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { IconLetterCase } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Composer, type ComposerVariable } from '../../ui/message/Composer.tsx';
import { characterName, counterOf, unicodeNotice } from './reading.ts';
import styles from './SmsComposer.module.css';

export interface SmsComposerProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** What the person on the preview reads; the text as written unless given. */
  read?: string;
  max: number;
  variables?: readonly ComposerVariable[];
  error?: ReactNode;
  placeholder?: string;
  minRows?: number;
  /** More buttons. */
  tools?: ReactNode;
}

const SHOWN = 5;

export function SmsComposer({ value, onChange, read = value, max, ...rest }: SmsComposerProps) {
  const reading = useMemo(() => segment(value), [value]);
  const notice = useMemo(() => unicodeNotice(value, reading.unicode_characters), [value, reading]);
  const marks = useMemo(
    () => reading.unicode_characters.map(({ index, character }) => ({ start: index, end: index + character.length })),
    [reading],
  );
  const over = value.length > max;
  return (
    <Composer
      {...rest}
      value={value}
      onChange={onChange}
      marks={marks}
      counter={
        <span className={styles.counter} data-over={over || undefined}>
          {counterOf(value, read, max)}
        </span>
      }
      error={over ? `At most ${max.toLocaleString('en-US')} characters` : rest.error}
      notice={
        notice && (
          <div className={styles.notice}>
            <IconLetterCase size={15} aria-hidden />
            <span>
              <Names characters={notice.characters} /> {notice.characters.length === 1 ? 'forces' : 'force'} Unicode: 70
              characters a segment instead of 160.
              {!notice.complete && notice.fixed !== null && ' Some have no plain form.'}
            </span>
            {notice.fixed !== null && (
              <Button size="xs" variant="default" onClick={() => onChange(notice.fixed ?? value)}>
                {notice.complete ? 'Use plain characters' : 'Replace what can be'}
              </Button>
            )}
          </div>
        )
      }
    />
  );
}

function Names({ characters }: { characters: readonly string[] }) {
  return (
    <>
      {characters.slice(0, SHOWN).map((character) => (
        <kbd key={character} className={styles.character}>
          {characterName(character)}
        </kbd>
      ))}
      {characters.length > SHOWN && ` and ${characters.length - SHOWN} more`}
    </>
  );
}
