import { Button } from '@mantine/core'
import { IconLogin2 } from '@tabler/icons-react'
import { accountClient } from '../bridge/browser/account-client.ts'
import { ErrorNotice } from '../components/change/error-notice.tsx'
import { useChange } from '../components/change/use-change.ts'
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
  const begin = useChange(() => accountClient.signOn.mutate({ page, link }), {
    done: () => undefined,
    failed: () => text.notSignedIn,
    onAnswer: ({ url }) => location.assign(url),
  })
  return (
    <>
      <ErrorNotice error={begin.error} title={text.notSignedIn} />
      <Button
        variant="default"
        leftSection={<IconLogin2 size={16} aria-hidden="true" />}
        loading={begin.isPending}
        onClick={() => begin.send(undefined)}
      >
        {text.singleSignOn(provider)}
      </Button>
    </>
  )
}
