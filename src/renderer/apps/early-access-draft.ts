import { EarlyAccess } from '../../shared/channel.ts'
import { DeviceId } from '../../shared/names.ts'
import { newId } from '../../shared/new-id.ts'
import { sentence } from '../components/text/sentence.ts'
import {
  NO_TARGETS,
  newCondition,
  readTargets,
  type TargetsDraft,
  draftOf as targetsDraftOf,
} from '../releases/targets/draft.ts'
import { text } from './strings.ts'

/** Targets of the list in the form. */
interface TargetsRow {
  readonly id: string
  readonly draft: TargetsDraft
}

/** An early access list in the form. */
export interface EarlyAccessDraft {
  /** As typed: one ID per line. */
  readonly deviceIds: string
  readonly rows: readonly TargetsRow[]
}

export type EarlyAccessRead =
  | { readonly ok: true; readonly list: EarlyAccess }
  /** What is wrong with the IDs, and with the targets together; what is wrong with one row is shown in it. */
  | {
      readonly ok: false
      readonly deviceIds?: string | undefined
      readonly targets?: string | undefined
    }

/** Returns a list as it is edited. */
export function draftOf({ deviceIds, targets }: EarlyAccess): EarlyAccessDraft {
  const rows = targets.map((each) => ({ id: newId(), draft: targetsDraftOf(each) }))
  return { deviceIds: deviceIds.join('\n'), rows }
}

/** Returns targets with one label to fill in. */
export function newRow(): TargetsRow {
  return { id: newId(), draft: { ...NO_TARGETS, labels: [newCondition()] } }
}

/** Reads the form as a list, or finds what is wrong with it. */
export function readEarlyAccess({ deviceIds, rows }: EarlyAccessDraft): EarlyAccessRead {
  const ids = deviceIds
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const wrong = ids.find((id) => !DeviceId.safeParse(id).success)
  if (wrong !== undefined) return { ok: false, deviceIds: text.earlyAccess.notAnId(wrong) }
  const targets = rows.flatMap(({ draft }) => {
    const read = readTargets(draft)
    return read.ok ? [read.targets] : []
  })
  if (targets.length < rows.length) return { ok: false }
  const result = EarlyAccess.safeParse({ deviceIds: [...new Set(ids)], targets })
  if (result.success) return { ok: true, list: result.data }
  const [issue] = result.error.issues
  const reason = sentence(issue?.message ?? '')
  return issue?.path[0] === 'deviceIds'
    ? { ok: false, deviceIds: reason }
    : { ok: false, targets: reason }
}
