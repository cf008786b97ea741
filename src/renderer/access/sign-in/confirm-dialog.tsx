import { Divider, Group, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { ConfirmationMethod } from '../../../shared/access/person.ts'
import { supportsPasskeys } from '../../bridge/browser/passkeys.ts'
import { isDesktop, serverClient } from '../../bridge/clients.ts'
import { consoleErrorOf } from '../../bridge/error.ts'
import { PlainButton } from '../../components/blocks.tsx'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, useDialog } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { text as common } from '../../components/strings.ts'
import { FactorField, OtherWay, PasswordField } from './fields.tsx'
import { text } from './strings.ts'
import { PasskeyButton, ProviderButton } from './way-buttons.tsx'

const words = text.confirmIdentity

interface WaysProps {
  readonly methods: readonly ConfirmationMethod[]
  readonly onConfirmed: () => void
}

/** Asks the person to confirm that it is them, in a way that they have. */
export function ConfirmDialog({ onClose, ...ways }: WaysProps & { readonly onClose: () => void }) {
  return (
    <Dialog opened onClose={onClose} title={words.title}>
      <Ways {...ways} />
    </Dialog>
  )
}

function Ways({ methods, onConfirmed }: WaysProps) {
  const { close } = useDialog()
  const typed = methods.filter((method) => method === 'password' || method === 'code')
  const [first] = typed
  const offersPasskey = methods.includes('passkey') && !isDesktop() && supportsPasskeys()
  const offersProvider = methods.includes('single_sign_on') && !isDesktop()
  const isAlone = first === undefined
  return (
    <Stack>
      <Text size="sm">{words.hint}</Text>
      {offersPasskey && <PasskeyButton isFirst={isAlone} onConfirmed={onConfirmed} />}
      {offersProvider && (
        <ProviderButton isFirst={isAlone && !offersPasskey} onConfirmed={onConfirmed} />
      )}
      {isAlone && !offersPasskey && !offersProvider && <Text size="sm">{words.notHere}</Text>}
      {!isAlone && (offersPasskey || offersProvider) && <Divider label={text.or} />}
      {first === undefined ? (
        <Group justify="end">
          <PlainButton onClick={close}>{common.cancel}</PlainButton>
        </Group>
      ) : (
        <TypedForm first={first} hasBoth={typed.length > 1} onConfirmed={onConfirmed} />
      )}
    </Stack>
  )
}

interface TypedProps extends Pick<WaysProps, 'onConfirmed'> {
  readonly first: 'password' | 'code'
  readonly hasBoth: boolean
}

function TypedForm({ first, hasBoth, onConfirmed }: TypedProps) {
  const [way, setWay] = useState(first)
  const [value, setValue] = useState('')
  const confirm = useChange(serverClient.session.confirm.mutate, {
    failed: words.failed,
    onAnswer: onConfirmed,
  })
  const { refusal, message } = consoleErrorOf(confirm.error ?? '')
  const isWrong =
    refusal?.code === 'current_password_wrong' || refusal?.code === 'second_factor_wrong'
  const fault = refusal?.code === 'current_password_wrong' ? words.wrongPassword : message
  const field = { value, onChange: setValue, error: isWrong ? fault : undefined }
  return (
    <DialogForm
      action={text.confirm}
      change={confirm}
      isFieldError={isWrong}
      disabled={value.trim() === ''}
      onSubmit={() =>
        confirm.send(
          way === 'password' ? { password: value } : { totp: value.replaceAll(/\s/g, '') },
        )
      }
    >
      {way === 'password' ? (
        <PasswordField {...field} label={words.password} data-autofocus />
      ) : (
        <FactorField {...field} usesApp />
      )}
      {hasBoth && (
        <OtherWay
          ta="left"
          onClick={() => {
            setValue('')
            confirm.reset()
            setWay(way === 'password' ? 'code' : 'password')
          }}
        >
          {way === 'password' ? text.useApp : words.usePassword}
        </OtherWay>
      )}
    </DialogForm>
  )
}
