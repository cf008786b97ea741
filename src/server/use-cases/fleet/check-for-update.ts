import type { CandidateTrace } from '../../../shared/devices/explanation.ts'
import type { LabelMap } from '../../../shared/names.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { ReleaseRecord } from '../../catalog/records.ts'
import type { CatalogChannel } from '../../catalog/snapshot.ts'
import type { Fleet } from '../../fleet/fleet.ts'
import { type LabelDelta, mergeLabels, NO_LABELS } from '../../fleet/labels.ts'
import { type Decision, decide, type Offer } from '../../rules/decision/decide.ts'
import type { Takes } from '../../rules/decision/device.ts'
import type { ParsedVersion } from '../../rules/decision/version.ts'
import { type Installation, installationIn } from './installation.ts'
import type { Offers } from './offers.ts'

export interface UpdateCheck {
  /** In the state of the catalog that is current. */
  readonly installation: Installation
  /** null: the device does not identify itself. */
  readonly deviceId: string | null
  /** The kind of bundle that is installed; empty if the device does not name one. */
  readonly bundle: string
  /** The labels that it sends; an empty value removes one. */
  readonly labels: LabelMap | undefined
  /** The version of the operating system; undefined if the device states it by its label `os` alone, or not at all. */
  readonly system?: string | undefined
  /** True if a person asked for it. */
  readonly manual: boolean
  /** Whether the updater would take a version; undefined if it takes all. */
  readonly takes?: Takes | undefined
  /** Address key of the caller, for the budgets. */
  readonly caller: string
  /** False: the check is decided, but is neither recorded nor an offer. */
  readonly counts: boolean
  /** True: it is an offer, but not recorded, because it belongs to another check that is. */
  readonly alreadyRecorded?: boolean
}

/** A release that a device is offered, and what it was decided on. */
export interface UpdateOffer {
  readonly channel: CatalogChannel
  /** The version that the device runs. */
  readonly version: ParsedVersion
  readonly decision: Offer<ReleaseRecord>
}

/** The release that the device is offered; null for none. */
export type CheckResult = UpdateOffer | null

export type CheckForUpdate = (check: UpdateCheck) => CheckResult | Promise<CheckResult>

export interface CheckParts {
  readonly catalog: Catalog
  readonly fleet: Fleet
  readonly offers: Offers
  /** Called when stored labels cannot be read. The check is then decided on the labels sent. */
  readonly onUnreadableLabels: (error: unknown) => void
}

interface CheckLabels {
  readonly labels: LabelMap
  /** Set if the labels differ from the stored ones. */
  readonly changed: LabelDelta | undefined
  /** True if some of the labels did not fit. */
  readonly isFull: boolean
}

const UNLABELLED: CheckLabels = { labels: NO_LABELS, changed: undefined, isFull: false }

/**
 * The update check: decides what a device is offered, and records that it checked in (docs/api.md, "Check
 * for an update"). It answers at once, except if the decision needs stored labels or is the first to
 * offer a release. Then it rejects with `Unavailable` where a first offer cannot be stored, and with `unknown` when
 * the channel is removed meanwhile.
 */
export function createCheckForUpdate(parts: CheckParts): CheckForUpdate {
  const { catalog, fleet, offers, onUnreadableLabels } = parts

  function checkForUpdate(check: UpdateCheck): CheckResult | Promise<CheckResult> {
    const { installation } = check
    const labels = labelsAtHand(installation, check)
    if (labels === undefined) return checkLater(check)
    const decision = decideOn(installation, check, labels)
    if (offersAnew(check, decision)) return checkLater(check)
    return conclude(check, installation, labels, decision)
  }

  /** If labels or a first offer must be awaited, the catalog afterwards decides. */
  async function checkLater(check: UpdateCheck): Promise<CheckResult> {
    const { installation, labels, decision } = await offers.settle(async () => {
      const installation = installationIn(catalog.snapshot, check.installation)
      const labels = labelsAtHand(installation, check) ?? (await storedLabels(installation, check))
      const decision = decideOn(installation, check, labels)
      const fresh = offersAnew(check, decision) ? decision.release : null
      const offered = fresh === null ? [] : [fresh.facts]
      return { channel: installation.channel, offered, installation, labels, decision }
    })
    return conclude(check, installation, labels, decision)
  }

  /** The labels to decide on, unless those that are stored must be read first. */
  function labelsAtHand(
    { channel, needsLabels }: Installation,
    { deviceId, labels: sent }: UpdateCheck,
  ): CheckLabels | undefined {
    if (sent === undefined && (deviceId === null || !needsLabels)) return UNLABELLED
    if (deviceId === null) return merged(deviceId, NO_LABELS, sent)
    const stored = fleet.labelsInMemory(channel.app.key, deviceId)
    return stored && merged(deviceId, stored, sent)
  }

  /** A check does not fail because telemetry cannot be read; the labels sent are not kept then. */
  async function storedLabels(
    { channel }: Installation,
    { deviceId, labels: sent }: UpdateCheck,
  ): Promise<CheckLabels> {
    if (deviceId === null) return merged(deviceId, NO_LABELS, sent)
    try {
      const [stored] = await fleet.labelsOf(channel.app.key, [deviceId])
      return merged(deviceId, stored ?? NO_LABELS, sent)
    } catch (error) {
      onUnreadableLabels(error)
      return { ...merged(deviceId, NO_LABELS, sent), changed: undefined }
    }
  }

  function conclude(
    { deviceId, caller, counts, alreadyRecorded }: UpdateCheck,
    { channel, version, profile }: Installation,
    { changed, isFull }: CheckLabels,
    decision: Decision<ReleaseRecord>,
  ): CheckResult {
    if (counts && alreadyRecorded !== true) {
      if (isFull) fleet.budgets.usedUp('labels')
      const checkIn = {
        appKey: channel.app.key,
        deviceId,
        profile,
        at: catalog.now(),
        source: 'check',
        caller,
        reason: decision.reason,
        offered: decision.release?.facts,
      } as const
      fleet.record(checkIn, changed)
    }
    return decision.release === null ? null : { channel, version, decision }
  }

  /** All labels sent are used for the decision, and those that fit are kept. */
  function merged(
    deviceId: string | null,
    stored: LabelMap,
    sent: LabelMap = NO_LABELS,
  ): CheckLabels {
    const { labels, delta, excess } = mergeLabels(stored, sent, fleet.labelBytes)
    const isFull = excess > 0 && deviceId !== null
    return { labels, changed: delta, isFull }
  }

  return checkForUpdate
}

/** Decides on a check as the update check does; `trace` as in `decide`. */
export function decideOn(
  { served, version, platform, arch }: Installation,
  { deviceId, bundle, system, manual, takes }: UpdateCheck,
  { labels }: { readonly labels: LabelMap },
  trace?: CandidateTrace[],
): Decision<ReleaseRecord> {
  const device = { deviceId, version, platform, arch, bundle, labels, system, manual, takes }
  return decide(served, device, trace)
}

function offersAnew({ counts }: UpdateCheck, { release }: Decision<ReleaseRecord>): boolean {
  return counts && release?.facts.offered === false
}
