import type { LoggedEpisode } from '../../fleet/facts.ts'
import { stateOf } from '../../fleet/health/episode.ts'
import { phaseOf, readStage } from '../../fleet/health/packed-episode.ts'

/** Releases by the numbers of their episodes. */
interface NumberedReleases {
  get(release: number): { readonly version: string } | undefined
}

/** Reads the episode that is stored with a check-in; null if the device had none. */
export function loggedEpisode(stage: number, releases: NumberedReleases): LoggedEpisode | null {
  const { release, progress } = readStage(stage, 0)
  const state = stateOf(phaseOf(progress))
  if (release === 0 || state === null) return null
  return { release, version: releases.get(release)?.version ?? null, state }
}
