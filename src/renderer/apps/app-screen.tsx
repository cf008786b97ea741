import { Menu, Stack, Text } from '@mantine/core'
import { IconArchive, IconChevronDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import type { AppDetail } from '../../shared/console/apps.ts'
import { useAccess } from '../bridge/access.ts'
import { server, serverClient } from '../bridge/clients.ts'
import { Notice, PlainButton } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, type DialogProps, useAsked } from '../components/dialog/dialog.tsx'
import { ChangeDialog, DialogForm } from '../components/dialog/dialog-form.tsx'
import { AppNotFound } from '../components/loading/empty-state.tsx'
import { Loaded } from '../components/loading/loading.tsx'
import { PageHeader, PublishButton } from '../components/page-header.tsx'
import { StatusBadge } from '../components/release/status-badge.tsx'
import { NameField } from '../components/text-fields.tsx'
import { paths } from '../paths.ts'
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

type Step = 'rename' | 'delete'

function AppMenu({ app }: { readonly app: AppDetail }) {
  const [step, setStep] = useState<Step>()
  const archiving = useAsked<{ readonly restores: boolean }>()
  const close = () => setStep(undefined)
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <PlainButton rightSection={<IconChevronDown size={16} />}>{text.manage}</PlainButton>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setStep('rename')}>{text.rename}</Menu.Item>
          <Menu.Item onClick={() => archiving.ask({ restores: app.archived })}>
            {app.archived ? text.restore : text.archive}
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item c="var(--tidegate-bad)" onClick={() => setStep('delete')}>
            {text.delete}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Dialog opened={step === 'rename'} onClose={close} title={text.renameApp.title(app.name)}>
        <RenameForm app={app} onClose={close} />
      </Dialog>
      {archiving.about && <ArchiveDialog app={app} {...archiving.about} {...archiving.dialog} />}
      <DeleteAppDialog app={app} opened={step === 'delete'} onClose={close} />
    </>
  )
}

interface Props extends DialogProps {
  readonly app: AppDetail
}

/** Gives an app another name; its reference stays. */
function RenameForm({ app, onClose }: Omit<Props, 'opened'>) {
  const [name, setName] = useState(app.name)
  const rename = useChange(serverClient.apps.rename.mutate, {
    done: (_, renamed) => text.renameApp.done(renamed.name),
    failed: (renamed) => text.renameApp.failed(app.name, renamed.name),
    onDone: onClose,
  })
  const isEmpty = name.trim() === ''
  return (
    <DialogForm
      action={text.renameApp.action}
      change={rename}
      valid={!isEmpty}
      onSubmit={() => rename.send({ ref: app.ref, name: name.trim() })}
    >
      <NameField
        label={text.name}
        value={name}
        onChange={setName}
        error={isEmpty && text.required}
        data-autofocus
      />
    </DialogForm>
  )
}

/** Takes an app out of service, or back into it: as it was asked, whatever the app is meanwhile. */
function ArchiveDialog({ app, restores, ...dialog }: Props & { readonly restores: boolean }) {
  const { ref, name, devices } = app
  const step = restores ? text.restoreApp : text.archiveApp
  return (
    <ChangeDialog
      {...dialog}
      title={step.title(name)}
      action={step.action}
      destructive={!restores}
      send={() => serverClient.apps.setArchived.mutate({ ref, archived: !restores })}
      done={step.done(name)}
      failed={step.failed(name)}
    >
      {step.effect(devices, sumOf(app, 'served'))}
    </ChangeDialog>
  )
}

/** Deletes an app with all that belongs to it, after its reference was typed. */
function DeleteAppDialog({ app, ...dialog }: Props) {
  const { ref, name, archived, channels, devices } = app
  const navigate = useNavigate()
  const served = sumOf(app, 'served')
  return (
    <ChangeDialog
      {...dialog}
      title={text.deleteApp.title(name)}
      action={text.deleteApp.action(ref)}
      typed={ref}
      send={() => serverClient.apps.remove.mutate({ ref, confirmation: ref })}
      done={text.deleteApp.done(name)}
      failed={text.deleteApp.failed(name)}
      onAnswer={() => void navigate(paths.apps)}
    >
      {text.deleteApp.effect(channels.length, sumOf(app, 'releases'), devices)}
      {!archived && served > 0 && (
        <Text size="sm" mt="xs">
          {text.deleteApp.archiveFirst(served)}
        </Text>
      )}
    </ChangeDialog>
  )
}

function sumOf({ channels }: AppDetail, what: 'served' | 'releases'): number {
  return channels.reduce((sum, channel) => sum + channel[what], 0)
}
