import { Button } from '@mantine/core';
import { CAMPAIGN_STATUS } from '@parley/contract/campaigns/statuses.ts';
import { type ReactNode, useState } from 'react';
import { Sparkline } from '../ui/data/chart/Sparkline.tsx';
import { StatusBadge } from '../ui/data/StatusBadge.tsx';
import { Timeline } from '../ui/data/Timeline.tsx';
import { EmptyState } from '../ui/feedback/EmptyState.tsx';
import { ErrorState } from '../ui/feedback/ErrorState.tsx';
import { SkeletonFields } from '../ui/feedback/Skeletons.tsx';
import { Cropped } from '../ui/layout/Cropped.tsx';
import { PanelSlot } from '../ui/layout/panel_slot.ts';
import { Fields, SidePanel } from '../ui/layout/SidePanel.tsx';
import { PhonePreview } from '../ui/message/PhonePreview.tsx';
import styles from './Gallery.module.css';
import { Specimen } from './Specimen.tsx';

const ID = '01a20997-64c0-762c-a46a-b82800281b47';

/** The states of a panel, each in its own slot, and the panel that covers the page. */
export function PanelSpecimens() {
  return (
    <>
      <Specimen title="Panel">
        <div className={styles.pair}>
          <PanelState title="Autumn menu" status="completed">
            <Content />
          </PanelState>
          <PanelState title="Loading">
            <SkeletonFields count={8} />
          </PanelState>
          <PanelState title="Failed">
            <ErrorState title="The campaign could not be loaded" onRetry={() => {}}>
              The server did not respond in time.
            </ErrorState>
          </PanelState>
          <PanelState title="Missing">
            <EmptyState title="Campaign not found">It was deleted, or the link is incomplete.</EmptyState>
          </PanelState>
        </div>
        <CoveringPanel />
      </Specimen>
      <Specimen title="Sparklines">
        <Fields
          fields={[
            { label: 'Rising', value: <Sparkline values={[0, 2, 3, 3, 8, 13, 21]} period="Last hour" /> },
            { label: 'Constant', value: <Sparkline values={[4, 4, 4, 4]} period="Last hour" /> },
            { label: 'Peak', value: <Sparkline values={[0, 0, 0, 40, 0, 0, 0]} period="Last hour" /> },
          ]}
        />
      </Specimen>
    </>
  );
}

interface PanelStateProps {
  title: string;
  status?: keyof typeof CAMPAIGN_STATUS;
  children: ReactNode;
}

function PanelState({ title, status, children }: PanelStateProps) {
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  return (
    <div ref={setSlot} className={styles.panelSlot}>
      {slot && (
        <PanelSlot value={slot}>
          <SidePanel
            // On narrow screens all of them would cover the page.
            open={window.innerWidth >= 992}
            onClose={() => {}}
            title={title}
            description={status && <StatusBadge {...CAMPAIGN_STATUS[status]} />}
            recordId={status && ID}
            actions={status && <Button variant="default">Export results</Button>}
          >
            {children}
          </SidePanel>
        </PanelSlot>
      )}
    </div>
  );
}

const Content = () => (
  <>
    <Fields
      fields={[
        { label: 'Recipients', value: '1,204' },
        { label: 'Sender', value: 'Harbour Hamburg' },
      ]}
    />
    <Cropped title="Preview">
      <PhonePreview
        channel="SMS"
        sender="Harbour Hamburg"
        bubbles={[{ key: '1', from: 'business', text: 'Hello Amelia, the autumn menu is here.' }]}
      />
    </Cropped>
    <Timeline
      label="History"
      entries={[
        { key: '1', title: 'Accepted', at: '2026-11-21 09:05:12', tone: 'flight', source: 'Dashboard, Anna Berg' },
        { key: '2', title: 'Delivered', at: '2026-11-21 09:05:15', tone: 'ok', source: 'Delivery receipt' },
      ]}
    />
  </>
);

function CoveringPanel() {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="default" onClick={() => setOpen(true)}>
        Open a panel that covers the page
      </Button>
      <SidePanel cover open={open} onClose={() => setOpen(false)} title="Autumn menu" recordId={ID}>
        <Content />
      </SidePanel>
    </>
  );
}
