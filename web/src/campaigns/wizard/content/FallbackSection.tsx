import { FallbackFields } from '../../../channels/fallbacks/FallbackFields.tsx';
import { withSenders } from '../../../channels/fallbacks/fallback_steps.ts';
import type { StepProps } from '../step.ts';
import styles from '../Wizard.module.css';
import { FIRST_WAIT } from './fallback_draft.ts';
import { fallbackFindings, sharedContent, useSenderOptions } from './fallbacks.ts';

/** Lets the user add fallback channels, if the account has a sender on another channel. */
export function FallbackSection({ channel, draft, change, errors }: StepProps) {
  const options = useSenderOptions();
  const hasOthers = Object.entries(options).some(([name, { senders }]) => name !== channel && senders.length > 0);
  if (!hasOthers && draft.fallbacks.length === 0) return null;
  // Shown once the user has tried to continue.
  const isTried = errors.fieldError('fallbacks') !== undefined;
  const findings = isTried ? fallbackFindings(channel, draft) : [];
  return (
    <div className={styles.fallbacks} data-path="fallbacks">
      <FallbackFields
        channel={channel}
        content={sharedContent(channel, draft)}
        steps={draft.fallbacks}
        options={options}
        wait={FIRST_WAIT}
        fieldError={(field) => findings.find((finding) => finding.field === field)?.message ?? null}
        onChange={(steps) => change({ fallbacks: withSenders(steps, options) })}
      />
    </div>
  );
}
