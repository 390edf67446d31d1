/** The settings of the inbox as a team: rules, teams, availability, and office hours. */

import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { AgentsPart } from './AgentsPart.tsx';
import { OfficeHoursPart } from './OfficeHoursPart.tsx';
import { RulesPart } from './RulesPart.tsx';
import { TeamsPart } from './TeamsPart.tsx';

export default function InboxPage() {
  return (
    <SettingsLayout
      title="Inbox rules"
      description="Who gets new conversations, and what happens to them automatically."
    >
      <Section
        title="Rules"
        description={
          'When a contact opens a conversation, the first rule that matches applies. A conversation opens with the ' +
          'first message, and with a message after it was closed.'
        }
      >
        <RulesPart />
      </Section>
      <Section title="Teams" description="Rules assign conversations to the users of a team.">
        <TeamsPart />
      </Section>
      <Section
        title="Availability"
        description={
          'Rules assign nothing to users who are away or who have as many open conversations as they can take.'
        }
      >
        <AgentsPart />
      </Section>
      <Section title="Office hours" description="For rules that apply only inside or only outside of these hours.">
        <OfficeHoursPart />
      </Section>
    </SettingsLayout>
  );
}
