/** The message step on channels with files, buttons, and templates. */
import { SegmentedControl } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import styles from '../Wizard.module.css';
import { carriesOwnText, usesTemplate } from './content.ts';
import type { ContentDraft } from './content_draft.ts';
import type { ContentStepProps } from './content_step.ts';
import { OwnFields } from './OwnFields.tsx';
import { SessionText } from './SessionText.tsx';
import { TemplateFields } from './TemplateFields.tsx';

const PURPOSE_LABELS = { promotional: 'Promotional', transactional: 'Transactional' } as const;

export function ContentStep(props: ContentStepProps) {
  const { channel, draft, change } = props;
  const { content } = draft;
  const { purposes } = channelRules(channel);
  const setContent = (part: Partial<ContentDraft>) => change({ content: { ...content, ...part } });
  return (
    <div className={styles.fields}>
      {carriesOwnText(channel) && (
        <SegmentedControl
          aria-label="Message source"
          value={content.source}
          data={[
            { value: 'own', label: 'Write message' },
            { value: 'template', label: 'Use a template' },
          ]}
          onChange={(source) => setContent({ source: source as ContentDraft['source'] })}
        />
      )}
      {purposes && (
        <div className={styles.choice}>
          <span id="purpose-label" className={styles.choiceLabel}>
            Purpose
          </span>
          <SegmentedControl
            aria-labelledby="purpose-label"
            value={content.purpose ?? purposes.outside({ media_type: content.type === 'text' ? null : content.type })}
            data={purposes.choices.map((value) => ({ value, label: PURPOSE_LABELS[value] }))}
            onChange={(purpose) => setContent({ purpose: purpose as ContentDraft['purpose'] })}
          />
        </div>
      )}
      {usesTemplate(channel, draft) ? (
        <TemplateFields {...props} setContent={setContent} />
      ) : (
        <OwnFields {...props} setContent={setContent} />
      )}
      {!carriesOwnText(channel) && <SessionText {...props} />}
    </div>
  );
}
