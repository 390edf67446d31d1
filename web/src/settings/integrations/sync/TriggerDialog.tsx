import { Modal, NativeSelect } from '@mantine/core';
import type { CrmName } from '@parley/contract/crm/crm.ts';
import { type CrmTrigger, createCrmTrigger, listCrmStages } from '@parley/contract/crm/triggers.ts';
import { listSenders } from '@parley/contract/senders/senders.ts';
import { listTemplates } from '@parley/contract/templates/templates.ts';
import { useState } from 'react';
import type { ApiError } from '../../../kernel/http/client.ts';
import { useAction, useEndpoint } from '../../../kernel/http/query.ts';
import { DialogFooter } from '../../../ui/form/FormParts.tsx';
import settings from '../../Settings.module.css';

interface DialogProps {
  provider: CrmName;
  label: string;
  onClose: () => void;
}

type Rules = Pick<CrmTrigger, 'purpose' | 'reentry'>;

/** The message is sent to deals that enter the stage from now on. */
export function TriggerDialog({ provider, label, onClose }: DialogProps) {
  const [draft, setDraft] = useState({ stage_id: '', sender_id: '', template_id: '' });
  const [rules, setRules] = useState<Rules>({ purpose: 'transactional', reentry: 'once' });
  const [problem, setProblem] = useState<string | null>(null);
  const stages = useEndpoint(listCrmStages, { params: { provider } });
  const senders = useEndpoint(listSenders, { query: { page_size: 300 } });
  const templates = useEndpoint(listTemplates, { query: { page_size: 300, filter: { status: 'COMPLETED' } } });
  const create = useAction(createCrmTrigger, {
    onSuccess: onClose,
    onError: ({ errors, message }: ApiError) => setProblem(errors.map((one) => one.message).join(' ') || message),
  });
  const usable = (senders.data?.data ?? []).filter(({ status }) => status === 'approved' || status === 'available');
  const channel = usable.find(({ id }) => id === draft.sender_id)?.channel;
  const fitting = (templates.data?.data ?? []).filter((template) => template.channel === channel);
  const change = (changes: Partial<typeof draft>) => setDraft((old) => ({ ...old, ...changes }));
  return (
    <Modal opened onClose={onClose} title="Add message">
      <form
        className={settings.form}
        onSubmit={(event) => {
          event.preventDefault();
          setProblem(null);
          create.mutate({ params: { provider }, body: { ...draft, ...rules, is_on: true } });
        }}
      >
        <NativeSelect
          label="When a deal enters"
          description={`Deals already in the stage do not send it. The stages come from ${label}.`}
          data={options(
            'Select a stage',
            (stages.data?.data ?? []).map(({ id, name, pipeline }) => ({ id, name: `${pipeline}: ${name}` })),
          )}
          error={stages.error?.message}
          value={draft.stage_id}
          onChange={({ currentTarget: { value } }) => change({ stage_id: value })}
        />
        <NativeSelect
          label="Send from"
          data={options('Select a sender', usable)}
          value={draft.sender_id}
          onChange={({ currentTarget: { value } }) => change({ sender_id: value, template_id: '' })}
        />
        <NativeSelect
          label="Template"
          description="Variables are replaced with the person’s values."
          data={options('Select a template', fitting)}
          disabled={!channel}
          value={draft.template_id}
          onChange={({ currentTarget: { value } }) => change({ template_id: value })}
        />
        <NativeSelect
          label="Purpose"
          data={[
            { value: 'transactional', label: 'Transactional' },
            { value: 'marketing', label: 'Marketing, only to people who agreed' },
          ]}
          value={rules.purpose}
          onChange={({ currentTarget: { value } }) => setRules({ ...rules, purpose: value as typeof rules.purpose })}
        />
        <NativeSelect
          label="If the deal enters the stage again"
          data={[
            { value: 'once', label: 'Send nothing' },
            { value: 'each_time', label: 'Send the message again' },
          ]}
          value={rules.reentry}
          onChange={({ currentTarget: { value } }) => setRules({ ...rules, reentry: value as typeof rules.reentry })}
        />
        <DialogFooter problem={problem} sending={create.isPending} action="Add message" onClose={onClose} />
      </form>
    </Modal>
  );
}

const options = (first: string, rows: readonly { id: string; name: string }[]) => [
  { value: '', label: first },
  ...rows.map(({ id, name }) => ({ value: id, label: name })),
];
