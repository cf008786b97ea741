import { Text } from '@mantine/core'
import { IconFingerprint, IconLogin2 } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
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
    failed: () => words.failed,
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
  const [isWaiting, setWaiting] = useState(false)
  const begin = useChange((_: undefined) => openProvider(), {
    failed: () => words.failed,
    onAnswer: () => setWaiting(true),
  })
  useEffect(() => {
    if (!isWaiting) return
    const look = async () => {
      if (await accountClient.own.confirmed.query().catch(() => false)) onConfirmed()
    }
    const timer = setInterval(() => void look(), LOOK)
    return () => clearInterval(timer)
  }, [isWaiting, onConfirmed])
  return (
    <>
      <WayButton icon={IconLogin2} change={begin} failed={words.failed} isFirst={isFirst}>
        {words.provider}
      </WayButton>
      {isWaiting && (
        <Text size="sm" role="status">
          {words.waiting}
        </Text>
      )}
    </>
  )
}

async function openProvider(): Promise<void> {
  // Before anything is awaited: browsers open a tab only while a click is handled.
  const tab = window.open('about:blank', '_blank')
  if (tab === null) throw new ConsoleError('invariant', words.noTab)
  try {
    const page = new URL('./', document.baseURI).href
    const { url } = await accountClient.own.confirmAtProvider.mutate({ page })
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
}

/** Sends the browser to the identity provider, which sends it back signed in. */
export function SignOnButton({ provider, link }: SignOnButtonProps) {
  const page = new URL('./', document.baseURI).href
  const begin = useChange((_: undefined) => accountClient.signOn.mutate({ page, link }), {
    failed: () => text.notSignedIn,
    onAnswer: ({ url }) => location.assign(url),
  })
  return (
    <WayButton icon={IconLogin2} change={begin} failed={text.notSignedIn}>
      {text.singleSignOn(provider)}
    </WayButton>
  )
}
