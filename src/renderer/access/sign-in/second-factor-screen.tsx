import { Group } from '@mantine/core'
import { useEffect, useState } from 'react'
import type { SignInResult } from '../../../shared/console/people/account.ts'
import { accountClient } from '../../bridge/browser/account-client.ts'
import { useChange } from '../../components/change/use-change.ts'
import { TextField } from '../../components/text-fields.tsx'
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
    failed: text.notSignedIn,
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

const LINK_CODE = /#\/code\/([\w-]{22})$/

/** Returns the code of a console's link; undefined if it has none. It stands behind the #, which no server is sent. */
export function linkCode(link = location.hash): string | undefined {
  return LINK_CODE.exec(link.trim())?.[1]
}

interface linkCodeProps {
  /** The code of the link; undefined if it has to be typed. */
  readonly given: string | undefined
  /** Called once the browser may be signed in from. */
  readonly onEntered: () => void
}

/** Asks a new browser for the code that the server printed on its computer, and sends that of a link by itself. */
export function CodeScreen({ given, onEntered }: linkCodeProps) {
  const [code, setCode] = useState(given ?? '')
  const enter = useChange(accountClient.enterCode.mutate, {
    failed: text.codeNotAccepted,
    onAnswer: onEntered,
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: a link is opened once
  useEffect(() => {
    if (given !== undefined) enter.send({ code: given })
  }, [])
  return (
    <EntryPage title={text.newBrowser} hint={text.newBrowserHint}>
      <EntryForm
        change={enter}
        failed={text.codeNotAccepted}
        action={text.continue}
        disabled={code.trim() === ''}
        onSend={() => enter.send({ code: linkCode(code) ?? code.trim() })}
      >
        <TextField
          label={text.consoleCode}
          autoCapitalize="none"
          data-autofocus
          value={code}
          onChange={setCode}
        />
      </EntryForm>
    </EntryPage>
  )
}
