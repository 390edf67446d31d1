import { Select, TextInput } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import type { Sender } from '@parley/contract/senders/senders.ts';
import { channelLabel } from '../../channels/index.ts';
import { formatCount } from '../../ui/data/format.ts';
import { parsePhone, usePhone } from '../../ui/data/phone.ts';
import { StatChips } from '../../ui/data/StatChips.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { Optional } from '../../ui/form/Optional.tsx';
import { SearchSelect } from '../../ui/form/SearchSelect.tsx';
import { FixLink } from '../FixLink.tsx';
import { VALIDITIES } from '../labels.ts';
import { AudienceField } from './AudienceField.tsx';
import { type SenderChoice, usePreview } from './choices.ts';
import { LoadFailure } from './LoadFailure.tsx';
import { MoreAudiences } from './MoreAudiences.tsx';
import { previewStats } from './ReviewParts.tsx';
import type { StepProps } from './step.ts';
import styles from './Wizard.module.css';

export function SetupStep({ senders, failure, ...step }: StepProps & SenderChoice) {
  const { draft, change, errors } = step;
  return (
    <div className={styles.fields}>
      <TextInput
        label={
          <>
            Name
            <Optional />
          </>
        }
        description="Defaults to today’s date and time."
        maxLength={45}
        data-path="name"
        value={draft.name}
        error={errors.fieldError('name')}
        onBlur={() => errors.onLeave('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      <SenderField {...step} senders={senders} failure={failure} />
      <AudienceField {...step} />
      <MoreAudiences {...step} />
      {channelRules(step.channel).senders === 'business' && <CountriesField {...step} />}
      <Reach {...step} />
      <Select
        className={styles.short}
        label="Expires after"
        description="Messages that are not delivered by then are dropped."
        data={[...VALIDITIES]}
        value={String(draft.validity_seconds)}
        onChange={(value) => value && change({ validity_seconds: Number(value) })}
        allowDeselect={false}
      />
    </div>
  );
}

function SenderField({ channel, draft, change, errors, senders, failure }: StepProps & SenderChoice) {
  // Loads the rules that format the numbers in the list.
  usePhone(senders?.[0]?.code ?? '');
  return (
    <>
      <SearchSelect
        label="Sender"
        placeholder={senders === undefined ? 'Loading' : 'Select a sender'}
        data={(senders ?? []).map((sender) => ({ value: sender.id, label: senderLabel(sender) }))}
        value={senders?.some(({ id }) => id === draft.sender_id) ? draft.sender_id : null}
        data-path="sender"
        error={errors.fieldError('sender')}
        onChange={(sender_id) => change({ sender_id })}
        nothingFoundMessage="No matching senders"
        disabled={senders?.length === 0}
      />
      {senders?.length === 0 && (
        <Notice tone="wait" action={<FixLink fix={{ label: 'Open senders', path: '/senders' }} />}>
          You have no approved {channelLabel(channel)} sender yet.
        </Notice>
      )}
      <LoadFailure what="The senders" failure={failure} />
    </>
  );
}

function CountriesField({ draft, change }: StepProps) {
  return (
    <CountriesSelect
      label={
        <>
          Countries
          <Optional />
        </>
      }
      description="Only contacts in these countries get the message. Leave empty for all countries."
      value={draft.countries}
      onChange={(countries) => change({ countries })}
      clearable
    />
  );
}

/** How many contacts of the selected audience will receive the campaign. */
function Reach({ channel, draft }: Pick<StepProps, 'channel' | 'draft'>) {
  const { preview, counting } = usePreview(channel, { ...draft, text: '' }, null, draft.audience_id !== null);
  if (!draft.audience_id) return null;
  return (
    <div>
      <StatChips label="Recipients" stats={previewStats(counting ? undefined : preview)} />
      {preview && !counting && preview.counts.total > 0 && (
        <p className={styles.hint}>
          {formatCount(preview.counts.total, 'contact')} in the selected audiences. Invalid numbers were removed during
          import.
        </p>
      )}
    </div>
  );
}

const senderLabel = ({ name, code }: Sender): string => {
  const { text } = parsePhone(code);
  return name === code ? text : `${name} (${text})`;
};
