import { Text } from '@mantine/core'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useCallback, useEffect, useState } from 'react'
import { accountClient } from '../../bridge/browser/account-client.ts'
import { confirmWithPasskey } from '../../bridge/browser/passkeys.ts'
import { ConsoleError } from '../../bridge/error.ts'
import { useChange } from '../../components/change/use-change.ts'
import { WayButton } from './entry-page.tsx'
import { text } from './strings.ts'

const words = text.confirmIdentity

/** Milliseconds between two looks whether the person has confirmed at the identity provider, in another tab. */
const LOOK = 1_000

interface Props {
  readonly isFirst: boolean
  readonly onConfirmed: () => void
}

/** Confirms with a passkey of the account. */
export function PasskeyButton({ isFirst, onConfirmed }: Props) {
  const confirm = useChange((_: undefined) => confirmWithPasskey(), {
    failed: words.failed,
    onAnswer: onConfirmed,
  })
  return (
    <WayButton icon={IconFingerprint} change={confirm} failed={words.failed} isFirst={isFirst}>
      {words.passkey}
    </WayButton>
  )
}

/** Confirms at the identity provider, in another tab: leaving this one would lose what was typed. */
export function ProviderButton({ isFirst, onConfirmed }: Props) {
  const look = useCallback(async () => {
    if (await accountClient.own.confirmed.query().catch(() => false)) onConfirmed()
  }, [onConfirmed])
  return (
    <TabButton begin={confirmAtProvider} look={look} failed={words.failed} isFirst={isFirst}>
      {words.provider}
    </TabButton>
  )
}

const confirmAtProvider = () =>
  accountClient.own.confirmAtProvider.mutate({ page: new URL('./', document.baseURI).href })

interface TabProps {
  /** Returns the address at the provider. */
  readonly begin: () => Promise<{ readonly url: string }>
  /** Looks whether it is done there. */
  readonly look: () => Promise<unknown>
  /** Title of what it failed with. */
  readonly failed: string
  readonly isFirst?: boolean
  readonly children: string
}

/** Opens the identity provider in another tab, and looks until it is done there. */
function TabButton({ begin, look, failed, isFirst = false, children }: TabProps) {
  const [isWaiting, setWaiting] = useState(false)
  const open = useChange((_: undefined) => openProvider(begin), {
    failed: failed,
    onAnswer: () => setWaiting(true),
  })
  useEffect(() => {
    if (!isWaiting) return
    const timer = setInterval(() => void look(), LOOK)
    return () => clearInterval(timer)
  }, [isWaiting, look])
  return (
    <>
      <WayButton icon={IconLogin2} change={open} failed={failed} isFirst={isFirst}>
        {children}
      </WayButton>
      {isWaiting && (
        <Text size="sm" role="status">
          {words.waiting}
        </Text>
      )}
    </>
  )
}

async function openProvider(begin: TabProps['begin']): Promise<void> {
  // Before anything is awaited: browsers open a tab only while a click is handled.
  const tab = window.open('about:blank', '_blank')
  if (tab === null) throw new ConsoleError('invariant', words.noTab)
  try {
    const { url } = await begin()
    tab.opener = null
    tab.location.replace(url)
  } catch (error) {
    tab.close()
    throw error
  }
}

interface SignOnButtonProps {
  /** The host name of the identity provider. */
  readonly provider: string
  /** The token of an invitation that is accepted by signing in there. */
  readonly link?: string | undefined
  /** Given where something was typed into the page: the provider opens in another tab, and this looks whether somebody is signed in. */
  readonly lookAgain?: (() => Promise<unknown>) | undefined
}

/** Signs in at the identity provider: it sends the browser back signed in, unless that would lose what was typed. */
export function SignOnButton({ provider, link, lookAgain }: SignOnButtonProps) {
  const page = new URL('./', document.baseURI).href
  const ask = () => accountClient.signOn.mutate({ page, link })
  const begin = useChange((_: undefined) => ask(), {
    failed: text.notSignedIn,
    onAnswer: ({ url }) => location.assign(url),
  })
  const [failed, name] = [text.notSignedIn, text.singleSignOn(provider)]
  if (lookAgain !== undefined) {
    return (
      <TabButton begin={ask} look={lookAgain} failed={failed}>
        {name}
      </TabButton>
    )
  }
  return (
    <WayButton icon={IconLogin2} change={begin} failed={failed}>
      {name}
    </WayButton>
  )
}
