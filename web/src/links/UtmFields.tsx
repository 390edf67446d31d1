import { Button, Select, TextInput } from '@mantine/core';
import { readUtm, UTM_PARAMS, type UtmParam, withUtm } from '@parley/contract/links/utm.ts';
import { createUtmPreset, listUtmPresets, removeUtmPreset } from '@parley/contract/links/utm_presets.ts';
import { useState } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Allow } from '../kernel/session/allow.tsx';
import { toast } from '../ui/feedback/Toasts.tsx';
import styles from './Links.module.css';

const LABELS: Readonly<Record<UtmParam, { label: string; placeholder: string }>> = {
  source: { label: 'Source', placeholder: 'newsletter' },
  medium: { label: 'Medium', placeholder: 'sms' },
  campaign: { label: 'Campaign', placeholder: 'winter-sale' },
  term: { label: 'Term', placeholder: '' },
  content: { label: 'Content', placeholder: '' },
};

interface Props {
  url: string;
  onChange: (url: string) => void;
}

/** Writes UTM parameters into the destination, which is their only place. */
export function UtmFields({ url, onChange }: Props) {
  const params = readUtm(url);
  return (
    <details className={styles.utm}>
      <summary>UTM parameters</summary>
      {params ? (
        <div className={styles.utmFields}>
          <Presets url={url} onChange={onChange} />
          {UTM_PARAMS.map((name) => (
            <TextInput
              key={name}
              {...LABELS[name]}
              maxLength={100}
              value={params[name]}
              onChange={(event) => onChange(withUtm(url, { [name]: event.currentTarget.value }))}
            />
          ))}
        </div>
      ) : (
        <p className={styles.note}>Enter the destination first.</p>
      )}
    </details>
  );
}

function Presets({ url, onChange }: Props) {
  const presets = useEndpoint(listUtmPresets, {}).data?.data ?? [];
  const [chosen, setChosen] = useState<string | null>(null);
  const [name, setName] = useState('');
  const preset = presets.find(({ id }) => id === chosen);
  const onError = (error: { message: string }) => toast.error(error.message);
  const create = useAction(createUtmPreset, {
    onError,
    onSuccess: ({ data }) => {
      setName('');
      setChosen(data.id);
    },
  });
  const remove = useAction(removeUtmPreset, { onError, onSuccess: () => setChosen(null) });
  const params = readUtm(url);
  const canSave = name.trim() !== '' && params !== null && UTM_PARAMS.some((param) => params[param] !== '');
  return (
    <>
      {presets.length > 0 && (
        <div className={styles.preset}>
          <Select
            label="Preset"
            placeholder="Choose a preset"
            data={presets.map(({ id, name: label }) => ({ value: id, label }))}
            value={chosen}
            onChange={(id) => {
              setChosen(id);
              const found = presets.find((one) => one.id === id);
              if (found) onChange(withUtm(url, found));
            }}
          />
          {preset && (
            <Allow needs={removeUtmPreset.needs}>
              <Button
                variant="default"
                loading={remove.isPending}
                onClick={() => remove.mutate({ params: { id: preset.id } })}
              >
                Delete preset
              </Button>
            </Allow>
          )}
        </div>
      )}
      <div className={styles.preset} data-last>
        <TextInput
          label="Name of a new preset"
          description="Saves these parameters for everyone in the account."
          maxLength={60}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Allow needs={createUtmPreset.needs}>
          <Button
            variant="default"
            disabled={!canSave}
            loading={create.isPending}
            onClick={() => params && create.mutate({ body: { name, ...params } })}
          >
            Save preset
          </Button>
        </Allow>
      </div>
    </>
  );
}
