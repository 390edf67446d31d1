import { getPushSettings } from '@parley/contract/push/push.ts';
import { Suspense } from 'react';
import { useReason, useSession } from '../../kernel/session/session.tsx';
import { brandName } from '../../ui/brand.ts';
import { lazyPart } from '../../ui/feedback/lazy_part.ts';
import { SkeletonLines } from '../../ui/feedback/Skeletons.tsx';
import { Section } from '../Section.tsx';
import { SettingsLayout } from '../SettingsLayout.tsx';
import { ContactFacts } from './ContactFacts.tsx';
import { OwnCompanies } from './OwnCompanies.tsx';
import { PersonForm } from './PersonForm.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';
import { UndoTime } from './UndoTime.tsx';

const PushPart = lazyPart(() => import('./PushPart.tsx'));

export default function MyUserPage() {
  const { user } = useSession();
  return (
    <SettingsLayout title="My user" description="Your name, contact details, appearance, and companies.">
      <Section title="About you" description="Your team sees your name next to your messages and actions.">
        <PersonForm key={user.id} />
      </Section>
      <Section title="Contact" description="Used for codes and notices. Recipients never see these details.">
        <ContactFacts />
      </Section>
      <Section title="Appearance" description="Saved on this device.">
        <ThemeChoice />
      </Section>
      <InboxSections />
      <Section
        title="Companies"
        anchor="companies"
        description="Accounts you belong to. Each has its own data, permissions, and balance."
      >
        <OwnCompanies />
      </Section>
    </SettingsLayout>
  );
}

/** For users who may view conversations. */
function InboxSections() {
  const { admin } = useSession();
  const reason = useReason(getPushSettings);
  if (reason !== null || admin) return null;
  return (
    <>
      <Section
        title="Replies"
        anchor="replies"
        description="Replies from this device wait before they are sent, so that you can undo them."
      >
        <UndoTime />
      </Section>
      <Section
        title="Notifications"
        anchor="notifications"
        description={`Sent to your devices, even while ${brandName()} is closed. They stop when you sign out.`}
      >
        <Suspense fallback={<SkeletonLines lines={4} />}>
          <PushPart />
        </Suspense>
      </Section>
    </>
  );
}
