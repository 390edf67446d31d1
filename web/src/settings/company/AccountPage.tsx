import { useSession } from '../../kernel/session/session.tsx';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { CloseAccount } from './CloseAccount.tsx';
import { CompanyForm } from './CompanyForm.tsx';
import { InvoiceForm } from './InvoiceForm.tsx';
import { ProductChoices } from './ProductChoices.tsx';
import { SecondFactorRule } from './SecondFactorRule.tsx';
import { VerificationState } from './VerificationState.tsx';
import { ZoneForm } from './ZoneForm.tsx';

export default function AccountPage() {
  const { account, user } = useSession();
  return (
    <SettingsLayout title="Profile" description="The company as carriers, invoices and colleagues know it.">
      <Section title="Verification" line="Carriers want to know whose messages they carry. It is done once.">
        <VerificationState />
      </Section>
      <Section title="Company" line="Registered details. Carriers compare them with public registers.">
        <CompanyForm key={`${account.id} ${account.verified}`} />
      </Section>
      <Section title="Time zone" line="Days begin and end in it: on the dashboard, in lists, in schedules.">
        <ZoneForm key={account.id} />
      </Section>
      <Section title="Invoices" line="What is printed on them, and who gets them by mail.">
        <InvoiceForm key={account.id} />
      </Section>
      <Section title="Sign-in" line="For everybody who works in this company.">
        <SecondFactorRule />
      </Section>
      <Section title="Hints" line="What the dashboard puts forward to you and your colleagues.">
        <ProductChoices />
      </Section>
      {user.is_owner && (
        <Section title="Close account" line="For good. Sessions and API keys end at once.">
          <CloseAccount />
        </Section>
      )}
    </SettingsLayout>
  );
}
