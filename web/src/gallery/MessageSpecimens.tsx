import { Button } from '@mantine/core';
import { DEFAULT_CHANNEL } from '@parley/contract/channels/names.ts';
import { useState } from 'react';
import { type Blocker, Wizard } from '../ui/layout/Wizard.tsx';
import { Composer } from '../ui/message/Composer.tsx';
import { PhonePreview } from '../ui/message/PhonePreview.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';
import { MESSAGE, PEOPLE } from './sample.ts';

const VARIABLES = [
  { key: 'first_name', label: 'First name' },
  { key: 'last_name', label: 'Last name' },
  { key: 'custom1', label: 'Custom 1' },
];

export function MessageSpecimens() {
  const [text, setText] = useState(`${MESSAGE} {nickname} “`);
  const [person, setPerson] = useState(0);
  const [step, setStep] = useState(1);
  const filled = MESSAGE.replace('{first_name}', PEOPLE[person] ?? '');
  const preview = (
    <PhonePreview
      channel={DEFAULT_CHANNEL}
      sender="HARBOUR"
      bubbles={[
        { key: 'a', from: 'business', text: filled, breaks: [153], time: '19:02' },
        { key: 'b', from: 'person', text: 'YES', time: '19:04' },
      ]}
      stepper={{ index: person, total: PEOPLE.length, onStep: setPerson, label: PEOPLE[person] }}
    />
  );
  const quote = text.indexOf('“');
  const composer = (
    <Composer
      label="Message"
      value={text}
      onChange={setText}
      variables={VARIABLES}
      marks={quote < 0 ? [] : [{ start: quote, end: quote + 1 }]}
      counter={`${text.length}/1000 - 2 segments - ${quote < 0 ? 'GSM-7' : 'Unicode'}`}
      notice={
        quote < 0 ? null : (
          <span>
            “ forces Unicode, which makes the message longer.{' '}
            <Button size="compact-xs" variant="light" onClick={() => setText(text.replace('“', '"'))}>
              Replace it with "
            </Button>
          </span>
        )
      }
    />
  );
  const next = (): Blocker[] | undefined => {
    if (text.includes('{nickname}')) return [{ key: 'variable', text: 'Unknown variable {nickname}.' }];
    setStep(Math.min(2, step + 1));
    return undefined;
  };
  return (
    <>
      <Specimen title="Composer and preview">
        <div className={styles.pair}>
          <div className={styles.card}>{composer}</div>
          <div className={styles.row} style={{ justifyContent: 'center' }}>
            {preview}
          </div>
        </div>
      </Specimen>
      <Specimen title="Wizard">
        <div className={styles.wizard}>
          <Wizard
            title="Create SMS campaign"
            as="section"
            steps={[
              { key: 'audience', label: 'Audience' },
              { key: 'message', label: 'Message' },
              { key: 'send', label: 'Send' },
            ]}
            active={step}
            onStep={setStep}
            onNext={next}
            onClose={() => setStep(0)}
            lastLabel="Send to 1,204 people for $18.06"
            note="Draft saved"
          >
            {composer}
          </Wizard>
        </div>
      </Specimen>
    </>
  );
}
