/** The fields of a content rule: the content that it looks for, its action, and the messages to which it applies. */
import { Input, MultiSelect, NumberInput, Select, Switch, TagsInput, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { CHANNEL_LABELS, CHANNELS } from '@parley/contract/channels/names.ts';
import {
  CONTENT_ACTION_WORDS,
  CONTENT_ACTIONS,
  CONTENT_KIND_WORDS,
  CONTENT_RULE_KINDS,
  type ContentRule,
  LINK_MATCHES,
} from '@parley/contract/guard/content_rules.ts';
import { useState } from 'react';
import { CountriesSelect } from '../../ui/form/CountriesSelect.tsx';
import { Field } from '../../ui/form/Field.tsx';
import { Pair } from '../../ui/form/FormParts.tsx';
import { AccountsInput } from './AccountsInput.tsx';
import type { RuleValues } from './rule_values.ts';
import { LINK_LABELS } from './rule_words.ts';

type RuleForm = UseFormReturnType<RuleValues>;

const KINDS = CONTENT_RULE_KINDS.map((value) => ({ value, label: CONTENT_KIND_WORDS[value].label }));
const ACTIONS = CONTENT_ACTIONS.map((value) => ({ value, label: CONTENT_ACTION_WORDS[value].label }));
const LINKS = LINK_MATCHES.map((value) => ({ value, label: LINK_LABELS[value] }));
const CHANNEL_OPTIONS = CHANNELS.map((value) => ({ value, label: CHANNEL_LABELS[value] }));

export function RuleFields({ form, known }: { form: RuleForm; known: ContentRule['accounts'] }) {
  const initial = form.getValues();
  const [kind, setKind] = useState(initial.kind);
  const [action, setAction] = useState(initial.action);
  form.watch('kind', ({ value }) => setKind(value));
  form.watch('action', ({ value }) => setAction(value));
  return (
    <>
      <Field form={form} name="name" as={TextInput} label="Name" maxLength={80} data-autofocus />
      <Field form={form} name="kind" as={Select} label="Look for" data={KINDS} allowDeselect={false} />
      <KindFields form={form} kind={kind} />
      <Field
        form={form}
        name="exceptions"
        as={TagsInput}
        label="Exceptions"
        description="Domains and words that this rule ignores."
        optional
      />
      <Field
        form={form}
        name="action"
        as={Select}
        label="Action"
        description={CONTENT_ACTION_WORDS[action].description}
        data={ACTIONS}
        allowDeselect={false}
      />
      <Field
        form={form}
        name="countries"
        as={CountriesSelect}
        label="Countries"
        description="Leave empty for all countries."
        optional
      />
      <Field
        form={form}
        name="channels"
        as={MultiSelect}
        label="Channels"
        description="Leave empty for all channels."
        data={CHANNEL_OPTIONS}
        optional
      />
      <Scope form={form} known={known} />
      <Field form={form} name="enabled" as={Switch} type="checkbox" label="Enabled" />
    </>
  );
}

/** The fields that only rules of this kind have. */
function KindFields({ form, kind }: { form: RuleForm; kind: RuleValues['kind'] }) {
  return (
    <>
      {kind === 'links' && <LinkFields form={form} />}
      {kind === 'lookalikes' && (
        <Field
          form={form}
          name="brands"
          optional={false}
          as={TagsInput}
          label="Brands"
          description="One word each. Also finds variant spellings and look-alike letters in texts and links."
        />
      )}
      {kind === 'words' && (
        <Field
          form={form}
          name="words"
          optional={false}
          as={TagsInput}
          label="Words"
          description="Words or phrases in any script. Case and accents do not matter. Press Enter after each one."
        />
      )}
      {kind === 'new_sender' && (
        <Pair>
          <Field
            form={form}
            name="sender_days"
            optional={false}
            as={NumberInput}
            label="Sender age (days)"
            min={1}
            max={365}
          />
          <Field
            form={form}
            name="links_per_hour"
            optional={false}
            as={NumberInput}
            label="Messages with links per hour"
            min={0}
          />
        </Pair>
      )}
    </>
  );
}

function LinkFields({ form }: { form: RuleForm }) {
  const [links, setLinks] = useState(form.getValues().links);
  form.watch('links', ({ value }) => setLinks(value));
  return (
    <>
      <Field form={form} name="links" optional={false} as={Select} label="Links" data={LINKS} allowDeselect={false} />
      {links === 'domains' && (
        <Field
          form={form}
          name="domains"
          optional={false}
          as={TagsInput}
          label="Domains"
          description="Subdomains are included. Press Enter after each one."
        />
      )}
    </>
  );
}

const Scope = ({ form, known }: { form: RuleForm; known: ContentRule['accounts'] }) => (
  <Input.Wrapper labelElement="div">
    <Field
      form={form}
      name="account_ids"
      as={AccountsInput}
      known={known}
      label="Accounts"
      description="Leave empty for all accounts."
      optional
    />
    <Field
      form={form}
      name="exempt_account_ids"
      as={AccountsInput}
      known={known}
      label="Trusted accounts"
      description="The rule does not apply to them."
      optional
      mt="md"
    />
  </Input.Wrapper>
);
