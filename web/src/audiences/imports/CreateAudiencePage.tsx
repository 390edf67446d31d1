/**
 * Creates an audience. `?audience=` imports a file into an existing one, and `?import=` continues with an uploaded
 * file.
 */
import { Button } from '@mantine/core';
import { getAudience } from '@parley/contract/audiences/audiences.ts';
import { getImport } from '@parley/contract/audiences/imports.ts';
import { CHANNELS } from '@parley/contract/channels/names.ts';
import { IconFileUpload } from '@tabler/icons-react';
import { Link, useSearch } from '@tanstack/react-router';
import { useEndpoint } from '../../kernel/http/query.ts';
import { RecordPage } from '../../kernel/record/RecordPage.tsx';
import { AUDIENCES, IMPORTS, importPath } from '../../paths.ts';
import { EmptyState } from '../../ui/feedback/EmptyState.tsx';
import { SkeletonFields } from '../../ui/feedback/Skeletons.tsx';
import styles from '../Audiences.module.css';
import { CreateWizard } from './CreateWizard.tsx';

export default function CreateAudiencePage() {
  const search = useSearch({ strict: false }) as { audience?: string; import?: string; channel?: string };
  if (search.import) return <ContinueImport key={search.import} id={search.import} />;
  if (search.audience) return <ImportInto key={search.audience} id={search.audience} />;
  const channel = CHANNELS.find((name) => name === search.channel?.toUpperCase());
  return <CreateWizard key={channel} audience={null} started={null} {...(channel ? { channel } : {})} />;
}

const SKELETON = <SkeletonFields count={4} />;

function ImportInto({ id }: { id: string }) {
  const query = useEndpoint(getAudience, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY });
  if (query.data) return <CreateWizard audience={query.data.data} started={null} />;
  return (
    <main className={styles.alone}>
      <RecordPage
        query={query}
        noun="audience"
        icon={IconFileUpload}
        list={{ to: AUDIENCES, label: 'All audiences' }}
        skeleton={SKELETON}
      >
        {() => SKELETON}
      </RecordPage>
    </main>
  );
}

function ContinueImport({ id }: { id: string }) {
  const query = useEndpoint(getImport, { params: { id } }, { staleTime: Number.POSITIVE_INFINITY });
  const upload = query.data?.data;
  if (upload?.status === 'mapping') return <CreateWizard audience={null} started={upload} />;
  return (
    <main className={styles.alone}>
      <RecordPage
        query={query}
        noun="import"
        icon={IconFileUpload}
        list={{ to: IMPORTS, label: 'All imports' }}
        skeleton={SKELETON}
      >
        {() => (
          <EmptyState
            heading
            icon={IconFileUpload}
            title="This import has already started"
            action={
              <Button component={Link} to={importPath(id)}>
                Open import
              </Button>
            }
          />
        )}
      </RecordPage>
    </main>
  );
}
