import { Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useAccess } from '../bridge/access.ts'
import { isDesktop, shell } from '../bridge/clients.ts'
import { useIsOwnServer } from '../bridge/servers.tsx'
import { Loaded } from '../components/loading/loaded.tsx'
import { Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { AboutSection } from './about-section.tsx'
import { AppSection } from './app-section.tsx'
import { BackupsSection } from './backups/backups-section.tsx'
import { DataSection } from './data-section.tsx'
import { FileStorageSection } from './file-storage-section.tsx'
import { FilesSection } from './files/files-section.tsx'
import { NodesSection } from './nodes/nodes-section.tsx'
import { SecuritySection } from './security-section.tsx'
import { ServerSection } from './server-section.tsx'
import { text } from './strings.ts'
import { UnsavedGuard } from './unsaved.tsx'

/**
 * The settings of the app and, for administrators, of the server. It works while the server is down, too: see
 * `useAccess`.
 */
export function Component() {
  const { may } = useAccess()
  const [isAdministrator, mayReadServer] = [may('administrator'), may('viewer')]
  const isOwn = useIsOwnServer()
  return (
    <UnsavedGuard>
      <PageHeader
        title={text.title}
        description={isAdministrator ? descriptionOf(isOwn) : undefined}
      />
      <Stack gap="lg">
        {isAdministrator && isOwn && <ServerSections />}
        {isAdministrator && <BackupsSection />}
        {mayReadServer && <NodesSection />}
        {mayReadServer && <FilesSection />}
        <AppSection />
        <AboutSection />
      </Stack>
    </UnsavedGuard>
  )
}

/** The options of `serve` decide where a browser cannot. A remote server is configured where it runs. */
function descriptionOf(isOwn: boolean): string | undefined {
  if (isOwn) return text.description
  return isDesktop() ? undefined : text.descriptionInBrowser
}

/** The settings of the desktop app's own server. */
function ServerSections() {
  const query = useQuery(shell.shell.settings.queryOptions(undefined, { refetchOnMount: 'always' }))
  return (
    <Loaded query={query} loading={<Loading rows={3} height={160} />}>
      {(view) => (
        <>
          <ServerSection view={view} />
          <SecuritySection view={view} />
          <DataSection view={view} />
          <FileStorageSection view={view} />
        </>
      )}
    </Loaded>
  )
}
