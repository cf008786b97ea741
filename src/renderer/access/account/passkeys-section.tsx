import { Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { OwnAccount } from '../../../shared/console/people/account.ts'
import { accountClient } from '../../bridge/browser/account-client.ts'
import { addPasskey, supportsPasskeys } from '../../bridge/browser/passkeys.ts'
import { Panel, PlainButton, SmallButton } from '../../components/blocks.tsx'
import { faultIn } from '../../components/change/fault.ts'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useAsked } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { DataTable } from '../../components/list/data-table.tsx'
import { When } from '../../components/text/words.tsx'
import { NameField } from '../../components/text-fields.tsx'
import { ConfirmedDialog, OwnPasswordField } from './confirmed-dialog.tsx'
import { text } from './strings.ts'

interface Props {
  readonly own: OwnAccount
}

/** The passkeys of the account. */
export function PasskeysSection({ own }: Props) {
  const [adding, setAdding] = useState(false)
  const close = () => setAdding(false)
  const removing = useAsked<OwnAccount['passkeys'][number]>()
  const removed = removing.about
  const isSupported = supportsPasskeys()
  const { passkeys } = own
  const { columns } = text.passkeys
  return (
    <Panel title={text.passkeys.title}>
      <Stack>
        <Group justify="space-between">
          <Text size="sm">{isSupported ? text.passkeys.hint : text.passkeys.unsupported}</Text>
          {isSupported && (
            <PlainButton onClick={() => setAdding(true)}>{text.passkeys.add}</PlainButton>
          )}
        </Group>
        {passkeys.length > 0 && (
          <DataTable
            label={text.passkeys.title}
            rows={passkeys}
            keyOf={({ id }) => id}
            columns={[
              { name: columns.name, cell: ({ name }) => name },
              { name: columns.created, cell: ({ createdAt }) => <When at={createdAt} /> },
              { name: columns.lastUsed, cell: ({ lastUsedAt }) => <When at={lastUsedAt} /> },
              {
                ...{ name: columns.actions, isUnnamed: true, ta: 'end', w: 96 },
                cell: (passkey) => (
                  <SmallButton
                    aria-label={text.passkeys.removeLabel(passkey.name)}
                    onClick={() => removing.ask(passkey)}
                  >
                    {text.passkeys.remove}
                  </SmallButton>
                ),
              },
            ]}
          />
        )}
      </Stack>
      <Dialog opened={adding} onClose={close} title={text.addPasskey.title}>
        <AddPasskeyForm own={own} onDone={close} />
      </Dialog>
      {removed && (
        <ConfirmedDialog
          {...removing.dialog}
          title={text.removePasskey.title(removed.name)}
          action={text.removePasskey.action}
          destructive
          hasPassword={own.hasPassword}
          send={({ password }) =>
            accountClient.own.removePasskey.mutate({ id: removed.id, password })
          }
          done={text.removePasskey.done(removed.name)}
          failed={text.removePasskey.failed(removed.name)}
        >
          {text.removePasskey.effect(passkeys.filter(({ id }) => id !== removed.id).length)}
        </ConfirmedDialog>
      )}
    </Panel>
  )
}

/** Names a passkey and has the browser make it. */
function AddPasskeyForm({ own, onDone }: Props & { readonly onDone: () => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const add = useChange(addPasskey, {
    done: (_, input) => text.addPasskey.done(input.name),
    failed: text.addPasskey.failed,
    onDone,
  })
  return (
    <DialogForm
      action={text.addPasskey.action}
      change={add}
      isFieldError={faultIn(add.error, 'password') !== undefined}
      disabled={name.trim() === '' || (own.hasPassword && password === '')}
      onSubmit={() => add.send({ name: name.trim(), password })}
    >
      <NameField
        label={text.addPasskey.name}
        description={text.addPasskey.nameHint}
        value={name}
        onChange={setName}
        autoComplete="off"
        data-autofocus
      />
      {own.hasPassword && (
        <OwnPasswordField value={password} onChange={setPassword} error={add.error} />
      )}
    </DialogForm>
  )
}
