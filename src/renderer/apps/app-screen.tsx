import { Button, Menu, Stack, Text } from '@mantine/core'
import { IconArchive, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParams } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { useAccess } from '../bridge/access.ts'
import { server } from '../bridge/clients.ts'
import { AppNotFound } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { Notice } from '../components/notice.tsx'
import { PageHeader } from '../components/page-header.tsx'
import { PublishButton } from '../components/release/publish-button.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { paths } from '../paths.ts'
import { ArchiveDialog, DeleteAppDialog, RenameDialog } from './app-dialogs.tsx'
import { ChannelsPanel } from './channels-panel.tsx'
import { ConnectPanel } from './connect-panel.tsx'
import { ProvingPanel } from './proving-panel.tsx'
import { text } from './strings.ts'

const TRAIL = [{ name: text.title, to: paths.apps }] as const

/** One app: its channels and their policies, and how to connect it. */
export function Component() {
  const { app: ref = '' } = useParams()
  const apps = useQuery(server.apps.list.queryOptions())
  return (
    <Loaded query={apps}>
      {(list) => {
        const app = list.find((each) => each.ref === ref)
        if (app !== undefined) return <AppContent key={app.ref} app={app} />
        return (
          <>
            <PageHeader title={text.title} trail={TRAIL} />
            <AppNotFound app={ref} />
          </>
        )
      }}
    </Loaded>
  )
}

function AppContent({ app }: { readonly app: AppDetail }) {
  const { may } = useAccess()
  const [first] = app.channels
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
            {` · ${text.knownDevices(app.devices)}`}
          </>
        }
        actions={
          <>
            {app.archived && <StatusBadge status="archived" />}
            {may('administrator', app.ref) && <AppMenu app={app} />}
            {first !== undefined && !app.archived && (
              <PublishButton place={{ app: app.ref, channel: first.name }} />
            )}
          </>
        }
      />
      <Stack gap="lg">
        {app.archived && (
          <Notice icon={IconArchive} color="gray">
            {text.archivedHint}
          </Notice>
        )}
        <ChannelsPanel app={app} />
        <ProvingPanel app={app} />
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
            {text.manage}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setStep('rename')}>{text.rename}</Menu.Item>
          <Menu.Item onClick={() => setStep('archive')}>
            {app.archived ? text.restore : text.archive}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item c="var(--tidegate-bad)" onClick={() => setStep('delete')}>
            {text.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <RenameDialog app={app} opened={step === 'rename'} onClose={close} />
      <ArchiveDialog app={app} opened={step === 'archive'} onClose={close} />
      <DeleteAppDialog app={app} opened={step === 'delete'} onClose={close} />
    </>
  )
}
