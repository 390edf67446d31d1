import { Button } from '@mantine/core';
import { importStopList } from '@parley/contract/audiences/stop_list.ts';
import { Link } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { ApiError, callUpload } from '../../kernel/http/client.ts';
import { queryClient, toastError } from '../../kernel/http/query.ts';
import { useSession } from '../../kernel/session/session.tsx';
import { STOP_LIST } from '../../paths.ts';
import { formatCount, formatNumber } from '../../ui/data/format.ts';
import { Notice } from '../../ui/feedback/Notice.tsx';
import { FileDrop } from '../../ui/form/FileDrop.tsx';
import { FormFooter } from '../../ui/form/FormParts.tsx';
import { Back } from '../../ui/layout/Back.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import styles from '../Audiences.module.css';

type Result = Awaited<ReturnType<typeof callUpload<typeof importStopList>>>['data'];

export default function ImportStopsPage() {
  const { account } = useSession();
  const { file, error, result, isSending, choose, submit } = useStopsImport();
  return (
    <>
      <Back to={STOP_LIST}>Stop list</Back>
      <PageHeader
        title="Import to the stop list"
        description="Block all numbers in a file for every sender. Campaigns in progress also skip them."
      />
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {result && <Outcome result={result} />}
        <FileDrop
          label="Drop a CSV or Excel file here"
          accept={['.csv', '.xlsx', '.txt', '.tsv']}
          max_bytes={importStopList.upload.max_bytes}
          file={file}
          onFile={choose}
          error={error}
          disabled={isSending}
        />
        <p className={styles.cutNote}>
          One number per row, up to {formatNumber(account.import_rows)} rows. The column with the numbers is detected
          automatically.
        </p>
        <FormFooter problem={null}>
          <Button type="submit" loading={isSending}>
            Import file
          </Button>
          <Button variant="default" component={Link} to={STOP_LIST}>
            {result ? 'Open stop list' : 'Cancel'}
          </Button>
        </FormFooter>
      </form>
    </>
  );
}

function useStopsImport() {
  const [file, setFile] = useState<File | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [result, setResult] = useState<Result | null>(null);
  const [isSending, setSending] = useState(false);
  const isBusy = useRef(false);
  const choose = (chosen: File | null) => {
    setFile(chosen);
    setError(null);
    setResult(null);
  };
  const submit = async () => {
    if (!file) return setError('File is a required field');
    if (isBusy.current) return;
    isBusy.current = true;
    setSending(true);
    try {
      const { data } = await callUpload(importStopList, {}, file);
      setResult(data);
      setFile(null);
      void queryClient.invalidateQueries({ queryKey: ['stop_list'] });
    } catch (problem) {
      if (problem instanceof ApiError && !problem.announced) setError(problem.message);
      else toastError(problem);
    } finally {
      isBusy.current = false;
      setSending(false);
    }
  };
  return { file, error, result, isSending, choose, submit };
}

function Outcome({ result: { added_count, existing_count, duplicate_count, invalid_count } }: { result: Result }) {
  const notes = [
    existing_count > 0 && `${formatNumber(existing_count)} already blocked`,
    duplicate_count > 0 && formatCount(duplicate_count, 'duplicate'),
    invalid_count > 0 && `${formatCount(invalid_count, 'row')} without a valid number`,
  ].filter(Boolean);
  return (
    <Notice tone={added_count > 0 ? 'ok' : 'wait'}>
      {formatCount(added_count, 'number')} added to the stop list.{notes.length > 0 && ` Skipped: ${notes.join(', ')}.`}
    </Notice>
  );
}
