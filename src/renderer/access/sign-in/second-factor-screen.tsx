import { Group } from '@mantine/core'
import { useState } from 'react'
import type { SignInResult } from '../../../shared/console/people/account.ts'
import { accountClient } from '../../bridge/browser/account-client.ts'
import { useChange } from '../../components/change/use-change.ts'
import { EntryForm, EntryPage } from './entry-page.tsx'
import { answerOf, FactorField, OtherWay } from './fields.tsx'
import { text } from './strings.ts'

interface Props {
  readonly challenge: Extract<SignInResult, { kind: 'second_factor' }>
  readonly onDone: () => void
  readonly onStartAgain: () => void
}

/** Asks for the second factor: a code of the authenticator app, or a recovery code. */
export function SecondFactorScreen({ challenge, onDone, onStartAgain }: Props) {
  const [usesApp, setUsesApp] = useState(challenge.methods.includes('totp'))
  const [code, setCode] = useState('')
  const complete = useChange(accountClient.completeSecondFactor.mutate, {
    failed: () => text.notSignedIn,
    onAnswer: onDone,
  })
  const { challenge: asked } = challenge
  return (
    <EntryPage title={text.secondFactor}>
      <EntryForm
        change={complete}
        failed={text.notSignedIn}
        action={text.confirm}
        disabled={code.trim() === ''}
        onSend={() => complete.send({ challenge: asked, answer: answerOf(usesApp, code) })}
        below={
          <Group justify="space-between">
            <OtherWay
              onClick={() => {
                setCode('')
                setUsesApp(!usesApp)
              }}
            >
              {usesApp ? text.useRecoveryCode : text.useApp}
            </OtherWay>
            <OtherWay onClick={onStartAgain}>{text.startAgain}</OtherWay>
          </Group>
        }
      >
        <FactorField key={String(usesApp)} usesApp={usesApp} value={code} onChange={setCode} />
      </EntryForm>
    </EntryPage>
  )
}
