import type { z } from 'zod'
import type { VersionVerdict } from '../../shared/console/releases.ts'
import { readVersion } from '../../shared/version.ts'
import type { CatalogChannel } from '../catalog/snapshot.ts'
import { compareVersions, prepareVersion } from '../decision/version.ts'

/** What publishing `text` on the channel would meet, whatever the status of what is there. */
export function judgeVersion(
  { app, record, compiled }: CatalogChannel,
  text: string,
): z.output<typeof VersionVerdict> {
  const newest = compiled.releases.at(-1)
  const known = newest?.version.text ?? null
  const read = readVersion(text.trim())
  if (!read.ok) return { state: 'invalid', message: `The version ${read.reason}.`, newest: known }
  const version = prepareVersion(read.version)
  const twin = compiled.releases.find((release) => release.version.text === version.text)
  if (twin !== undefined) {
    const message = `${version.text} is on ${app.ref}/${record.name} already (${twin.facts.status.replace('_', ' ')}).`
    return { state: 'duplicate', message, newest: known }
  }
  if (newest === undefined || compareVersions(version, newest.version) > 0) {
    return { state: 'free', message: '', newest: known }
  }
  const message = `${version.text} is lower than ${newest.version.text}, the newest version of the channel. Devices on newer versions will not be offered it.`
  return { state: 'lower', message, newest: known }
}
