import { useQuery } from '@tanstack/react-query'
import type { Release } from '../../../shared/release.ts'
import { server, serverClient } from '../../bridge/clients.ts'
import { useChange } from '../../components/change/use-change.ts'
import { text } from './strings.ts'

/** Milliseconds between two looks while artifacts are being proven. */
const LOOK = 1_000

type Place = Pick<Release, 'app' | 'channel' | 'version'>

/** Where the proof of a release stands, and the steps that begin and end it. */
export function useProof({ app, channel, version }: Place) {
  const place = { app, channel, version }
  const known = useQuery(
    server.releases.proof.queryOptions(place, {
      refetchInterval: ({ state }) => (state.data?.state === 'running' ? LOOK : false),
      placeholderData: () => undefined,
    }),
  )
  const start = useChange(serverClient.releases.prove.mutate, {
    failed: () => text.proof.notStarted(version),
  })
  const cancel = useChange(serverClient.releases.cancelProof.mutate, {
    failed: () => text.proof.notCanceled(version),
  })
  return {
    proof: known.data,
    isPending: start.isPending || cancel.isPending,
    error: start.error ?? cancel.error ?? known.error,
    start: () => start.send(place),
    cancel: () => cancel.send(place),
  }
}
