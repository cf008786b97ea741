import { Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import type { ListedServer } from '../../shared/console/desktop/remote-servers.ts'
import type { ServerReach } from '../../shared/console/desktop/shell.ts'
import { shellClient } from '../bridge/clients.ts'
import { queryClient } from '../bridge/query-client.ts'
import { useServerState } from '../bridge/server-state.tsx'
import { useRemoteServer } from '../bridge/servers.tsx'
import { PlainButton } from '../components/blocks.tsx'
import { useChange } from '../components/change/use-change.ts'
import { Dialog } from '../components/dialog/dialog.tsx'
import { DialogForm } from '../components/dialog/dialog-form.tsx'
import { Banner } from '../layout/banner.tsx'
import { Fingerprint } from './dialog-parts.tsx'
import { RemoteSignInForm } from './remote-sign-in-form.tsx'
import { text } from './strings.ts'

interface Props {
  readonly server: ListedServer
}

/** What the desktop app says of another server that is in use. */
export function RemoteBanners() {
  const state = useServerState()
  const remote = useRemoteServer()
  useClearForOthers(remote)
  if (remote === undefined) return null
  if (state.state === 'signed_out') return <SignedOutBanner key={remote.id} server={remote} />
  if (state.state !== 'certificate_refused') return null
  return <CertificateBanner server={remote} state={state} />
}

/** Says that nobody is signed in on the server in use, and asks for it: over the screen, which keeps its input. */
function SignedOutBanner({ server }: Props) {
  const [opened, setOpened] = useState(true)
  return (
    <>
      <Banner title={text.signedOutBanner(server.name)}>
        <PlainButton onClick={() => setOpened(true)}>{text.signInAction}</PlainButton>
      </Banner>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={text.signIn.title(server.name)}
      >
        <RemoteSignInForm server={server} onSignedIn={() => setOpened(false)} />
      </Dialog>
    </>
  )
}

/** Empties the screen when another person signs in: it shows what the former one could see. */
function useClearForOthers(server: ListedServer | undefined): void {
  const last = useRef<string>(undefined)
  const name = server?.signedInAs ?? undefined
  useEffect(() => {
    if (name === undefined) return
    if (last.current !== undefined && last.current !== name) void queryClient.resetQueries()
    last.current = name
  }, [name])
}

type Refused = Extract<ServerReach, { state: 'certificate_refused' }>

/** Says that the server in use has another certificate than before, and shows both. */
function CertificateBanner({ server, state }: Props & { readonly state: Refused }) {
  const [opened, setOpened] = useState(false)
  return (
    <>
      <Banner
        failed
        title={text.certificate.banner(server.name)}
        text={state.pinned === null ? text.certificate.untrusted : text.certificate.changed}
      >
        <PlainButton onClick={() => setOpened(true)}>{text.certificate.review}</PlainButton>
      </Banner>
      <Dialog
        opened={opened}
        onClose={() => setOpened(false)}
        title={text.certificate.title(server.name)}
      >
        <TrustForm server={server} state={state} />
      </Dialog>
    </>
  )
}

function TrustForm({ server, state }: Props & { readonly state: Refused }) {
  const trust = useChange(shellClient.shell.servers.trust.mutate, {
    done: text.certificate.done(server.name),
    failed: text.certificate.failed,
  })
  return (
    <DialogForm
      action={text.certificate.action}
      destructive
      change={trust}
      onSubmit={() => trust.send({ id: server.id, fingerprint: state.presented })}
    >
      <Text size="sm">{text.certificate.explanation}</Text>
      {state.pinned !== null && (
        <Fingerprint label={text.certificate.pinned} value={state.pinned} />
      )}
      <Fingerprint label={text.certificate.presented} value={state.presented} />
    </DialogForm>
  )
}
