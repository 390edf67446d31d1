import { useSession } from '../../kernel/session/session.tsx';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { CloseAccount } from './CloseAccount.tsx';
import { CompanyForm } from './CompanyForm.tsx';
import { DashboardHints } from './DashboardHints.tsx';
import { InvoiceForm } from './InvoiceForm.tsx';
import { TwoFactorRule } from './TwoFactorRule.tsx';
import { VerificationState } from './VerificationState.tsx';
import { ZoneForm } from './ZoneForm.tsx';

export default function AccountPage() {
  const { account, user } = useSession();
  return (
    <SettingsLayout title="Profile" description="Company details for carriers, invoices and your team.">
      <Section title="Verification" description="Carriers require verified senders. You verify the company once.">
        <VerificationState />
      </Section>
      <Section title="Company" description="Registered details. Carriers compare them with public registers.">
        <CompanyForm key={`${account.id} ${account.verified}`} />
      </Section>
      <Section title="Time zone" description="For dates on the dashboard, in lists and in schedules.">
        <ZoneForm key={account.id} />
      </Section>
      <Section title="Invoices" description="Details on your invoices, and who receives them by email.">
        <InvoiceForm key={account.id} />
      </Section>
      <Section title="Sign-in" description="For all users of this account.">
        <TwoFactorRule />
      </Section>
      <Section title="Dashboard hints" description="Suggestions shown to you and your team.">
        <DashboardHints />
      </Section>
      {user.is_owner && (
        <Section title="Close account" description="Permanent. Sessions and API keys end immediately.">
          <CloseAccount />
        </Section>
      )}
    </SettingsLayout>
  );
}
