import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { account } from '../bridge/browser/account-client.ts'
import { onAccessChanged, onSignedOut } from '../bridge/browser/session-end.ts'
import { isDesktop } from '../bridge/clients.ts'
import { forgetAnswers, queryClient } from '../bridge/query-client.ts'
import { CodeScreen, linkCode } from './code-screen.tsx'
import { EntryPage, EntryWait } from './entry-page.tsx'
import { LinkScreen, linkToken } from './link-screen.tsx'
import { SignInScreen } from './sign-in-screen.tsx'
import { leaveSignOn } from './sign-on-refusal.ts'
import { text } from './strings.ts'
import { untilReached } from './until-reached.ts'

/** Shows the console to who is signed in, and the way in to everybody else. The desktop app needs none. */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  return isDesktop() ? children : <BrowserGate>{children}</BrowserGate>
}

function BrowserGate({ children }: { readonly children: ReactNode }) {
  const [token, setToken] = useState(linkToken)
  const [ended, setEnded] = useState(false)
  const state = useQuery(account.state.queryOptions(undefined, untilReached))
  const signedInAs = state.data?.signedInAs
  useEffect(() => {
    if (typeof signedInAs !== 'string') return
    setEnded(false)
    const ends = [
      onSignedOut(() => {
        setEnded(true)
        // Nothing of what the person saw stays in the page.
        forgetAnswers()
      }),
      onAccessChanged(() => void queryClient.invalidateQueries()),
    ]
    return () => {
      for (const end of ends) end()
    }
  }, [signedInAs])
  const isOpened = state.data?.needsCode === false && linkCode() !== undefined
  useEffect(() => {
    if (isOpened) location.replace('#/')
  }, [isOpened])
  const enter = () => {
    forgetAnswers()
    void state.refetch()
  }

  if (token !== undefined) {
    const leave = () => {
      location.replace('#/')
      setToken(undefined)
      enter()
    }
    return <LinkScreen token={token} onLeave={leave} />
  }
  if (state.data === undefined) return <EntryWait query={state} />
  if (state.data.needsCode) {
    return <CodeScreen given={linkCode()} onEntered={enter} />
  }
  if (state.data.signedInAs !== null) return children
  if (!state.data.hasAccounts) return <NotSetUp />
  const signedIn = () => {
    leaveSignOn()
    enter()
  }
  const provider = state.data.singleSignOn
  return <SignInScreen provider={provider} ended={ended} onSignedIn={signedIn} />
}

/** Says how the first account is made. */
function NotSetUp() {
  return <EntryPage title={text.notSetUp} hint={text.notSetUpHint} />
}
