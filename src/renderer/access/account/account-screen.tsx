import { Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnAccount } from '../../../shared/console/people/account.ts'
import { account, accountClient } from '../../bridge/browser/account-client.ts'
import { shell } from '../../bridge/clients.ts'
import { ErrorNotice, Panel, PlainButton } from '../../components/blocks.tsx'
import { faultIn } from '../../components/change/fault.ts'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { Loaded } from '../../components/loading/loading.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { AppearanceFields, setPreferences } from '../../settings/app-section.tsx'
import { PasswordField } from '../sign-in/fields.tsx'
import { OwnPasswordField } from './confirmed-dialog.tsx'
import { NotificationsSection } from './notifications/notifications-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { SingleSignOnSection } from './single-sign-on-section.tsx'
import { text } from './strings.ts'
import { TwoFactorSection } from './two-factor-section.tsx'

/** How the person signs in, where they are signed in, and how the console looks to them. In browsers only. */
export function Component() {
  const own = useQuery(account.own.get.queryOptions())
  return (
    <>
      <PageHeader
        title={text.title}
        description={own.data === undefined ? undefined : text.signedInAs(own.data.name)}
      />
      <Stack gap="lg">
        <Loaded query={own}>
          {(data) => (
            <>
              <PasswordSection own={data} />
              <TwoFactorSection own={data} />
              <PasskeysSection own={data} />
              <SingleSignOnSection own={data} />
              <NotificationsSection email={data.email} />
            </>
          )}
        </Loaded>
        <SessionsSection />
        <AppearanceSection />
      </Stack>
    </>
  )
}

/** How the console looks in this browser. */
function AppearanceSection() {
  const preferences = useQuery(shell.shell.preferences.queryOptions())
  const set = useChange(setPreferences, { failed: text.appearance.failed, inTurn: true })
  return (
    <Panel title={text.appearance.title}>
      <Loaded query={preferences}>
        {({ theme, timeZone }) => (
          <Stack gap="md">
            <AppearanceFields theme={theme} timeZone={timeZone} onChange={set.send} />
            <ErrorNotice error={set.error} title={text.appearance.failed} />
          </Stack>
        )}
      </Loaded>
    </Panel>
  )
}

interface Props {
  readonly own: OwnAccount
}

/** The password of the account. */
function PasswordSection({ own }: Props) {
  const [changing, setChanging] = useState(false)
  const action = own.hasPassword ? text.password.change : text.password.set
  const close = () => setChanging(false)
  return (
    <Panel title={text.password.title}>
      <Group justify="space-between">
        <Text size="sm">{own.hasPassword ? text.password.hint : text.password.none}</Text>
        <PlainButton onClick={() => setChanging(true)}>{action}</PlainButton>
      </Group>
      <Dialog opened={changing} onClose={close} title={action}>
        <PasswordForm own={own} action={action} onDone={close} />
      </Dialog>
    </Panel>
  )
}

interface FormProps extends Props {
  readonly action: string
  readonly onDone: () => void
}

function PasswordForm({ own, action, onDone }: FormProps) {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const sessions = useQuery(account.own.sessions.queryOptions())
  const change = useChange(accountClient.own.changePassword.mutate, {
    done: text.password.done,
    failed: text.password.failed,
    onDone,
  })
  const fault = faultIn(change.error, 'next')
  return (
    <DialogForm
      action={action}
      change={change}
      isFieldError={fault !== undefined || faultIn(change.error, 'current') !== undefined}
      disabled={next === '' || (own.hasPassword && current === '')}
      onSubmit={() => change.send({ current, next })}
    >
      {own.hasPassword && (
        <OwnPasswordField
          label={text.currentPassword}
          member="current"
          value={current}
          onChange={setCurrent}
          error={change.error}
          isFirst
        />
      )}
      <PasswordField
        label={text.password.next}
        description={text.password.nextHint}
        autoComplete="new-password"
        required
        value={next}
        onChange={setNext}
        error={fault}
      />
      {(sessions.data?.length ?? 0) > 1 && (
        <Text size="sm">{text.password.effect((sessions.data?.length ?? 1) - 1)}</Text>
      )}
    </DialogForm>
  )
}
