import { getSetup } from '@parley/contract/admin/setup.ts';
import { Card } from '../../dashboard/Card.tsx';
import { useEndpoint } from '../../kernel/http/query.ts';
import { SETUP } from '../../paths.ts';
import { SetupSteps } from './SetupSteps.tsx';

const REFRESH_MS = 10_000;

/** On the operators' start page: what the installation still needs. Hidden once everything is done. */
export function SetupCard() {
  const { data } = useEndpoint(getSetup, {}, { refetchInterval: REFRESH_MS });
  if (!data || data.data.complete) return null;
  const { steps } = data.data;
  const open = steps.filter(({ status }) => status !== 'done');
  return (
    <Card
      title="Finish setup"
      note={`${steps.length - open.length} of ${steps.length} done`}
      more={{ label: 'View setup', href: SETUP }}
    >
      <SetupSteps steps={open} />
    </Card>
  );
}
