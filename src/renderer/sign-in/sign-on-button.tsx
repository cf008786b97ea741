import { IconLogin2 } from '@tabler/icons-react'
import { accountClient } from '../bridge/browser/account-client.ts'
import { useChange } from '../components/change/use-change.ts'
import { WayButton } from './entry-page.tsx'
import { text } from './strings.ts'

interface Props {
  /** The host name of the identity provider. */
  readonly provider: string
  /** The token of an invitation that is accepted by signing in there. */
  readonly link?: string | undefined
}

/** Sends the browser to the identity provider, which sends it back signed in. */
export function SignOnButton({ provider, link }: Props) {
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
