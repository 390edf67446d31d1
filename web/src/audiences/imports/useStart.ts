import { audienceName, createAudience } from '@parley/contract/audiences/audiences.ts';
import { type AudienceImport, createImport } from '@parley/contract/audiences/imports.ts';
import type { ChannelName } from '@parley/contract/channels/names.ts';
import { useRef, useState } from 'react';
import { issueText } from '../../kernel/form/rules.ts';
import '../../kernel/schema/rules.ts';
import { ApiError, call, callUpload } from '../../kernel/http/client.ts';
import { queryClient, toastError } from '../../kernel/http/query.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import type { Blocker } from '../../ui/layout/Wizard.tsx';
import type { Start } from './FileStep.tsx';

interface StartOptions {
  /** The audience to import into; null creates one. */
  into: string | null;
  /** The initial channel of a new audience. */
  channel: ChannelName;
  onCreated: (audience_id: string) => void;
  /** The user chose an audience with conditions, which has its own page. */
  onConditions: (start: Start) => void;
  onUploaded: (upload: AudienceImport) => void;
}

export interface StartState {
  start: Start;
  errors: { name?: string; file?: string };
  /** The uploaded fraction of the file, from 0 to 1; null if no upload is running. */
  progress: number | null;
  change: (changes: Partial<Start>) => void;
  checkName: () => void;
  /** Creates an empty audience, or uploads the file. */
  submit: () => Promise<undefined | Blocker[]>;
  abort: () => void;
}

/** The first step of the wizard: the audience's name and the file of contacts. */
export function useStart({ into, channel, onCreated, onConditions, onUploaded }: StartOptions): StartState {
  const [start, setStart] = useState<Start>({ source: 'file', name: '', channel, file: null });
  const [errors, setErrors] = useState<StartState['errors']>({});
  const [progress, setProgress] = useState<number | null>(null);
  const uploading = useRef<AbortController | null>(null);

  const create = async () => {
    const { data } = await call(createAudience, { body: { name: start.name, channel: start.channel } });
    void queryClient.invalidateQueries({ queryKey: ['audiences'] });
    toast.success(`Audience ${data.name} created`);
    onCreated(data.id);
  };
  const upload = async () => {
    uploading.current = new AbortController();
    setProgress(0);
    const fields = into ? { audience_id: into } : { name: start.name, channel: start.channel };
    const { data } = await callUpload(createImport, fields, start.file as File, {
      onProgress: setProgress,
      signal: uploading.current.signal,
    });
    onUploaded(data);
  };
  const show = (invalid: StartState['errors']): Blocker[] => {
    setErrors(invalid);
    return Object.entries(invalid).map(([field, text]) => ({ key: field, field, text }));
  };
  const submit = async (): Promise<undefined | Blocker[]> => {
    const invalid = validate(start, into);
    if (invalid.name || invalid.file) return show(invalid);
    if (start.source === 'conditions') {
      onConditions(start);
      return undefined;
    }
    try {
      await (start.source === 'empty' ? create() : upload());
      return undefined;
    } catch (error) {
      const refused = fieldErrors(error, start);
      if (refused) return show(refused);
      toastError(error);
      return undefined;
    } finally {
      setProgress(null);
    }
  };
  const change = (changes: Partial<Start>) => {
    setStart((old) => ({ ...old, ...changes }));
    setErrors({});
  };
  /** A name that is still empty is checked when the user continues. */
  const checkName = () => {
    const { name } = validate(start, into);
    if (name && start.name.trim() !== '') setErrors((old) => ({ ...old, name }));
  };
  return { start, errors, progress, change, checkName, submit, abort: () => uploading.current?.abort() };
}

function validate(start: Start, into: string | null): StartState['errors'] {
  const name = into ? undefined : audienceName.safeParse(start.name).error?.issues[0];
  return {
    ...(name ? { name: issueText(name as Parameters<typeof issueText>[0], 'Name', start.name) } : {}),
    ...(start.source === 'file' && !start.file ? { file: 'File is a required field' } : {}),
  };
}

/** The fields that an API error refers to; null if it refers to none. */
function fieldErrors(error: unknown, start: Start): StartState['errors'] | null {
  if (!(error instanceof ApiError) || error.announced) return null;
  if (error.errors[0]?.field === 'name') return { name: error.message };
  return start.source === 'file' ? { file: error.message } : null;
}
