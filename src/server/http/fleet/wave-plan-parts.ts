import type { CatalogChannel } from '../../catalog/snapshot.ts'
import { serialiseOffer } from '../../decision/manifest.ts'
import type { PlannedDevice } from '../../updates/plan-wave.ts'

/**
 * Returns the response to a decision call in UTF-8, in parts: serialized manifests, and the few bytes
 * between them. Long notes are shared by reference, so 500 manifests with notes of 64 KiB take no more
 * memory than one.
 */
export function wavePlanParts(
  channel: CatalogChannel,
  planned: readonly PlannedDevice[],
): readonly Uint8Array[] {
  const [app, name] = [JSON.stringify(channel.app.ref), JSON.stringify(channel.record.name)]
  const parts: Uint8Array[] = []
  let text = `{"app":${app},"channel":${name},"decisions":[`
  let updatesOffered = 0
  for (const [index, { item, version, decision }] of planned.entries()) {
    text += `${index === 0 ? '' : ','}{"deviceId":${JSON.stringify(item.deviceId)},"update":`
    if (decision.release === null) text += 'null'
    else {
      updatesOffered++
      const manifest = serialiseOffer(channel.compiled, decision, version)
      parts.push(Buffer.from(text, 'latin1'), ...manifest.parts)
      text = ''
    }
    text += `,"reason":"${decision.reason}"}`
  }
  parts.push(Buffer.from(`${text}],"updatesOffered":${updatesOffered}}`, 'latin1'))
  return parts
}
