import type { DraftPreviewInput } from '../../../shared/console/releases/drafts.ts'
import { EVERY_DEVICE } from '../../../shared/releases/targets.ts'
import { compileChannel } from '../../rules/decision/compile.ts'
import { parseVersion } from '../../rules/decision/version.ts'
import type { WithCatalog } from '../bind.ts'
import { type ExplainedDecision, explainDecision } from '../fleet/explanation.ts'
import type { Principal } from '../principal.ts'
import { findDraft } from './drafts.ts'
import { newRelease } from './preflight.ts'

/**
 * Decides as an update check of a device would if the draft were published for all devices, and returns why. Changes
 * nothing. Needs the role `viewer`. Throws `unknown`.
 */
export async function previewDraft(
  { catalog }: WithCatalog,
  principal: Principal,
  { device, ...place }: DraftPreviewInput,
): Promise<ExplainedDecision> {
  const { channel, record } = await findDraft({ catalog }, principal, place)
  const { compiled } = channel
  const others = compiled.releases.map(({ facts }) => facts)
  const content = { ...record, targets: EVERY_DEVICE }
  const offered = newRelease(channel, record.version, content, record.createdAt)
  const preview = compileChannel(compiled.policy, [...others, offered], compiled)
  const unknown = { deviceId: null, labels: {}, manual: false }
  const facts = { ...device, version: parseVersion(device.version), ...unknown }
  return explainDecision({ ...channel, compiled: preview }, facts)
}
