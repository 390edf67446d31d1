import { INBOX_NEEDS } from '@parley/contract/inbox/needs.ts';
import { Suspense } from 'react';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { ApprovalForm } from './ApprovalForm.tsx';
import { CloseAccount } from './CloseAccount.tsx';
import { CompanyForm } from './CompanyForm.tsx';
import { ContentForm } from './ContentForm.tsx';
import { DashboardHints } from './DashboardHints.tsx';
import { FrequencyForm } from './FrequencyForm.tsx';
import { InboxForm } from './InboxForm.tsx';
import { InvoiceForm } from './InvoiceForm.tsx';
import { LookupForm } from './LookupForm.tsx';
import { QuietHoursForm } from './QuietHoursForm.tsx';
import { TwoFactorRule } from './TwoFactorRule.tsx';
import { VerificationState } from './VerificationState.tsx';
import { ZoneForm } from './ZoneForm.tsx';

const DemoPart = lazyPart(() => import('./DemoPart.tsx'));
/** The server of the demo sets this in its page. */
const isDemo = (): boolean => document.querySelector('meta[name=demo]') !== null;

export default function AccountPage() {
  const { account, user } = useSession();
  const canUseInbox = useReason(INBOX_NEEDS) === null;
  return (
    <SettingsLayout title="Company" description="Company details for carriers, invoices, and your team.">
      <Section title="Verification" description="Carriers require verified senders. You verify your company only once.">
        <VerificationState />
      </Section>
      <Section
        title="Registered details"
        description="Your company’s registered details. Carriers check them against public registers."
      >
        <CompanyForm key={`${account.id} ${account.verified}`} />
      </Section>
      <Section title="Time zone" description="Used for dates on the dashboard, in lists, and in schedules.">
        <ZoneForm key={account.id} />
      </Section>
      <Section title="Quiet hours" description="Campaigns wait during these hours, in each recipient’s time zone.">
        <QuietHoursForm key={account.id} />
      </Section>
      <Section
        title="Campaign approval"
        description="Large campaigns wait until another user approves them. Repeating campaigns are approved once."
      >
        <ApprovalForm key={account.id} />
      </Section>
      <Section
        title="Frequency cap"
        description="The maximum number of campaign messages per person per day and per week, in your time zone."
      >
        <FrequencyForm key={account.id} />
      </Section>
      <Section
        title="Lookups before campaigns"
        description="New campaigns look up these numbers first. You pay for each number that is found."
      >
        <LookupForm key={account.id} />
      </Section>
      {canUseInbox && (
        <Section title="Inbox" description="Applies to all users in this account.">
          <InboxForm key={account.id} />
        </Section>
      )}
      <Section title="Invoices" description="The details on your invoices, and the people who receive them by email.">
        <InvoiceForm key={account.id} />
      </Section>
      <Section title="Sign-in" description="Applies to all users in this account.">
        <TwoFactorRule />
      </Section>
      <Section title="Retention" description="Deletes the contents of old messages and notes in this account.">
        <ContentForm key={account.id} />
      </Section>
      <Section title="Dashboard hints" description="Suggestions shown to you and your team.">
        <DashboardHints />
      </Section>
      {user.is_owner && isDemo() && (
        <Suspense>
          <DemoPart />
        </Suspense>
      )}
      {user.is_owner && (
        <Section
          title="Close account"
          description="Closes the account for all users. Sessions and API keys stop working immediately."
        >
          <CloseAccount />
        </Section>
      )}
    </SettingsLayout>
  );
}
