/** A campaign's template, a value for each of its placeholders, and a file in place of the template's own file. */
import { Button, Select, Switch, TextInput } from '@mantine/core';
import { findPlaceholders, type Placeholder } from '@parley/contract/templates/placeholders.ts';
import { templatePlaceholders } from '@parley/contract/templates/rules.ts';
import { getTemplate, listTemplates, type Template } from '@parley/contract/templates/templates.ts';
import { IconTemplate } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { useContactFields } from '../../../audiences/people/contact_fields.ts';
import { useEndpoint } from '../../../kernel/http/query.ts';
import { useReason } from '../../../kernel/session/session.tsx';
import { NO_ATTACHMENT } from '../../../media/attachment.ts';
import { formatMoney } from '../../../ui/data/format.ts';
import { Disabled } from '../../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { lazyPart } from '../../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../../ui/feedback/Skeletons.tsx';
import { VARIABLES } from '../../labels.ts';
import { usePreview } from '../choices.ts';
import styles from '../Wizard.module.css';
import type { ContentDraft } from './content_draft.ts';
import type { ContentStepProps } from './content_step.ts';
import { FileField } from './FileField.tsx';
import { FIXED, readMapping, writeMapping } from './mapping.ts';

// Loaded when the user opens it.
const TemplatePicker = lazyPart(() => import('../../../channels/compose/TemplatePicker.tsx'));

interface Props extends ContentStepProps {
  setContent: (part: Partial<ContentDraft>) => void;
}

export function TemplateFields(props: Props) {
  const { channel, draft, change, errors, sender } = props;
  const [picking, setPicking] = useState(false);
  const reason = useReason(listTemplates.needs);
  const query = useEndpoint(
    getTemplate,
    { params: { id: draft.template_id ?? '' } },
    { enabled: reason === null && draft.template_id !== null },
  );
  const template = draft.template_id === null ? undefined : query.data?.data;
  const error = errors.fieldError('template');
  return (
    <>
      <div className={styles.choice} data-path="template">
        <span className={styles.choiceLabel}>Template</span>
        {template && <Chosen template={template} {...props} />}
        <div>
          <Disabled reason={reason}>
            <Button
              variant="default"
              leftSection={<IconTemplate size={16} aria-hidden />}
              onClick={() => setPicking(true)}
            >
              {template ? 'Choose another template' : 'Choose template'}
            </Button>
          </Disabled>
        </div>
        {error && (
          <p className={styles.wrong} role="alert">
            {error}
          </p>
        )}
      </div>
      {draft.template_id !== null && query.error ? (
        <ErrorState title="The template could not be loaded" onRetry={() => void query.refetch()}>
          {query.error.message}
        </ErrorState>
      ) : draft.template_id !== null && !template && !reason ? (
        <SkeletonLines lines={3} />
      ) : null}
      {template && <Placeholders template={template} {...props} />}
      {template && template.type !== 'text' && <OwnFile type={template.type} {...props} />}
      {picking && (
        <Suspense>
          <TemplatePicker
            channel={channel}
            sender={sender}
            onClose={() => setPicking(false)}
            onPick={({ id, text, type }) => {
              const content = { ...draft.content, type, variables: [], attachment: NO_ATTACHMENT, file_name: '' };
              change({ template_id: id, text, content });
              setPicking(false);
            }}
          />
        </Suspense>
      )}
    </>
  );
}

const CATEGORY_LABELS = { MARKETING: 'Marketing', UTILITY: 'Utility', AUTHENTICATION: 'Authentication' } as const;

/** The template's name, with its category and the price of a message in this category. */
function Chosen({ template, channel, draft }: Props & { template: Template }) {
  const { preview } = usePreview(channel, draft, null, draft.audience_id !== null);
  const prices = preview?.cost.flatMap(({ price_micros: low, price_max_micros: high }) => [low ?? 0, high ?? 0]) ?? [];
  const price = (micros: number) => formatMoney(micros, preview!.currency, { exact: true });
  const [low, high] = [Math.min(...prices), Math.max(...prices)];
  const facts = [
    template.wa_category && CATEGORY_LABELS[template.wa_category],
    prices.length > 0 && high > 0 && `${low === high ? price(low) : `${price(low)} to ${price(high)}`} per message`,
  ].filter(Boolean);
  return (
    <p className={styles.chosen}>
      <bdi>{template.name}</bdi>
      {facts.length > 0 && <span className={styles.optionNote}>{facts.join(', ')}</span>}
    </p>
  );
}

function Placeholders({ template, draft, setContent }: Props & { template: Template }) {
  const placeholders = templatePlaceholders(template);
  const { variables } = draft.content;
  const set = (at: number, value: string) =>
    setContent({ variables: placeholders.map((_, index) => (index === at ? value : (variables[index] ?? ''))) });
  if (placeholders.length === 0) return null;
  const header = findPlaceholders(template.header ?? '').length;
  return (
    <fieldset className={styles.mappings}>
      <legend>Variables</legend>
      {placeholders.map((placeholder, at) => (
        <MappingFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a placeholder has no identity but its position
          key={at}
          placeholder={placeholder}
          place={at < header ? 'header' : 'text'}
          value={variables[at] ?? ''}
          onChange={(value) => set(at, value)}
        />
      ))}
    </fieldset>
  );
}

const SOURCES = VARIABLES.filter(({ key }) => key !== 'sms_opt_out').map(({ key, label }) => ({
  value: key as string,
  label,
}));

interface MappingProps {
  placeholder: Placeholder;
  place: string;
  value: string;
  onChange: (value: string) => void;
}

function MappingFields({ placeholder, place, value, onChange }: MappingProps) {
  const fields = useContactFields();
  const mapping = readMapping(
    value,
    placeholder,
    fields.map(({ key }) => key),
  );
  const sources = [
    ...SOURCES,
    ...fields.map(({ key, label }) => ({ value: key, label })),
    { value: FIXED, label: 'Fixed text' },
  ];
  const isFixed = mapping.source === FIXED;
  return (
    <div className={styles.mapping}>
      <Select
        label={`${placeholder.tag} in the ${place}`}
        placeholder="Choose a value"
        data={sources}
        value={mapping.source || null}
        allowDeselect={false}
        onChange={(source) => source && onChange(writeMapping({ source, text: source === FIXED ? '' : mapping.text }))}
      />
      {mapping.source !== '' && (
        <TextInput
          label={isFixed ? 'Text' : 'Default'}
          description={isFixed ? undefined : 'For contacts without a value. Without a default, they are skipped.'}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          maxLength={70}
          value={mapping.text}
          onChange={(event) => onChange(writeMapping({ ...mapping, text: event.currentTarget.value }))}
        />
      )}
    </div>
  );
}

function OwnFile({ type, channel, draft, setContent }: Props & { type: Exclude<Template['type'], 'text'> }) {
  const { attachment } = draft.content;
  const [isOwn, setOwn] = useState(attachment.media !== null || attachment.url !== '');
  return (
    <>
      <Switch
        label="Send another file instead of the template’s own file"
        checked={isOwn}
        onChange={(event) => {
          setOwn(event.currentTarget.checked);
          setContent({ attachment: NO_ATTACHMENT });
        }}
      />
      {isOwn && (
        <FileField
          type={type}
          channel={channel}
          value={attachment}
          onChange={(next) => setContent({ attachment: next })}
        />
      )}
    </>
  );
}
