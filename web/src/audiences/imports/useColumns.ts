import { type AudienceImport, getImport, startImport } from '@parley/contract/audiences/imports.ts';
import { useState } from 'react';
import { ApiError, call } from '../../kernel/http/client.ts';
import { queryClient, queryKey, toastError } from '../../kernel/http/query.ts';
import type { Blocker } from '../../ui/layout/Wizard.tsx';
import { type Choice, fileSettings, toChoice } from './choice.ts';
import { guessMapping, hasAddress, mappedColumns } from './mapping.ts';

export interface ColumnsState {
  /** The uploaded file; null before the upload. */
  upload: AudienceImport | null;
  choice: Choice;
  isReading: boolean;
  change: (changes: Partial<Choice>) => void;
  setUpload: (upload: AudienceImport | null) => void;
  /** Reads the file with other settings and guesses the columns again. */
  reread: (settings: Partial<Choice>) => Promise<void>;
  /** Starts the import. */
  run: () => Promise<undefined | Blocker[]>;
}

/** The second step of the wizard: file settings and columns of an uploaded file. */
export function useColumns(started: AudienceImport | null, onStarted: (import_id: string) => void): ColumnsState {
  const [upload, setStoredUpload] = useState(started);
  const [choice, setChoice] = useState<Choice>(() => toChoice(started));
  const [isReading, setReading] = useState(false);

  const setUpload = (next: AudienceImport | null) => {
    setStoredUpload(next);
    if (next) setChoice(toChoice(next));
  };
  const reread = async (settings: Partial<Choice>) => {
    if (!upload) return;
    const next = { ...choice, ...settings };
    setChoice(next);
    setReading(true);
    try {
      const { data } = await call(startImport, {
        params: { id: upload.id },
        body: { action: 'preview', options: { ...fileSettings(next), default_country: next.default_country } },
      });
      setStoredUpload(data);
      const { existing, tags, consent } = next;
      setChoice({ ...toChoice(data), existing, tags, consent, columns: guessMapping(data.preview.columns) });
    } catch (error) {
      setChoice(choice);
      toastError(error);
    } finally {
      setReading(false);
    }
  };
  const run = async (): Promise<undefined | Blocker[]> => {
    if (!upload) return undefined;
    const { columns, default_country, existing, tags, consent } = choice;
    if (!hasAddress(columns)) return [{ key: 'number', text: 'Select the column with the phone numbers.' }];
    if (consent?.text.trim() === '')
      return [{ key: 'consent', field: 'consent', text: 'Enter the exact text that people agreed to.' }];
    try {
      const { data } = await call(startImport, {
        params: { id: upload.id },
        body: { options: { columns: mappedColumns(columns), default_country, existing, tags, consent } },
      });
      queryClient.setQueryData(queryKey(getImport, { params: { id: data.id } }), { data });
      void queryClient.invalidateQueries({ queryKey: ['audience_imports'] });
      onStarted(data.id);
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && !error.announced) return [{ key: 'server', text: error.message }];
      toastError(error);
      return undefined;
    }
  };
  const change = (changes: Partial<Choice>) => setChoice((old) => ({ ...old, ...changes }));
  return { upload, choice, isReading, change, setUpload, reread, run };
}
