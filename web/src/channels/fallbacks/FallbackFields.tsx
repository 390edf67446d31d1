/** The fallback steps of one message. The caller supplies the senders for each channel and the field errors. */
import { Button } from '@mantine/core';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { IconPlus } from '@tabler/icons-react';
import { useRef } from 'react';
import type { FieldError } from '../field_errors.ts';
import styles from './Fallbacks.module.css';
import {
  addStep,
  canAddStep,
  changeStep,
  type FallbackStep,
  type MessageContent,
  moveStep,
  type SenderOptions,
} from './fallback_steps.ts';
import { StepFields } from './StepFields.tsx';

interface Props {
  /** The channel of the message itself. */
  channel: ChannelName;
  /** The content of the message itself. */
  content: MessageContent;
  steps: readonly FallbackStep[];
  onChange: (steps: FallbackStep[]) => void;
  options: Readonly<Record<ChannelName, SenderOptions>>;
  fieldError: FieldError;
  /** The initial wait of a new step. */
  wait: Pick<FallbackStep, 'wait' | 'unit'>;
}

export function FallbackFields({ channel, content, steps, onChange, options, fieldError, wait }: Props) {
  const root = useRef<HTMLFieldSetElement>(null);
  /** Focuses an element after the next render. */
  const focus = (find: (root: HTMLElement) => HTMLElement | null | undefined) =>
    requestAnimationFrame(() => root.current && find(root.current)?.focus());
  const move = (at: number, by: -1 | 1) => {
    onChange(moveStep(steps, at, by));
    // The focus follows the step. At either end of the list, it moves to the button for the opposite direction.
    focus((fields) => {
      const row = fields.querySelectorAll<HTMLElement>('li')[at + by];
      const button = row?.querySelector<HTMLButtonElement>(`[data-move="${by}"]`);
      return button?.disabled ? row?.querySelector<HTMLElement>(`[data-move="${-by}"]`) : button;
    });
  };
  const problem = fieldError('fallbacks');
  return (
    <fieldset ref={root} className={styles.root}>
      <legend className={styles.legend}>If the message is not delivered</legend>
      <p className={styles.hint}>
        Fallback channels, tried in this order. Once a channel delivers the message, the rest are skipped.
      </p>
      {steps.length > 0 && (
        <ol className={styles.steps}>
          {steps.map((step, at) => (
            <li key={step.key} className={styles.step}>
              <StepFields
                first={channel}
                steps={steps}
                at={at}
                content={content}
                options={options}
                fieldError={(field) => fieldError(`fallbacks.${at}${field && `.${field}`}`)}
                onChange={(part) => onChange(changeStep(steps, step.key, part))}
                onMove={(by) => move(at, by)}
                onRemove={() => {
                  onChange(steps.filter(({ key }) => key !== step.key));
                  focus((fields) => fields.querySelector<HTMLElement>('[data-add]'));
                }}
              />
            </li>
          ))}
        </ol>
      )}
      {problem && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      {canAddStep(channel, steps) && (
        <Button
          className={styles.add}
          variant="default"
          size="xs"
          data-add
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => {
            onChange(addStep(channel, steps, wait));
            focus((fields) => fields.querySelector<HTMLElement>('li:last-of-type input'));
          }}
        >
          Add fallback channel
        </Button>
      )}
    </fieldset>
  );
}
