/** The settings of the contact sync. They are saved as a whole, after a preview if the user wants one. */

import { Button, NativeSelect, Switch } from '@mantine/core';
import { listAudiences } from '@parley/contract/audiences/audiences.ts';
import { listContactFields } from '@parley/contract/audiences/contact_fields.ts';
import {
  type CrmField,
  type CrmSync,
  listCrmFields,
  previewCrmSync,
  updateCrmSync,
} from '@parley/contract/crm/sync.ts';
import { useState } from 'react';
import type { ApiError } from '../../../kernel/http/client.ts';
import { useAction, useEndpoint } from '../../../kernel/http/query.ts';
import { brandName } from '../../../ui/brand.ts';
import { Disabled } from '../../../ui/feedback/Disabled.tsx';
import { ErrorState } from '../../../ui/feedback/ErrorState.tsx';
import { Notice } from '../../../ui/feedback/Notice.tsx';
import { SkeletonLines } from '../../../ui/feedback/Skeletons.tsx';
import { toast } from '../../../ui/feedback/Toasts.tsx';
import { Buttons } from '../../../ui/form/FormParts.tsx';
import settings from '../../Settings.module.css';
import { ConsentMaps } from './ConsentMaps.tsx';
import type { Draft } from './draft.ts';
import { FieldMaps } from './FieldMaps.tsx';
import { Preview } from './Preview.tsx';

interface FormProps {
  sync: CrmSync;
  label: string;
}

export function SyncForm({ sync, label }: FormProps) {
  const params = { provider: sync.provider };
  const fields = useEndpoint(listCrmFields, { params });
  const own = useEndpoint(listContactFields, { query: { page_size: 100 } });
  const audiences = useEndpoint(listAudiences, { query: { page_size: 300 } });
  const failed = [fields, own, audiences].find(({ error }) => error);
  if (failed?.error)
    return (
      <ErrorState title="The fields could not be loaded" onRetry={() => void failed.refetch()}>
        {failed.error.message}
      </ErrorState>
    );
  if (!fields.data || !own.data || !audiences.data) return <SkeletonLines lines={6} />;
  const targets = own.data.data.map(({ key, label: name }) => ({ value: `fields.${key}`, label: name }));
  const lists = audiences.data.data.filter(({ conditions }) => conditions === null);
  return <Loaded sync={sync} label={label} fields={fields.data.data} targets={targets} audiences={lists} />;
}

interface LoadedProps extends FormProps {
  fields: CrmField[];
  targets: { value: string; label: string }[];
  audiences: { id: string; name: string }[];
}

/** Suggests the names, if the CRM has such fields. */
function start(sync: CrmSync, fields: readonly CrmField[]): Draft {
  const { direction, rule, audience_id, consents, opt_out } = sync;
  const names = [
    { keys: ['first_name', 'firstname'], parley: 'first_name' },
    { keys: ['last_name', 'lastname'], parley: 'last_name' },
  ].flatMap(({ keys, parley }) => {
    const field = fields.find(({ key }) => keys.includes(key));
    return field ? [{ crm: field.key, parley }] : [];
  });
  const isNew = audience_id === null;
  return { direction, rule, consents, opt_out, audience_id: audience_id ?? '', fields: isNew ? names : sync.fields };
}

function Loaded({ sync, label, fields, targets, audiences }: LoadedProps) {
  const [draft, setDraft] = useState<Draft>(() => start(sync, fields));
  const [problem, setProblem] = useState<string | null>(null);
  const onError = ({ errors, message }: ApiError) => setProblem(errors.map((one) => one.message).join(' ') || message);
  const preview = useAction(previewCrmSync, { onError });
  const change = (changes: Partial<Draft>) => {
    setDraft((old) => ({ ...old, ...changes }));
    // The preview belongs to the settings before the change.
    preview.reset();
  };
  const update = useAction(updateCrmSync, {
    onError,
    onSuccess: ({ data }) => toast.success(data.is_on ? 'The contact sync is on' : 'The contact sync is off'),
  });
  const params = { provider: sync.provider };
  const save = () => {
    setProblem(null);
    update.mutate({ params, body: { ...draft, is_on: true } });
  };
  // Changes that are not saved yet, and may be incomplete, do not keep the sync from being turned off.
  const turnOff = ({ direction, rule, audience_id, fields: maps, consents, opt_out }: CrmSync) => {
    setProblem(null);
    const stored = { direction, rule, audience_id: audience_id!, fields: maps, consents, opt_out };
    update.mutate({ params, body: { ...stored, is_on: false } });
  };
  const reason = draft.audience_id === '' ? 'Select an audience first.' : null;
  return (
    <form
      className={settings.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!reason) save();
      }}
    >
      <Rules draft={draft} label={label} audiences={audiences} onChange={change} />
      <FieldMaps draft={draft} label={label} fields={fields} targets={targets} onChange={change} />
      <ConsentMaps draft={draft} label={label} fields={fields} onChange={change} />
      {problem && <Notice tone="fail">{problem}</Notice>}
      {preview.data && <Preview preview={preview.data.data} label={label} />}
      <Buttons>
        <Disabled reason={reason}>
          <Button type="submit" loading={update.isPending}>
            {sync.is_on ? 'Save changes' : 'Turn on sync'}
          </Button>
        </Disabled>
        <Disabled reason={reason}>
          <Button
            variant="default"
            loading={preview.isPending}
            onClick={() => {
              setProblem(null);
              preview.mutate({ params, body: draft });
            }}
          >
            Show preview
          </Button>
        </Disabled>
        {sync.is_on && (
          <Button variant="default" loading={update.isPending} onClick={() => turnOff(sync)}>
            Turn off
          </Button>
        )}
      </Buttons>
    </form>
  );
}

interface RulesProps {
  draft: Draft;
  label: string;
  audiences: { id: string; name: string }[];
  onChange: (changes: Partial<Draft>) => void;
}

function Rules({ draft, label, audiences, onChange }: RulesProps) {
  const directions = [
    { value: 'both', label: 'Both directions' },
    { value: 'to_parley', label: `From ${label} to ${brandName()}` },
    { value: 'to_crm', label: `From ${brandName()} to ${label}` },
  ];
  const rules = [
    { value: 'newest', label: 'The newest change' },
    { value: 'crm', label: `The change in ${label}` },
    { value: 'parley', label: `The change in ${brandName()}` },
  ];
  return (
    <>
      <NativeSelect
        label="Audience"
        description="An audience that is not dynamic. People without a phone number are skipped."
        data={[
          { value: '', label: 'Select an audience' },
          ...audiences.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        value={draft.audience_id}
        onChange={({ currentTarget: { value } }) => onChange({ audience_id: value })}
      />
      <NativeSelect
        label="Direction"
        data={directions}
        value={draft.direction}
        onChange={({ currentTarget: { value } }) => onChange({ direction: value as Draft['direction'] })}
      />
      {draft.direction === 'both' && (
        <NativeSelect
          label="If both sides changed the same field"
          description="Opt-outs always win."
          data={rules}
          value={draft.rule}
          onChange={({ currentTarget: { value } }) => onChange({ rule: value as Draft['rule'] })}
        />
      )}
      <Switch
        label="Opt-outs"
        description={`A field in ${label} shows who has opted out. It is kept in sync with the stop list.`}
        checked={draft.opt_out !== null}
        onChange={({ currentTarget: { checked } }) =>
          onChange({ opt_out: checked ? { crm: '', yes: 'Yes', no: 'No' } : null })
        }
      />
    </>
  );
}
