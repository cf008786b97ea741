import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { DeviceDetail, Explanation } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/counting.ts'
import { issueOf } from '../../../shared/issue.ts'
import { BundleKind } from '../../../shared/names.ts'
import { readVersion } from '../../../shared/version.ts'
import { server } from '../../bridge/clients.ts'

/** Milliseconds without a letter after which what was typed is explained. */
const REST = 250

/** What the fields say. What is undefined is the device's own. */
export interface Assumption {
  readonly channel?: string | undefined
  /** As typed. */
  readonly version?: string | undefined
  /** As typed. */
  readonly bundle?: string | undefined
  readonly manual?: boolean | undefined
}

type ExplanationState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly explanation: Explanation }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  /** There is no version to explain, or the version or the bundle is not valid: `reason` says why. */
  | {
      readonly state: 'invalid'
      readonly field: 'version' | 'bundle'
      readonly reason: string | undefined
    }

/** The decision for what the fields say at this moment, never for what they said before. */
export function useExplanation(device: DeviceDetail, assumption: Assumption): ExplanationState {
  const { app, deviceId } = device
  const typed = assumption.version?.trim() ?? (device.version === OTHER ? '' : device.version)
  const typedBundle = assumption.bundle?.trim() ?? ''
  const bundle = BundleKind.optional().safeParse(typedBundle === '' ? undefined : typedBundle)
  const rested = useRested(`${typed} ${typedBundle}`)
  const read = readVersion(typed)
  const isOwn = read.ok && read.version.text === device.version
  const isAsked = read.ok && bundle.success && rested === `${typed} ${typedBundle}`
  const query = useQuery({
    ...server.devices.explain.queryOptions({
      ...{ app, deviceId, channel: assumption.channel },
      version: isOwn || !read.ok ? undefined : read.version.text,
      bundle: bundle.data,
      manual: assumption.manual,
    }),
    placeholderData: () => undefined,
    enabled: isAsked,
  })
  if (!read.ok) {
    return { state: 'invalid', field: 'version', reason: typed === '' ? undefined : read.reason }
  }
  if (!bundle.success) {
    const { reason } = issueOf(bundle.error, typedBundle)
    return { state: 'invalid', field: 'bundle', reason }
  }
  if (!isAsked) return { state: 'loading' }
  if (query.data !== undefined) return { state: 'ready', explanation: query.data }
  if (query.error !== null) {
    return { state: 'failed', error: query.error, retry: () => void query.refetch() }
  }
  return { state: 'loading' }
}

/** The text, once it has been the same for a moment; at first at once. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), REST)
    return () => clearTimeout(timer)
  }, [text])
  return rested
}
