import { Button, Group, Stack, Table, Text, VisuallyHidden } from '@mantine/core'
import { useState } from 'react'
import type { OwnAccount } from '../../shared/console/own-account.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { supportsPasskeys } from '../bridge/browser/passkeys.ts'
import { useChange } from '../components/change/use-change.ts'
import { useLast } from '../components/dialog/use-last.ts'
import { Panel } from '../components/panel.tsx'
import { When } from '../components/text/when.tsx'
import { AddPasskeyDialog } from './add-passkey-dialog.tsx'
import { ConfirmedDialog } from './confirmed-dialog.tsx'
import { text } from './strings.ts'

type Passkey = OwnAccount['passkeys'][number]

interface Props {
  readonly own: OwnAccount
}

/** The passkeys of the account. */
export function PasskeysSection({ own }: Props) {
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<Passkey>()
  const isSupported = supportsPasskeys()
  const { passkeys } = own
  return (
    <Panel title={text.passkeys.title}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm">{isSupported ? text.passkeys.hint : text.passkeys.unsupported}</Text>
          {isSupported && (
            <Button variant="default" onClick={() => setAdding(true)}>
              {text.passkeys.add}
            </Button>
          )}
        </Group>
        {passkeys.length > 0 && <PasskeyTable passkeys={passkeys} onRemove={setRemoving} />}
      </Stack>
      <AddPasskeyDialog own={own} opened={adding} onClose={() => setAdding(false)} />
      <RemovePasskeyDialog own={own} passkey={removing} onClose={() => setRemoving(undefined)} />
    </Panel>
  )
}

interface TableProps {
  readonly passkeys: readonly Passkey[]
  readonly onRemove: (passkey: Passkey) => void
}

function PasskeyTable({ passkeys, onRemove }: TableProps) {
  const { columns } = text.passkeys
  return (
    <Table aria-label={text.passkeys.title}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>{columns.name}</Table.Th>
          <Table.Th>{columns.created}</Table.Th>
          <Table.Th>{columns.lastUsed}</Table.Th>
          <Table.Th w={96}>
            <VisuallyHidden>{columns.actions}</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {passkeys.map((passkey) => (
          <Table.Tr key={passkey.id}>
            <Table.Td>{passkey.name}</Table.Td>
            <Table.Td>
              <When at={passkey.createdAt} />
            </Table.Td>
            <Table.Td>
              <When at={passkey.lastUsedAt} />
            </Table.Td>
            <Table.Td ta="end">
              <Button
                variant="default"
                size="xs"
                aria-label={text.passkeys.removeLabel(passkey.name)}
                onClick={() => onRemove(passkey)}
              >
                {text.passkeys.remove}
              </Button>
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  )
}

interface RemoveProps extends Props {
  /** The passkey in question; the dialog is closed without. */
  readonly passkey: Passkey | undefined
  readonly onClose: () => void
}

function RemovePasskeyDialog({ own, passkey, onClose }: RemoveProps) {
  const shown = useLast(passkey)
  const name = shown?.name ?? ''
  const remove = useChange(accountClient.own.removePasskey.mutate, {
    done: () => text.removePasskey.done(name),
    failed: () => text.removePasskey.failed(name),
    onDone: onClose,
  })
  if (shown === undefined) return null
  return (
    <ConfirmedDialog
      opened={passkey !== undefined}
      title={text.removePasskey.title(name)}
      action={text.removePasskey.action}
      destructive
      hasPassword={own.hasPassword}
      change={remove}
      onConfirm={(password) => remove.send({ id: shown.id, password })}
      onClose={onClose}
    >
      {text.removePasskey.effect(own.passkeys.filter(({ id }) => id !== shown.id).length)}
    </ConfirmedDialog>
  )
}
