import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'
import type { OwnAccount, TotpEnrolment } from '../../shared/console/own-account.ts'
import { accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Panel } from '../components/panel.tsx'
import { ConfirmedDialog } from './confirmed-dialog.tsx'
import { EnrolDialog } from './enrol-dialog.tsx'
import { RecoveryCodesDialog } from './recovery-codes.tsx'
import { text } from './strings.ts'

interface Props {
  readonly own: OwnAccount
}

/** The authenticator app and the recovery codes. */
export function TwoFactorSection({ own }: Props) {
  const [enrolment, setEnrolment] = useState<TotpEnrolment>()
  const [codes, setCodes] = useState<readonly string[]>()
  const [asked, setAsked] = useState<'codes' | 'off'>()
  const { twoFactor, recoveryCodesLeft } = own
  const begin = useChange(() => accountClient.own.beginTotp.mutate(), {
    failed: () => text.twoFactor.setUpFailed,
    onAnswer: setEnrolment,
  })
  const close = () => setAsked(undefined)
  const showCodes = ({ recoveryCodes }: { readonly recoveryCodes: readonly string[] }) => {
    setEnrolment(undefined)
    close()
    setCodes(recoveryCodes)
  }
  return (
    <Panel title={text.twoFactor.title}>
      <Group justify="space-between">
        <Text size="sm">
          {twoFactor ? text.twoFactor.on(recoveryCodesLeft) : text.twoFactor.off}
        </Text>
        <Group gap="xs">
          <Button variant="default" loading={begin.isPending} onClick={() => begin.send(undefined)}>
            {twoFactor ? text.twoFactor.replace : text.twoFactor.setUp}
          </Button>
          {twoFactor && (
            <>
              <Button variant="default" onClick={() => setAsked('codes')}>
                {text.twoFactor.newCodes}
              </Button>
              <Button variant="default" onClick={() => setAsked('off')}>
                {text.twoFactor.turnOff}
              </Button>
            </>
          )}
        </Group>
      </Group>
      <ErrorNotice error={begin.error} title={text.twoFactor.setUpFailed} />
      <EnrolDialog
        own={own}
        enrolment={enrolment}
        onDone={showCodes}
        onClose={() => setEnrolment(undefined)}
      />
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
      <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />
    </Panel>
  )
}
