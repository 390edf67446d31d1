import { type Audience, audienceName, createAudience } from '@parley/contract/audiences/audiences.ts';
import {
  type AudienceImport,
  cancelImport,
  createImport,
  getImport,
  startImport,
} from '@parley/contract/audiences/imports.ts';
import { issueMessage } from '@parley/contract/problem.ts';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useUnsavedGuard } from '../../kernel/form/form.ts';
import { ApiError, call, callUpload } from '../../kernel/http/client.ts';
import { queryClient, queryKey, toastError } from '../../kernel/http/query.ts';
import { AUDIENCES, audiencePath, importPath } from '../../paths.ts';
import { formatCount } from '../../ui/data/format.ts';
import { toast } from '../../ui/feedback/Toasts.tsx';
import { type Blocker, Wizard } from '../../ui/layout/Wizard.tsx';
import { ColumnsStep } from './ColumnsStep.tsx';
import { type Choice, choiceOf, readingOf } from './choice.ts';
import { FileStep, type Start } from './FileStep.tsx';
import { FirstContacts } from './FirstContacts.tsx';
import { guessed } from './mapping.ts';

const STEPS = [
  { key: 'start', label: 'Contacts' },
  { key: 'columns', label: 'Columns' },
];

export function CreateWizard({ audience, started }: { audience: Audience | null; started: AudienceImport | null }) {
  const navigate = useNavigate();
  const [start, setStart] = useState<Start>({ way: 'file', name: '', file: null });
  const [errors, setErrors] = useState<{ name?: string; file?: string }>({});
  const [sent, setSent] = useState<number | null>(null);
  const [found, setFound] = useState(started);
  const [choice, setChoice] = useState<Choice>(() => choiceOf(started));
  const [looking, setLooking] = useState(false);
  const leaving = useRef(false);
  const uploading = useRef<AbortController | null>(null);

  const into = audience?.id ?? found?.audience_id ?? null;
  const title = into ? `Import into ${audience?.name ?? found?.audience_name}` : 'Create audience';
  const back = into ? audiencePath(into) : AUDIENCES;
  useUnsavedGuard(() => !leaving.current && !found && (start.file !== null || start.name !== ''));
  const leave = (path: string) => {
    leaving.current = true;
    void navigate({ href: path });
  };
  const change = (changes: Partial<Start>) => {
    setStart((old) => ({ ...old, ...changes }));
    setErrors({});
  };

  const nameProblem = (): string | undefined => {
    if (into) return undefined;
    const result = audienceName.safeParse(start.name);
    return result.success
      ? undefined
      : issueMessage(result.error.issues[0] as Parameters<typeof issueMessage>[0], 'Name');
  };
  const place = (error: unknown) => {
    if (!(error instanceof ApiError) || error.announced) {
      toastError(error);
      return;
    }
    const field = error.errors[0]?.field;
    if (field === 'name') setErrors({ name: error.message });
    else if (start.way === 'file') setErrors({ file: error.message });
    else toastError(error);
  };

  const begin = async (): Promise<undefined> => {
    const name = nameProblem();
    const file = start.way === 'file' && !start.file ? 'File is a required field' : undefined;
    if (name || file) {
      setErrors({ ...(name ? { name } : {}), ...(file ? { file } : {}) });
      return;
    }
    try {
      if (start.way === 'empty') {
        const { data } = await call(createAudience, { body: { name: start.name } });
        void queryClient.invalidateQueries({ queryKey: ['audiences'] });
        toast.success(`The audience ${data.name} was created`);
        leave(audiencePath(data.id));
        return;
      }
      uploading.current = new AbortController();
      setSent(0);
      const fields = into ? { audience_id: into } : { name: start.name };
      const { data } = await callUpload(createImport, fields, start.file as File, {
        onProgress: setSent,
        signal: uploading.current.signal,
      });
      setFound(data);
      setChoice(choiceOf(data));
    } catch (error) {
      place(error);
    } finally {
      setSent(null);
    }
  };

  /** Another reading of the same file: what was guessed there replaces the choice of columns. */
  const lookAgain = async (reading: Partial<Choice>) => {
    if (!found) return;
    const next = { ...choice, ...reading };
    setChoice(next);
    setLooking(true);
    try {
      const { data } = await call(startImport, {
        params: { id: found.id },
        body: { action: 'preview', options: { ...readingOf(next), default_country: next.default_country } },
      });
      setFound(data);
      setChoice({ ...choiceOf(data), existing: next.existing, columns: guessed(data.preview.columns) });
    } catch (error) {
      setChoice(choice);
      toastError(error);
    } finally {
      setLooking(false);
    }
  };

  const run = async (): Promise<undefined | Blocker[]> => {
    if (!found) return undefined;
    if (choice.columns.number === undefined)
      return [{ key: 'number', text: 'Choose which column holds the phone numbers.' }];
    try {
      const { data } = await call(startImport, {
        params: { id: found.id },
        body: {
          options: { columns: choice.columns, default_country: choice.default_country, existing: choice.existing },
        },
      });
      queryClient.setQueryData(queryKey(getImport, { params: { id: data.id } }), { data });
      void queryClient.invalidateQueries({ queryKey: ['audience_imports'] });
      leave(importPath(data.id));
      return undefined;
    } catch (error) {
      if (error instanceof ApiError && !error.announced) return [{ key: 'server', text: error.message }];
      toastError(error);
      return undefined;
    }
  };

  const stepBack = () => {
    // The file goes up again with whatever is changed; the one that is there is not wanted any more.
    if (found) void call(cancelImport, { params: { id: found.id } }).catch(() => {});
    setFound(null);
  };

  const isFile = start.way === 'file' || found !== null;
  const active = found ? 1 : 0;
  return (
    <Wizard
      title={title}
      steps={isFile ? STEPS : STEPS.slice(0, 1)}
      active={active}
      onStep={stepBack}
      onNext={found ? run : begin}
      onClose={() => {
        uploading.current?.abort();
        leave(back);
      }}
      nextLabel="Upload"
      lastLabel={found ? `Import ${formatCount(found.total_rows, 'row')}` : 'Create audience'}
      nextReason={looking ? 'The file is being read again.' : null}
      {...(found ? { aside: <FirstContacts preview={found.preview} choice={choice} /> } : {})}
    >
      {found ? (
        <ColumnsStep
          found={found}
          choice={choice}
          looking={looking}
          onChange={(changes) => setChoice((old) => ({ ...old, ...changes }))}
          onReading={(reading) => void lookAgain(reading)}
        />
      ) : (
        <FileStep start={start} into={into !== null} errors={errors} sent={sent} onChange={change} />
      )}
    </Wizard>
  );
}
