import { useSession } from '../../kernel/session/session.tsx';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { ContactFacts } from './ContactFacts.tsx';
import { OwnCompanies } from './OwnCompanies.tsx';
import { PersonForm } from './PersonForm.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

export default function MyUserPage() {
  const { user } = useSession();
  return (
    <SettingsLayout
      title="My user"
      description="What others see of you, how we reach you, and how Parley looks on this device."
    >
      <Section title="About you" line="Colleagues see your name beside what you write and do.">
        <PersonForm key={user.id} />
      </Section>
      <Section title="Contact" line="Codes and notices go here. Nobody you write to sees them.">
        <ContactFacts />
      </Section>
      <Section title="Appearance" line="Remembered on this device.">
        <ThemeChoice />
      </Section>
      <Section
        title="Companies"
        anchor="companies"
        line="Where you belong. Each has its own data, permissions and balance."
      >
        <OwnCompanies />
      </Section>
    </SettingsLayout>
  );
}
