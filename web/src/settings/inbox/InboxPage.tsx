/** The settings of the inbox as a team: rules, teams, availability, office hours, targets, and assistance. */

import { Suspense } from 'react';
import { useSession } from '../../kernel/session/session.tsx';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Section } from '../Section.tsx';
import styles from '../Settings.module.css';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { AgentsPart } from './AgentsPart.tsx';
import { AssistancePart } from './AssistancePart.tsx';
import { OfficeHoursPart } from './OfficeHoursPart.tsx';
import { RulesPart } from './RulesPart.tsx';
import { TargetsPart } from './TargetsPart.tsx';
import { TeamsPart } from './TeamsPart.tsx';

const AssistanceLog = lazyPart(() => import('./AssistanceLog.tsx'));

export default function InboxPage() {
  const { user } = useSession();
  return (
    <SettingsLayout
      title="Inbox rules"
      description="Who gets new conversations, and what happens to them automatically."
    >
      <Section
        title="Rules"
        description={
          'When a contact opens a conversation, the first matching rule applies. A conversation opens with the first ' +
          'message, or with a new message after it was closed.'
        }
      >
        <RulesPart />
      </Section>
      <Section title="Teams" description="Rules assign conversations to the users of a team.">
        <TeamsPart />
      </Section>
      <Section
        title="Availability"
        description={'Rules do not assign conversations to users who are away or have reached their limit.'}
      >
        <AgentsPart />
      </Section>
      <Section
        title="Office hours"
        description="For rules that apply only inside or only outside these hours, and for targets."
      >
        <OfficeHoursPart />
      </Section>
      <Section
        title="Targets"
        description={
          'How soon conversations get a first reply, and how soon they are closed. The resolution clock pauses while ' +
          'a conversation is snoozed or pending.'
        }
      >
        <TargetsPart />
      </Section>
      <Section
        title="Assistance"
        description="A language model that suggests, rewrites, translates, and summarizes texts for your team."
      >
        <AssistancePart />
      </Section>
      {user.is_owner && (
        <section aria-labelledby="assistance-log" className={styles.log}>
          <h2 id="assistance-log" className={styles.sectionTitle}>
            Assistance log
          </h2>
          <p className={styles.sectionText}>
            Requests to the language model. Numbers, email addresses, and names are replaced with placeholders.
          </p>
          <Suspense fallback={<SkeletonLines lines={4} />}>
            <AssistanceLog />
          </Suspense>
        </section>
      )}
    </SettingsLayout>
  );
}
