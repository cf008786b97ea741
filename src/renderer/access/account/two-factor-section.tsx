import { Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { renderSVG } from 'uqr'
import type { OwnAccount, TotpEnrolment } from '../../../shared/console/people/account.ts'
import { accountClient } from '../../bridge/browser/account-client.ts'
import { shellClient } from '../../bridge/clients.ts'
import { ErrorNotice, Panel, PlainButton } from '../../components/blocks.tsx'
import { runChange } from '../../components/change/announce.ts'
import { faultIn } from '../../components/change/fault.ts'
import { useChange } from '../../components/change/use-change.ts'
import { Dialog, type DialogProps, useAsked } from '../../components/dialog/dialog.tsx'
import { DialogForm } from '../../components/dialog/dialog-form.tsx'
import { ShownOnce } from '../../components/dialog/shown-once.tsx'
import { CodeBlock } from '../../components/text/copy-button.tsx'
import { ConfirmedDialog, OwnPasswordField } from './confirmed-dialog.tsx'
import { text } from './strings.ts'

interface Props {
  readonly own: OwnAccount
}

/** The authenticator app and the recovery codes. */
export function TwoFactorSection({ own }: Props) {
  const enrolment = useAsked<TotpEnrolment>()
  const codes = useAsked<readonly string[]>()
  const [asked, setAsked] = useState<'codes' | 'off'>()
  const { twoFactor, recoveryCodesLeft } = own
  const begin = useChange(() => accountClient.own.beginTotp.mutate(), {
    failed: text.twoFactor.setUpFailed,
    onAnswer: enrolment.ask,
  })
  const close = () => setAsked(undefined)
  const showCodes = ({ recoveryCodes }: { readonly recoveryCodes: readonly string[] }) => {
    enrolment.dialog.onClose()
    close()
    codes.ask(recoveryCodes)
  }
  return (
    <Panel title={text.twoFactor.title}>
      <Group justify="space-between">
        <Text size="sm">
          {twoFactor ? text.twoFactor.on(recoveryCodesLeft) : text.twoFactor.off}
        </Text>
        <Group gap="xs">
          <PlainButton loading={begin.isPending} onClick={() => begin.send(undefined)}>
            {twoFactor ? text.twoFactor.replace : text.twoFactor.setUp}
          </PlainButton>
          {twoFactor && (
            <>
              <PlainButton onClick={() => setAsked('codes')}>{text.twoFactor.newCodes}</PlainButton>
              <PlainButton onClick={() => setAsked('off')}>{text.twoFactor.turnOff}</PlainButton>
            </>
          )}
        </Group>
      </Group>
      <ErrorNotice error={begin.error} title={text.twoFactor.setUpFailed} />
      {enrolment.about && (
        <Dialog {...enrolment.dialog} title={text.enrol.title} size="lg">
          <EnrolForm own={own} enrolment={enrolment.about} onDone={showCodes} />
        </Dialog>
      )}
      <ConfirmedDialog
        opened={asked === 'codes'}
        title={text.newCodes.title}
        action={text.newCodes.action}
        hasPassword={own.hasPassword}
        send={accountClient.own.replaceRecoveryCodes.mutate}
        failed={text.newCodes.failed}
        onAnswer={showCodes}
        onClose={close}
      >
        {text.newCodes.effect(recoveryCodesLeft)}
      </ConfirmedDialog>
      <ConfirmedDialog
        opened={asked === 'off'}
        title={text.turnOff.title}
        action={text.turnOff.action}
        destructive
        hasPassword={own.hasPassword}
        send={accountClient.own.disableTotp.mutate}
        done={text.turnOff.done}
        failed={text.turnOff.failed}
        onClose={close}
      >
        {text.turnOff.effect(recoveryCodesLeft)}
      </ConfirmedDialog>
      {codes.about && <RecoveryCodesDialog codes={codes.about} {...codes.dialog} />}
    </Panel>
  )
}

interface EnrolProps extends Props {
  readonly enrolment: TotpEnrolment
  readonly onDone: (codes: { readonly recoveryCodes: readonly string[] }) => void
}

/** Shows a secret for an authenticator app, and turns the app on with a code from it. */
function EnrolForm({ own, enrolment, onDone }: EnrolProps) {
  const [code, setCode] = useState('')
  const [password, setPassword] = useState('')
  const confirm = useChange(accountClient.own.confirmTotp.mutate, {
    failed: text.enrol.failed,
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
        <OwnPasswordField value={password} onChange={setPassword} error={confirm.error} />
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

interface CodesProps extends DialogProps {
  readonly codes: readonly string[]
}

/** The one place where recovery codes are ever shown. The screen cannot be left before they were saved. */
function RecoveryCodesDialog({ codes, ...dialog }: CodesProps) {
  const list = codes.join('\n')
  return (
    <Dialog {...dialog} title={text.recovery.title} closable={false}>
      <ShownOnce
        stay={text.recovery.stay}
        once={<Text size="sm">{text.recovery.hint}</Text>}
        label={text.recovery.codes}
        text={list}
        buttons={(onDone) => (
          <>
            <PlainButton icon={IconDownload} onClick={() => void save(`${list}\n`)}>
              {text.recovery.download}
            </PlainButton>
            <Button onClick={onDone}>{text.recovery.done}</Button>
          </>
        )}
        onClose={dialog.onClose}
      />
    </Dialog>
  )
}

function save(list: string): Promise<void> {
  const words = { done: undefined, failed: text.recovery.downloadFailed }
  const file = { suggestedName: text.recovery.file, text: list }
  return runChange(() => shellClient.shell.saveFile.mutate(file), words)
}
