import { z } from 'zod'
import { DevicePlace } from './devices.ts'
import { ReleasePlace } from './releases/releases.ts'

/** Maximum results of each kind. */
export const MAX_FOUND = 6

export const SearchInput = z.strictObject({
  /** Words, in any order. */
  text: z.string().max(200, 'must be at most 200 characters'),
})

/** Releases and devices that a text finds, in all apps. */
export const SearchResult = z.strictObject({
  /** Newest first. Every word is part of the app, channel or version, and one is part of the version. */
  releases: z.array(ReleasePlace).max(MAX_FOUND),
  /** Devices whose id begins with the text, ordered by app, then by id. */
  devices: z.array(DevicePlace).max(MAX_FOUND),
})
export type SearchResult = z.infer<typeof SearchResult>
