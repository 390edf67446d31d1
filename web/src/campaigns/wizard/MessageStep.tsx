import { ActionIcon } from '@mantine/core';
import { render } from '@parley/contract/channels/sms/text.ts';
import { withSampleLinks } from '@parley/contract/links/inline.ts';
import { MAX_TEXT } from '@parley/contract/messages/messages.ts';
import { listTemplates } from '@parley/contract/templates/templates.ts';
import { IconTemplate } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { fieldVariables, useContactFields } from '../../audiences/people/contact_fields.ts';
import { SmsComposer } from '../../channels/sms/SmsComposer.tsx';
import { useReason } from '../../kernel/session/session.tsx';
import { Disabled } from '../../ui/feedback/Disabled.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { VARIABLES } from '../labels.ts';
import type { SampleState } from './choices.ts';
import type { StepProps } from './step.ts';
import styles from './Wizard.module.css';

// Loaded when the user opens it.
const TemplatePicker = lazyPart(() => import('../../channels/compose/TemplatePicker.tsx'));

export function MessageStep({ channel, draft, change, errors, sample }: StepProps & SampleState) {
  const [picking, setPicking] = useState(false);
  const fields = useContactFields();
  const missing = useReason(listTemplates.needs);
  const filled = sample ? render(withSampleLinks(draft.text, sample.link_prefix), sample.variables) : undefined;
  return (
    <div className={styles.fields}>
      <SmsComposer
        label="Text"
        value={draft.text}
        {...(filled === undefined ? {} : { filled })}
        name="text"
        error={errors.fieldError('text')}
        onBlur={() => errors.onLeave('text')}
        onChange={(text) => change({ text, ...(text.trim() === '' ? { template_id: null } : {}) })}
        max={MAX_TEXT}
        recipient={sample?.number}
        variables={[...VARIABLES, ...fieldVariables(fields)]}
        placeholder="Hello {first_name:there}, ..."
        minRows={7}
        tools={
          <Disabled reason={missing}>
            <ActionIcon aria-label="Use a template" onClick={() => setPicking(true)}>
              <IconTemplate size={17} stroke={1.8} aria-hidden />
            </ActionIcon>
          </Disabled>
        }
      />
      {picking && (
        <Suspense>
          <TemplatePicker
            channel={channel}
            onClose={() => setPicking(false)}
            onPick={({ id, text }) => {
              change({ text, template_id: id });
              setPicking(false);
            }}
          />
        </Suspense>
      )}
      <p className={styles.hint}>
        Variables are replaced for each recipient. Add a default after a colon for recipients without a value:{' '}
        <code>{'{first_name:there}'}</code>. A link such as <code>{'{url=https://example.com}'}</code> becomes a unique
        short link for each recipient. Segments are counted for the recipient in the preview.
      </p>
    </div>
  );
}
