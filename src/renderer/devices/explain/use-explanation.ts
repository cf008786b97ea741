import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import type { DeviceDetail, Explanation } from '../../../shared/console/devices.ts'
import { OTHER } from '../../../shared/devices/counting.ts'
import type { UpdaterClient } from '../../../shared/files/updater.ts'
import { issueOf } from '../../../shared/issue.ts'
import { BundleKind, InstalledVersion, SystemVersion, Version } from '../../../shared/names.ts'
import { server } from '../../bridge/clients.ts'

/** Milliseconds without a letter after which what was typed is explained. */
const REST = 250

/** What the fields say. What is undefined is the device's own. */
export interface Assumption {
  readonly channel?: string | undefined
  /** As typed. */
  readonly version?: string | undefined
  readonly client?: UpdaterClient | undefined
  /** As typed. */
  readonly bundle?: string | undefined
  /** The version of the operating system, as typed. */
  readonly system?: string | undefined
  readonly manual?: boolean | undefined
}

type ExplanationState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly explanation: Explanation }
  | { readonly state: 'failed'; readonly error: unknown; readonly retry: () => void }
  /** There is no version to explain, or what was typed into a field is not valid: `reason` says why. */
  | {
      readonly state: 'invalid'
      readonly field: 'version' | 'bundle' | 'system'
      readonly reason: string | undefined
    }

/** The decision for what the fields say at this moment, never for what they said before. */
export function useExplanation(device: DeviceDetail, assumption: Assumption): ExplanationState {
  const { app, deviceId } = device
  const typed = assumption.version?.trim() ?? (device.version === OTHER ? '' : device.version)
  const { client } = assumption
  const [typedBundle, typedSystem] = [trimmed(assumption.bundle), trimmed(assumption.system)]
  const bundle = BundleKind.optional().safeParse(typedBundle)
  const system = SystemVersion.optional().safeParse(typedSystem)
  const all = JSON.stringify([typed, typedBundle, typedSystem])
  const [rested] = useDebouncedValue(all, REST)
  const version = (client === 'sparkle' ? InstalledVersion : Version).safeParse(typed)
  const isOwn = version.data === device.version
  const isAsked = version.success && bundle.success && system.success && rested === all
  const query = useQuery({
    ...server.devices.explain.queryOptions({
      ...{ app, deviceId, channel: assumption.channel, client },
      version: isOwn ? undefined : version.data,
      bundle: bundle.data,
      system: system.data,
      manual: assumption.manual,
    }),
    enabled: isAsked,
  })
  if (version.error !== undefined) {
    const reason = typed === '' ? undefined : issueOf(version.error, typed).reason
    return { state: 'invalid', field: 'version', reason }
  }
  if (bundle.error !== undefined) {
    return { state: 'invalid', field: 'bundle', reason: issueOf(bundle.error, typedBundle).reason }
  }
  if (system.error !== undefined) {
    return { state: 'invalid', field: 'system', reason: issueOf(system.error, typedSystem).reason }
  }
  if (!isAsked) return { state: 'loading' }
  if (query.data !== undefined) return { state: 'ready', explanation: query.data }
  if (query.error !== null) {
    return { state: 'failed', error: query.error, retry: () => void query.refetch() }
  }
  return { state: 'loading' }
}

function trimmed(text = ''): string | undefined {
  return text.trim() || undefined
}
