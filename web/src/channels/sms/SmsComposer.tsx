/**
 * The input for a text that is sent in segments. The counter shows the segments and the encoding. Characters that force
 * Unicode are listed and underlined, with a button that replaces them.
 */
import { Button } from '@mantine/core';
import { plainCapacity, segmentOptions } from '@parley/contract/channels/sms/profile.ts';
import { segment } from '@parley/contract/channels/sms/text.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { textLength } from '@parley/contract/text_length.ts';
import { IconLetterCase } from '@tabler/icons-react';
import { type ReactNode, useMemo } from 'react';
import { Composer, type ComposerVariable } from '../../ui/message/Composer.tsx';
import { ASSUMPTION, useSegmentation } from './profile.ts';
import styles from './SmsComposer.module.css';
import { characterName, segmentCounter, unicodeNotice } from './segments.ts';

interface SmsComposerProps {
  label: string;
  value: string;
  onChange: (text: string) => void;
  /** The text for the recipient in the preview; by default the text as written, with short links. */
  filled?: string;
  max: number;
  /** The number of the recipient in the preview. Its connection determines the segments. */
  recipient?: string | undefined;
  variables?: readonly ComposerVariable[];
  error?: ReactNode;
  /** Lets the summary of errors find the field. */
  name?: string;
  onBlur?: () => void;
  placeholder?: string;
  minRows?: number;
  /** Additional buttons. */
  tools?: ReactNode;
}

const SHOWN = 5;

export function SmsComposer({ value, onChange, filled, max, recipient, ...rest }: SmsComposerProps) {
  const profile = useSegmentation(recipient);
  const counted = filled ?? withSampleLinks(value, profile.link_prefix);
  const segmentation = useMemo(() => segment(value, segmentOptions(profile)), [value, profile]);
  const notice = useMemo(
    () => unicodeNotice(value, segmentation.unicode_characters, profile),
    [value, segmentation, profile],
  );
  const marks = useMemo(
    () =>
      segmentation.unicode_characters.map(({ index, character }) => ({ start: index, end: index + character.length })),
    [segmentation],
  );
  const over = textLength(value) > max;
  return (
    <Composer
      {...rest}
      value={value}
      onChange={onChange}
      marks={marks}
      counter={
        <span className={styles.counter} data-over={over || undefined}>
          {segmentCounter(value, counted, max, profile)}
        </span>
      }
      error={over ? `At most ${max.toLocaleString('en-US')} characters` : rest.error}
      notice={
        <>
          {profile.assumed && value !== '' && <p className={styles.assumption}>{ASSUMPTION}</p>}
          {notice && (
            <div className={styles.notice}>
              <IconLetterCase size={15} aria-hidden />
              <span>
                <Names characters={notice.characters} /> {notice.characters.length === 1 ? 'forces' : 'force'} Unicode:
                70 characters per segment instead of {plainCapacity(profile)}.
                {!notice.complete && notice.fixed !== null && ' Some have no plain equivalent.'}
              </span>
              {notice.fixed !== null && (
                <Button size="xs" variant="default" onClick={() => onChange(notice.fixed ?? value)}>
                  {notice.complete ? 'Use plain characters' : 'Replace where possible'}
                </Button>
              )}
            </div>
          )}
        </>
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
