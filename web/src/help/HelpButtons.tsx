/** Help about the open page, and the news. Loaded after the first screen. */
import { ActionIcon } from '@mantine/core';
import { IconHelp } from '@tabler/icons-react';
import { useSession } from '../kernel/session/session.tsx';
import { Tooltip } from '../ui/feedback/Tooltip.tsx';
import styles from './Help.module.css';
import { manualPath, useManualPart } from './manual/parts.ts';
import { NewsButton } from './news/NewsButton.tsx';

export default function HelpButtons() {
  const part = useManualPart(useSession().admin);
  return (
    <>
      <Tooltip label="Help with this page">
        <ActionIcon
          component="a"
          size={34}
          href={manualPath(part)}
          target="_blank"
          rel="noreferrer"
          aria-label="Help with this page (opens in a new tab)"
        >
          <IconHelp size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <span className={styles.news}>
        <NewsButton />
      </span>
    </>
  );
}
