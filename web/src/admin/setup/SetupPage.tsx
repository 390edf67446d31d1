/** The setup of the installation: the checklist, the currencies, and the sender of verification codes. */
import { getSetup } from '@parley/contract/admin/setup.ts';
import { Card } from '../../dashboard/Card.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { ErrorState } from '../../ui/feedback/ErrorState.tsx';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { AssistanceCard } from './AssistanceCard.tsx';
import { CodeSenderCard } from './CodeSenderCard.tsx';
import { CurrenciesCard } from './CurrenciesCard.tsx';
import styles from './Setup.module.css';
import { SetupSteps } from './SetupSteps.tsx';

const REFRESH_MS = 5_000;

export default function SetupPage() {
  const setup = useEndpoint(getSetup, {}, { refetchInterval: REFRESH_MS });
  return (
    <>
      <PageHeader title="Setup" description="What this installation needs before customers can send messages." />
      <div className={styles.body}>
        <Card title="Checklist">
          {setup.data ? (
            <SetupSteps steps={setup.data.data.steps} />
          ) : setup.error ? (
            <ErrorState title="The checklist could not be loaded" onRetry={() => void setup.refetch()}>
              {setup.error.message}
            </ErrorState>
          ) : (
            <div className={styles.part}>
              <SkeletonLines lines={8} />
            </div>
          )}
        </Card>
        <CurrenciesCard />
        <CodeSenderCard />
        <AssistanceCard />
      </div>
    </>
  );
}
