/** Creates or edits a rule, and tests it on earlier conversations. A default export, because it loads when it opens. */
import { Button, Checkbox, Modal, MultiSelect, NativeSelect, TagsInput, Textarea, TextInput } from '@mantine/core';
import { listCampaigns } from '@parley/contract/campaigns/campaigns.ts';
import { INBOX_CHANNELS } from '@parley/contract/channels/names.ts';
import { listInboxSenders } from '@parley/contract/inbox/inbox.ts';
import { RULE_LANGUAGES } from '@parley/contract/inbox/rule_languages.ts';
import {
  createRule,
  type InboxRule,
  RULE_REPLY_MAX,
  type RuleActions,
  type RuleConditions,
  updateRule,
} from '@parley/contract/inbox/rules.ts';
import { useState } from 'react';
import { channelLabel } from '../../channels/index.ts';
import { useLabels } from '../../inbox/labels/labels.ts';
import type { ApiError } from '../../kernel/http/client.ts';
import { useAction, useEndpoint } from '../../kernel/http/query.ts';
import { useReason } from '../../kernel/session/session.tsx';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { Buttons } from '../../ui/form/FormParts.tsx';
import styles from '../Settings.module.css';
import { useNames } from './names.ts';
import rules from './Rules.module.css';
import { languageName, METHOD_WORDS, type Names } from './rule_words.ts';
import { TestRun } from './TestRun.tsx';

const NO_CONDITIONS: RuleConditions = {
  ...{ channels: [], sender_ids: [], texts: [], languages: [], campaign_ids: [], office_hours: null },
};
const NO_ACTIONS: RuleActions = { assign: null, label_ids: [], reply: null, close: false };

export default function RuleDialog({ rule, onClose }: { rule: InboxRule | null; onClose: () => void }) {
  const [name, setName] = useState(rule?.name ?? '');
  const [conditions, setConditions] = useState(rule?.conditions ?? NO_CONDITIONS);
  const [actions, setActions] = useState(rule?.actions ?? NO_ACTIONS);
  const [problem, setProblem] = useState<string | null>(null);
  const options = {
    onSuccess: onClose,
    onError: ({ errors, message }: ApiError) => setProblem(errors.map((one) => one.message).join(' ') || message),
  };
  const create = useAction(createRule, options);
  const update = useAction(updateRule, options);
  const isEmpty = !actions.assign && actions.label_ids.length === 0 && !actions.reply?.trim() && !actions.close;
  const save = () => {
    const body = { name: name.trim(), conditions, actions: { ...actions, reply: actions.reply?.trim() || null } };
    if (rule) update.mutate({ params: { id: rule.id }, body });
    else create.mutate({ body });
  };
  return (
    <Modal opened onClose={onClose} title={rule ? 'Edit rule' : 'Create rule'} size="lg">
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() && !isEmpty) save();
        }}
      >
        <TextInput
          label="Name"
          value={name}
          maxLength={60}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
          dir="auto"
        />
        <Conditions value={conditions} onChange={(change) => setConditions((old) => ({ ...old, ...change }))} />
        <TestRun conditions={conditions} />
        <Actions value={actions} onChange={(change) => setActions((old) => ({ ...old, ...change }))} />
        {problem && <Notice tone="fail">{problem}</Notice>}
        {!rule && <p className={styles.hint}>A new rule is off until you turn it on.</p>}
        <Buttons>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending || update.isPending} disabled={!name.trim() || isEmpty}>
            Save rule
          </Button>
        </Buttons>
      </form>
    </Modal>
  );
}

interface PartProps<T> {
  value: T;
  onChange: (change: Partial<T>) => void;
}

const LANGUAGES = RULE_LANGUAGES.map((value) => ({ value, label: languageName(value) })).toSorted((a, b) =>
  a.label.localeCompare(b.label, 'en'),
);

const OFFICE_HOURS = [
  { value: '', label: 'At any time' },
  { value: 'inside', label: 'Inside office hours' },
  { value: 'outside', label: 'Outside office hours' },
];

function Conditions({ value, onChange }: PartProps<RuleConditions>) {
  const senders = useEndpoint(listInboxSenders).data?.data ?? [];
  const mayCampaigns = useReason(listCampaigns.needs) === null;
  const campaigns =
    useEndpoint(listCampaigns, { query: { page_size: 100 } }, { enabled: mayCampaigns }).data?.data ?? [];
  return (
    <fieldset className={rules.part}>
      <legend>When</legend>
      <TagsInput
        label="The message contains one of"
        description="Case and accents do not matter. Press Enter after each text."
        placeholder={value.texts.length === 0 ? 'Any text' : ''}
        value={value.texts}
        onChange={(texts) => onChange({ texts })}
      />
      <MultiSelect
        label="Language of the message"
        description="The language of short texts, such as “ok”, is not recognized."
        placeholder={value.languages.length === 0 ? 'Any language' : ''}
        data={LANGUAGES}
        value={value.languages}
        onChange={(languages) => onChange({ languages: languages as RuleConditions['languages'] })}
        searchable
      />
      <MultiSelect
        label="Channel"
        placeholder={value.channels.length === 0 ? 'All channels' : ''}
        data={INBOX_CHANNELS.map((channel) => ({ value: channel, label: channelLabel(channel) }))}
        value={value.channels}
        onChange={(channels) => onChange({ channels: channels as RuleConditions['channels'] })}
      />
      <MultiSelect
        label="Sender"
        placeholder={value.sender_ids.length === 0 ? 'All senders' : ''}
        data={senders.map(({ value: id, label }) => ({ value: id, label }))}
        value={value.sender_ids}
        onChange={(sender_ids) => onChange({ sender_ids })}
        searchable
      />
      {mayCampaigns && (
        <MultiSelect
          label="Replies to a campaign"
          placeholder={value.campaign_ids.length === 0 ? 'Any message' : ''}
          data={campaigns.map(({ id, name }) => ({ value: id, label: name }))}
          value={value.campaign_ids}
          onChange={(campaign_ids) => onChange({ campaign_ids })}
          searchable
        />
      )}
      <NativeSelect
        label="Time"
        data={OFFICE_HOURS}
        value={value.office_hours ?? ''}
        onChange={(event) =>
          onChange({ office_hours: (event.currentTarget.value || null) as RuleConditions['office_hours'] })
        }
      />
    </fieldset>
  );
}

function Actions({ value, onChange }: PartProps<RuleActions>) {
  const names = useNames();
  const labels = useLabels();
  return (
    <fieldset className={rules.part}>
      <legend>Then</legend>
      <NativeSelect
        label="Assign to"
        data={assignOptions(names)}
        value={assignKey(value.assign)}
        onChange={(event) => onChange({ assign: readAssign(event.currentTarget.value) })}
      />
      <MultiSelect
        label="Add labels"
        data={labels.map(({ id, name }) => ({ value: id, label: name }))}
        value={value.label_ids}
        maxValues={10}
        onChange={(label_ids) => onChange({ label_ids })}
        searchable
      />
      <Textarea
        label="Reply"
        description={
          'Sent and charged like any other message, at most once every 24 hours. The contact still counts as waiting.'
        }
        maxLength={RULE_REPLY_MAX}
        autosize
        minRows={2}
        value={value.reply ?? ''}
        onChange={(event) => onChange({ reply: event.currentTarget.value || null })}
        dir="auto"
      />
      <Checkbox
        label="Close the conversation"
        checked={value.close}
        onChange={(event) => onChange({ close: event.currentTarget.checked })}
      />
    </fieldset>
  );
}

const METHODS = ['round_robin', 'least_busy'] as const;

const assignOptions = ({ teams, users }: Names) => [
  { value: '', label: 'Do not assign' },
  {
    group: 'Teams',
    items: [...teams].flatMap(([id, name]) =>
      METHODS.map((method) => ({ value: `${method} ${id}`, label: `${name}, ${METHOD_WORDS[method]}` })),
    ),
  },
  { group: 'Users', items: [...users].map(([id, name]) => ({ value: id, label: name })) },
];

const assignKey = (assign: RuleActions['assign']): string =>
  !assign ? '' : (assign.user_id ?? `${assign.method} ${assign.team_id}`);

function readAssign(key: string): RuleActions['assign'] {
  if (key === '') return null;
  const [first, team_id] = key.split(' ');
  const method = METHODS.find((one) => one === first);
  return method && team_id
    ? { user_id: null, team_id, method }
    : { user_id: key, team_id: null, method: 'round_robin' };
}
