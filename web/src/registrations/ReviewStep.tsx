/** The check before anything is sent: what would be rejected, why, and the way to mend it. */
import { Button } from '@mantine/core';
import { preflight } from '@parley/contract/preflight/preflight.ts';
import { listOwnNumbers } from '@parley/contract/registrations/access.ts';
import type { PreflightFinding } from '@parley/contract/registrations/finding.ts';
import { getPreflight, type RequestKind, type SenderDetail } from '@parley/contract/registrations/registration.ts';
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react';
import { useEndpoint } from '../kernel/http/query.ts';
import { useSession } from '../kernel/session/session.tsx';
import { Notice } from '../ui/feedback/Notice.tsx';
import styles from './Registrations.module.css';

/** Pure findings at once; what only the server can see (websites) a moment later. */
export function useFindings(
  sender: SenderDetail | null,
  kind: RequestKind,
): { findings: PreflightFinding[]; checking: boolean } {
  const { account } = useSession();
  const answer = useEndpoint(
    getPreflight,
    { params: { id: sender?.id ?? '' } },
    { enabled: sender !== null, staleTime: 0 },
  );
  const numbers = useEndpoint(listOwnNumbers, {}, { enabled: kind === 'whatsapp' }).data?.data;
  if (!sender) return { findings: [], checking: false };
  const own = preflight({
    kind,
    sender,
    brand: sender.brand || account.company_name,
    registration: sender.registration,
    attached: sender.attachments.map((file) => file.kind),
    ...(numbers ? { numbers: numbers.map(({ number }) => number) } : {}),
  });
  const pages = (answer.data?.data ?? []).filter(({ code }) => code === 'website_unreachable');
  return { findings: [...own, ...pages], checking: answer.isFetching };
}

export interface ReviewStepProps {
  sender: SenderDetail;
  findings: readonly PreflightFinding[];
  checking: boolean;
  onMend: (field: string) => void;
}

export function ReviewStep({ sender, findings, checking, onMend }: ReviewStepProps) {
  const blockers = findings.filter(({ level }) => level === 'blocker').length;
  return (
    <div className={styles.form}>
      {(sender.reasons.length > 0 || sender.note) && (
        <Notice tone="wait">
          What was said last: {[...sender.reasons.map(({ text }) => text), sender.note].filter(Boolean).join(' ')}
        </Notice>
      )}
      <Notice tone={blockers > 0 ? 'fail' : findings.length > 0 ? 'wait' : 'ok'}>
        {blockers > 0
          ? `${blockers} ${blockers === 1 ? 'thing' : 'things'} would be rejected.`
          : findings.length > 0
            ? 'It can be sent. Look at what reviewers may ask about.'
            : 'Nothing stands against it.'}
        {checking && ' Websites are being opened.'}
      </Notice>
      {findings.length > 0 && (
        <ul className={styles.findings} aria-label="What the check found">
          {findings.map((finding) => (
            <li key={`${finding.code} ${finding.field}`} className={styles.finding} data-level={finding.level}>
              {finding.level === 'blocker' ? (
                <IconCircleX size={17} role="img" aria-label="Blocks" />
              ) : (
                <IconAlertTriangle size={17} role="img" aria-label="Look at this" />
              )}
              <div>
                <strong>{finding.title}</strong>
                <p>{finding.why}</p>
                <p>{finding.fix}</p>
              </div>
              <Button
                size="xs"
                variant="default"
                aria-label={`Mend: ${finding.title}`}
                onClick={() => onMend(finding.field)}
              >
                Mend
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
