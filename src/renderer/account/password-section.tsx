import { Button, Group, PasswordInput, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { OwnAccount } from '../../shared/console/own-account.ts'
import { account, accountClient } from '../bridge/browser/account-client.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { Panel } from '../components/panel.tsx'
import { faultIn, PasswordField } from './password-field.tsx'
import { text } from './strings.ts'

interface Props {
  readonly own: OwnAccount
}

/** The password of the account. */
export function PasswordSection({ own }: Props) {
  const [changing, setChanging] = useState(false)
  const action = own.hasPassword ? text.password.change : text.password.set
  const close = () => setChanging(false)
  return (
    <Panel title={text.password.title}>
      <Group justify="space-between">
        <Text size="sm">{own.hasPassword ? text.password.hint : text.password.none}</Text>
        <Button variant="default" onClick={() => setChanging(true)}>
          {action}
        </Button>
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
    done: () => text.password.done,
    failed: () => text.password.failed,
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
        <PasswordField
          label={text.currentPassword}
          member="current"
          value={current}
          onChange={setCurrent}
          error={change.error}
          isFirst
        />
      )}
      <PasswordInput
        label={text.password.next}
        description={text.password.nextHint}
        autoComplete="new-password"
        required
        value={next}
        onChange={(event) => setNext(event.currentTarget.value)}
        error={fault}
      />
      {(sessions.data?.length ?? 0) > 1 && (
        <Text size="sm">{text.password.effect((sessions.data?.length ?? 1) - 1)}</Text>
      )}
    </DialogForm>
  )
}
