import { Stack, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { FileStorage, type SettingsView } from '../../shared/console/settings/settings.ts'
import { useAccess } from '../bridge/access.ts'
import { isDesktop, shell } from '../bridge/clients.ts'
import { useIsOwnServer } from '../bridge/servers.tsx'
import { Loaded, Loading } from '../components/loading/loading.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { TextField } from '../components/text-fields.tsx'
import { AboutSection } from './about-section.tsx'
import { AppSection } from './app-section.tsx'
import { BackupsSection } from './backups/backups-section.tsx'
import { DataSection } from './data-section.tsx'
import { NumberFields, PathField } from './fields.tsx'
import { FilesSection } from './files/files-section.tsx'
import { NodesSection } from './nodes/nodes-section.tsx'
import { NUMBERS } from './number-strings.ts'
import { readNumbers, sentence, type Typed, typed } from './read-section.ts'
import { SectionForm, UnsavedGuard } from './section-form.tsx'
import { SecuritySection } from './security-section.tsx'
import { ServerSection } from './server-section.tsx'
import { SettingsInUseSection } from './settings-in-use-section.tsx'
import { text } from './strings.ts'
import { useSection } from './use-section.ts'

interface Draft {
  readonly isOn: boolean
  readonly folder: string
  readonly publicUrl: string
  readonly numbers: Typed<'hosting'>
}

const toDraft = ({ isOn, folder, publicUrl, ...numbers }: FileStorage): Draft => ({
  isOn,
  folder: folder ?? '',
  publicUrl,
  numbers: typed(numbers),
})
const toInput = ({ numbers, folder, ...rest }: Draft) => ({
  ...rest,
  ...readNumbers(numbers),
  folder: folder.trim() === '' ? null : folder,
})

/** Whether the server stores files for devices, where, and how much of them goes out at the same time. */
function FileStorageSection({ view }: { readonly view: SettingsView }) {
  const section = useSection({ name: 'files', schema: FileStorage, view, toDraft, toInput })
  const { draft, change, issues } = section
  return (
    <SectionForm title={text.fileStorage} {...section}>
      <Switch
        label={text.storeFiles}
        description={text.storeFilesHint}
        checked={draft.isOn}
        onChange={(event) => change({ isOn: event.currentTarget.checked })}
      />
      {draft.isOn && (
        <>
          <TextField
            maw={640}
            label={text.publicUrl}
            description={text.publicUrlHint}
            placeholder={text.publicUrlExample}
            value={draft.publicUrl}
            error={sentence(text.publicUrl, issues.get('publicUrl'))}
            inputWrapperOrder={['label', 'description', 'error', 'input']}
            onChange={(typed) => change({ publicUrl: typed })}
          />
          <PathField
            kind="files"
            label={text.filesFolder}
            description={text.filesFolderHint}
            placeholder={view.usualFilesFolder}
            value={draft.folder}
            issue={issues.get('folder')}
            onChange={(folder) => change({ folder })}
          />
          <NumberFields
            fields={NUMBERS.hosting}
            values={draft.numbers}
            issues={issues}
            onChange={(numbers) => change({ numbers })}
          />
        </>
      )}
    </SectionForm>
  )
}

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
        {isAdministrator && !isOwn && <SettingsInUseSection />}
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
