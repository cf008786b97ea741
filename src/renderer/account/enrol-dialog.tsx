import { Group, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import type { OwnAccount, TotpEnrolment } from '../../shared/console/own-account.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { useChange } from '../components/change/use-change.ts'
import { Dialog, useLast } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { CodeBlock } from '../components/text/code-block.tsx'
import { faultIn } from './field-fault.ts'
import { PasswordField } from './password-field.tsx'
import { text } from './strings.ts'

interface Props {
  readonly own: OwnAccount
  /** What is to be confirmed; the dialog is closed without. */
  readonly enrolment: TotpEnrolment | undefined
  readonly onDone: (codes: { readonly recoveryCodes: readonly string[] }) => void
  readonly onClose: () => void
}

/** Shows a secret for an authenticator app, and turns the app on with a code from it. */
export function EnrolDialog({ own, enrolment, onDone, onClose }: Props) {
  const shown = useLast(enrolment)
  return (
    <Dialog opened={enrolment !== undefined} onClose={onClose} title={text.enrol.title} size="lg">
      {shown !== undefined && <EnrolForm own={own} enrolment={shown} onDone={onDone} />}
    </Dialog>
  )
}

interface FormProps extends Pick<Props, 'own' | 'onDone'> {
  readonly enrolment: TotpEnrolment
}

function EnrolForm({ own, enrolment, onDone }: FormProps) {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const confirm = useChange(accountClient.own.confirmTotp.mutate, {
    failed: () => text.enrol.failed,
    onAnswer: onDone,
  })
  const typed = code.replaceAll(/\s/g, '')
  return (
    <DialogForm
      action={text.enrol.action}
      change={confirm}
      isFieldError={faultIn(confirm.error, 'password') !== undefined}
      disabled={typed === '' || (own.hasPassword && password === '')}
      onSubmit={() => confirm.send({ enrolment: enrolment.enrolment, code: typed, password })}
    >
      <Text size="sm">{text.enrol.scan}</Text>
      <Group align="start" wrap="nowrap">
        <QrCode content={enrolment.uri} />
        <Stack flex={1} miw={0}>
          <CodeBlock title={text.enrol.secret} text={enrolment.secret} />
        </Stack>
      </Group>
      <TextInput
        label={text.enrol.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        spellCheck={false}
        required
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        data-autofocus
      />
      {own.hasPassword && (
        <PasswordField value={password} onChange={setPassword} error={confirm.error} />
      )}
    </DialogForm>
  )
}

/** Dark on light in both themes: not every app reads the reverse. */
function QrCode({ content }: { readonly content: string }) {
  const image = renderSVG(content, { border: 2 })
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(image)}`}
      alt={text.enrol.qrCode}
      width={180}
      height={180}
    />
  )
}
