import { Text } from '@mantine/core'
import { IconShieldQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Release } from '../../../shared/releases/release.ts'
import { useAccess } from '../../bridge/access.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { ChangeDialog } from '../../components/dialog/confirm-dialog.tsx'
import { Notice } from '../../components/notice.tsx'
import type { ReleaseDetail } from '../detail.ts'
import { text } from './strings.ts'

/** Says that a release is paused until it is proven, or that it cannot be, and offers to keep it paused. */
export function ProofWait({ detail }: { readonly detail: ReleaseDetail }) {
  const { release, lastChange: seenChange } = detail
  const { app, channel, version } = release
  const { proof } = useProof(release)
  const failed = proof?.artifacts.filter(({ state }) => state === 'failed').length ?? 0
  const [asked, setAsked] = useState(false)
  const mayServe = useAccess().may('release_manager', app) && !detail.archived
  return (
    <Notice
      icon={IconShieldQuestion}
      mb="md"
      title={text.proof.waitTitle}
      action={mayServe && { name: text.proof.keep, onClick: () => setAsked(true) }}
    >
      <Text size="sm">
        {failed > 0 ? text.proof.waitFailed(failed, release.artifacts.length) : text.proof.wait}
      </Text>
      <ChangeDialog
        opened={asked}
        destructive={false}
        title={text.proof.keepTitle(version)}
        action={text.proof.keep}
        send={() =>
          serverClient.releases.changeServing.mutate({
            ...{ app, channel, version, status: 'paused', seenChange },
          })
        }
        done={text.proof.kept(version)}
        failed={text.proof.notKept(version)}
        onClose={() => setAsked(false)}
      >
        {text.proof.keepEffect}
      </ChangeDialog>
    </Notice>
  )
}

/** Milliseconds between two looks while artifacts are being proven. */
const LOOK = 1_000

type Place = Pick<Release, 'app' | 'channel' | 'version'>

/** Where the proof of a release stands, and the steps that begin and end it. */
export function useProof({ app, channel, version }: Place) {
  const place = { app, channel, version }
  const known = useQuery(
    server.releases.proof.queryOptions(place, {
      refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK : false),
    }),
  )
  const start = useChange(serverClient.releases.prove.mutate, {
    failed: text.proof.notStarted(version),
  })
  const cancel = useChange(serverClient.releases.cancelProof.mutate, {
    failed: text.proof.notCanceled(version),
  })
  return {
    proof: known.data,
    isPending: start.isPending || cancel.isPending,
    error: start.error ?? cancel.error ?? known.error,
    start: () => start.send(place),
    cancel: () => cancel.send(place),
  }
}
