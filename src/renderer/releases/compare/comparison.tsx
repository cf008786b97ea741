import { Stack } from '@mantine/core'
import type { ReleasePair } from '../detail.ts'
import { ArtifactsPanel } from './artifacts-panel.tsx'
import { FactsPanel } from './facts-panel.tsx'
import { NotesPanel } from './notes-panel.tsx'
import { TargetsPanel } from './targets-panel.tsx'

/** Shows what differs between two releases, part by part. */
export function Comparison(pair: ReleasePair) {
  const { from, to } = pair
  return (
    <Stack gap="md" key={`${from.release.id} ${to.release.id}`}>
      <FactsPanel {...pair} />
      <TargetsPanel {...pair} />
      <ArtifactsPanel {...pair} />
      <NotesPanel {...pair} />
    </Stack>
  )
}
