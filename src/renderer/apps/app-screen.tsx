import { Alert, Button, Menu, Stack, Text } from '@mantine/core'
import { IconApps, IconArchive, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useParams } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { formatCounted } from '../../shared/wording/format.ts'
import { server } from '../bridge/clients.ts'
import { EmptyState } from '../components/empty-state.tsx'
import { Loaded } from '../components/loaded.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { StatusBadge } from '../components/status-badge.tsx'
import { paths } from '../paths.ts'
import { ArchiveDialog } from './archive-dialog.tsx'
import { ChannelsPanel } from './channels-panel.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { DeleteAppDialog } from './delete-app-dialog.tsx'
import { RenameDialog } from './rename-dialog.tsx'

const TRAIL = [{ name: 'Apps and channels', to: paths.apps }] as const

/** One app: its channels and their rules, and how to connect it. */
export function AppScreen() {
  const { app: ref } = useParams()
  const apps = useQuery(server.apps.list.queryOptions())
  return (
    <Loaded query={apps}>
      {(list) => {
        const app = list.find((each) => each.ref === ref)
        return app === undefined ? <NoApp /> : <AppContent key={app.ref} app={app} />
      }}
    </Loaded>
  )
}

function NoApp() {
  return (
    <>
      <PageHeader title="This app is not here" trail={TRAIL} />
      <EmptyState
        icon={IconApps}
        title="It may have been deleted"
        action={
          <Button component={Link} to={paths.apps}>
            Show all apps
          </Button>
        }
      >
        The list shows the apps that there are now.
      </EmptyState>
    </>
  )
}

function AppContent({ app }: { readonly app: AppDetail }) {
  return (
    <>
      <PageHeader
        title={app.name}
        trail={TRAIL}
        description={
          <>
            <Text span ff="monospace" size="sm">
              {app.ref}
            </Text>
            {` · ${formatCounted(app.devices, 'known device')}`}
          </>
        }
        actions={
          <>
            {app.archived && <StatusBadge status="archived" />}
            <AppMenu app={app} />
          </>
        }
      />
      <Stack gap="lg">
        {app.archived && (
          <Alert icon={<IconArchive aria-hidden="true" />} variant="light" color="gray">
            Devices of this app get no answer while it is archived. Restore it to serve its releases
            again, or to change its channels.
          </Alert>
        )}
        <ChannelsPanel app={app} />
        <ConnectPanel app={app} />
      </Stack>
    </>
  )
}

type Step = 'rename' | 'archive' | 'delete'

function AppMenu({ app }: { readonly app: AppDetail }) {
  const [step, setStep] = useState<Step>()
  const close = () => setStep(undefined)
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button variant="default" rightSection={<IconChevronDown size={16} />}>
            Manage
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setStep('rename')}>Rename</Menu.Item>
          <Menu.Item onClick={() => setStep('archive')}>
            {app.archived ? 'Restore' : 'Archive'}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item c="var(--tidegate-bad)" onClick={() => setStep('delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameDialog app={app} opened={step === 'rename'} onClose={close} />
      <ArchiveDialog app={app} opened={step === 'archive'} onClose={close} />
      <DeleteAppDialog app={app} opened={step === 'delete'} onClose={close} />
    </>
  )
}
