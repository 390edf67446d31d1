/** The bulk jobs of a list, shown above it: progress with Cancel while they run, then the result with its reasons. */
import { Button, CloseButton } from '@mantine/core';
import { type BulkActionName, type BulkJob, cancelBulkJob, listBulkJobs } from '@parley/contract/bulk/bulk.ts';
import { useEffect } from 'react';
import { useAction, useEndpoint } from '../kernel/http/query.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import { Progress } from '../ui/feedback/Progress.tsx';
import styles from './Bulk.module.css';
import { dismissJob, useWatchedJobs, watchJob } from './watched.ts';
import { BULK_WORDS, isEnded, outcomeText, outcomeTone } from './words.ts';

interface BulkProgressProps {
  name: BulkActionName;
  /** Shows only jobs with these parameters. */
  params?: Record<string, string>;
}

export function BulkProgress({ name, params = {} }: BulkProgressProps) {
  const { data } = useEndpoint(listBulkJobs, { query: { filter: { action: name } } });
  const jobs = (data?.data ?? []).filter((job) =>
    Object.entries(params).every(([key, value]) => job.params[key] === value),
  );
  const watched = useWatchedJobs();
  const unfinished = jobs.filter((job) => !isEnded(job));
  const ids = unfinished.map(({ id }) => id).join();
  useEffect(() => {
    for (const id of ids.split(',')) if (id) watchJob(id);
  }, [ids]);
  return (
    <>
      {unfinished.map((job) => (
        <RunningJob key={job.id} job={job} />
      ))}
      {jobs
        .filter((job) => isEnded(job) && watched.has(job.id))
        .map((job) => (
          <Notice
            key={job.id}
            tone={outcomeTone(job)}
            className={styles.notice}
            action={<CloseButton size="sm" aria-label="Dismiss" onClick={() => dismissJob(job.id)} />}
          >
            {outcomeText(job)}
          </Notice>
        ))}
    </>
  );
}

function RunningJob({ job }: { job: BulkJob }) {
  const cancel = useAction(cancelBulkJob);
  const { title } = BULK_WORDS[job.action];
  return (
    <section className={styles.running} aria-label={title}>
      <span className={styles.title}>{title}</span>
      <div className={styles.progress}>
        <Progress
          label={title}
          done={job.done_count + job.refused_count}
          total={job.total_rows ?? 0}
          running
          {...(job.total_rows === null ? { result: 'Finding the rows' } : {})}
        />
      </div>
      <Button
        size="xs"
        variant="default"
        loading={cancel.isPending}
        onClick={() => cancel.mutate({ params: { id: job.id } })}
      >
        Cancel
      </Button>
    </section>
  );
}
