/** A logo: the uploaded image, or a place to drop one. */
import { Button } from '@mantine/core';
import { createBrandImage, LOGO_TYPES, MAX_LOGO_BYTES } from '@parley/contract/brand/brand.ts';
import { useId, useState } from 'react';
import { ApiError, callUpload } from '../../kernel/http/client.ts';
import { toastError } from '../../kernel/http/query.ts';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import styles from './Brand.module.css';

export interface BrandImage {
  id: string;
  url: string;
}

interface ImageFieldProps {
  label: string;
  hint?: string;
  value: BrandImage | null;
  onChange: (value: BrandImage | null) => void;
  readOnly: boolean;
}

export function ImageField({ label, hint, value, onChange, readOnly }: ImageFieldProps) {
  const id = useId();
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const upload = async (file: File | null) => {
    setProblem(null);
    if (!file) return;
    setSending(true);
    try {
      onChange((await callUpload(createBrandImage, {}, file)).data);
    } catch (error) {
      if (error instanceof ApiError) setProblem(error.message);
      else toastError(error);
    } finally {
      setSending(false);
    }
  };
  return (
    <fieldset className={styles.group} aria-labelledby={id}>
      <p id={id} className={styles.label}>
        {label}
      </p>
      {value ? (
        <div className={styles.image}>
          <img src={value.url} alt={label} />
          {!readOnly && (
            <Button size="xs" variant="default" onClick={() => onChange(null)}>
              Remove
            </Button>
          )}
        </div>
      ) : (
        <FileDrop
          label={hint ?? 'Drop a logo here'}
          accept={LOGO_TYPES}
          max_bytes={MAX_LOGO_BYTES}
          file={null}
          onFile={(file) => void upload(file)}
          error={problem}
          disabled={isSending || readOnly}
        />
      )}
    </fieldset>
  );
}
