import { OTHER } from '../../shared/devices/counting.ts'
import type { LabelMap } from '../../shared/names.ts'
import type { DeviceFacts } from '../rules/decision/device.ts'
import { parseVersion } from '../rules/decision/version.ts'
import { mergeLabels, NO_LABELS } from './labels.ts'

/** The known facts about a device. Platform and arch are empty if a report did not include them. */
export interface KnownFacts {
  readonly version: string
  readonly platform: string
  readonly arch: string
  readonly labels: LabelMap
}

/**
 * What is assumed in place of it. The kind of bundle is never recorded; empty if it is not given. `system`: the version of the
 * operating system, in place of the label `os`. Nobody asked for the check unless `manual` is true.
 */
export type AssumedFacts = {
  readonly [Fact in keyof KnownFacts]?: KnownFacts[Fact] | undefined
} & {
  readonly bundle?: string | undefined
  readonly system?: string | undefined
  readonly manual?: boolean | undefined
}

/**
 * Returns a device as a decision sees it: its known facts, replaced by the assumed ones, with labels as a check
 * would send them. Undefined if its version is unknown. Facts that are counted as other are unknown.
 */
export function factsOf(
  deviceId: string,
  known: KnownFacts | undefined,
  assumed: AssumedFacts,
): DeviceFacts | undefined {
  const version = assumed.version ?? recorded(known?.version)
  if (version === undefined) return undefined
  const { labels } = mergeLabels(known?.labels ?? NO_LABELS, assumed.labels ?? NO_LABELS)
  return {
    deviceId,
    version: parseVersion(version),
    platform: assumed.platform ?? recorded(known?.platform) ?? '',
    arch: assumed.arch ?? recorded(known?.arch) ?? '',
    bundle: assumed.bundle ?? '',
    labels,
    system: assumed.system,
    manual: assumed.manual ?? false,
  }
}

function recorded(text: string | undefined): string | undefined {
  return text === OTHER ? undefined : text
}
