/** The check before submission. It lists what would be rejected and why, with a link to fix each problem. */
import { Button } from '@mantine/core';
import { channelRules } from '@parley/contract/channels/index.ts';
import { preflight } from '@parley/contract/preflight/preflight.ts';
import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import type { PreflightFinding } from '@parley/contract/registrations/finding.ts';
import { getPreflight, type RequestKind, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import '../kernel/schema/rules.ts';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { formatCount } from '../ui/data/format.ts';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Registrations.module.css';

/** Returns the browser's findings immediately, and adds the server's findings (for websites) once they arrive. */
export function useFindings(
  sender: SenderDetail | null,
  kind: RequestKind,
): { findings: PreflightFinding[]; checking: boolean } {
  const { account } = useSession();
  const query = useEndpoint(
    getPreflight,
    { params: { id: sender?.id ?? '' } },
    { enabled: sender !== null, staleTime: 0 },
  );
  const needsNumber = sender !== null && channelRules(sender.channel).own_number;
  const numbers = useEndpoint(listOwnNumbers, {}, { enabled: needsNumber }).data?.data;
  if (!sender) return { findings: [], checking: false };
  const own = preflight({
    kind,
    sender,
    brand: sender.brand || account.company_name,
    registration: sender.registration,
    attached: sender.attachments.map((file) => file.kind),
    ...(numbers ? { numbers: numbers.map(({ number }) => number) } : {}),
  });
  const pages = (query.data?.data ?? []).filter(({ code }) => code === 'website_unreachable');
  return { findings: [...own, ...pages], checking: query.isFetching };
}

/** "Submit for review, 2 warnings" */
export function submitLabel(isFirst: boolean, findings: readonly PreflightFinding[]): string {
  const warnings = findings.filter(({ level }) => level !== 'blocker').length;
  const verb = isFirst ? 'Submit for review' : 'Resubmit';
  return warnings > 0 ? `${verb}, ${formatCount(warnings, 'warning')}` : verb;
}

interface ReviewStepProps {
  sender: SenderDetail;
  findings: readonly PreflightFinding[];
  checking: boolean;
  onFix: (field: string) => void;
}

export function ReviewStep({ sender, findings, checking, onFix: onMend }: ReviewStepProps) {
  const blockers = findings.filter(({ level }) => level === 'blocker').length;
  return (
    <div className={styles.form}>
      {(sender.reasons.length > 0 || sender.note) && (
        <Notice tone="wait">
          Last review: {[...sender.reasons.map(({ text }) => text), sender.note].filter(Boolean).join(' ')}
        </Notice>
      )}
      <Notice tone={blockers > 0 ? 'fail' : findings.length > 0 ? 'wait' : 'ok'}>
        {blockers > 0
          ? `${blockers} ${blockers === 1 ? 'problem' : 'problems'} to fix before you can submit.`
          : findings.length > 0
            ? 'You can submit the request. Reviewers may ask about the points below.'
            : 'No problems found.'}
        {checking && ' Checking your website…'}
      </Notice>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="Problems">
          {findings.map((finding) => (
            <li key={`${finding.code} ${finding.field}`} className={styles.finding} data-level={finding.level}>
              {finding.level === 'blocker' ? (
                <IconCircleX size={17} role="img" aria-label="Blocks submission" />
              ) : (
                <IconAlertTriangle size={17} role="img" aria-label="Warning" />
              )}
              <div>
                <strong>{finding.title}</strong>
                <p>{finding.why}</p>
                <p>{finding.fix}</p>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`Fix: ${finding.title}`}
                onClick={() => onMend(finding.field)}
              >
                Fix
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
