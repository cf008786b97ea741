import { z } from 'zod'
import { compareAsSparkle } from '../../../shared/artifacts/documents/sparkle-order.ts'
import { elementsIn, readXml } from '../../../shared/artifacts/documents/xml.ts'
import { signatureFault, signedVersionOf } from '../../../shared/artifacts/tauri-signature.ts'
import { isInstalledByTauri } from '../../../shared/artifacts/unoffered.ts'
import { parsedJson } from '../../../shared/basics/parsed-json.ts'
import { bundleVersionOf, prepareVersion, readVersion } from '../../../shared/releases/version.ts'
import { compareVersions } from '../../rules/decision/version.ts'
import { nameOfFile } from '../../rules/updaters/files.ts'
import { sparkleFiles } from '../../rules/updaters/mac-files.ts'
import { type Fault, type OfferedAnswer, type ReadAnswer, readOr } from './reading.ts'

const Manifest = z.looseObject({ version: z.string(), url: z.url(), signature: z.string() })

/** Reads the answer of the update check as an app does that installs any file. */
export const readUpdateCheck: ReadAnswer = (answer) =>
  readOr({ code: 'feed_unreadable' }, () => {
    const { version } = Manifest.parse(parsedJson(answer.body))
    return aboutVersion(version, answer)
  })

/** Reads it as Tauri's plugin 2.12 does: `updater.rs`. */
export const readTauri: ReadAnswer = (answer) =>
  readOr({ code: 'feed_unreadable' }, () => {
    const { version, url, signature } = Manifest.parse(parsedJson(answer.body))
    const file = nameOfFile({ url })
    if (!isInstalledByTauri(answer.device.platform, file)) return [{ code: 'no_file', file }]
    if (signature === '') return [{ code: 'unsigned', file }]
    const form = signatureFault(signature)
    if (form !== undefined) return [{ code: 'signature_form', found: form, file }]
    const signed = signedVersionOf(signature)
    const isForOther = signed !== undefined && signed !== version
    return [
      ...aboutVersion(version, answer),
      ...(isForOther
        ? [{ code: 'signed_for_other_version', expected: version, found: signed, file } as const]
        : []),
    ]
  })

/** SemVer with build metadata, as Rust orders it. */
function aboutVersion(text: string, { device, release, allowDowngrade }: OfferedAnswer): Fault[] {
  const read = readVersion(text)
  if (!read.ok) return [{ code: 'version_unreadable', found: text }]
  const version = prepareVersion(read.version)
  const expected = release.version.text
  if (version.text !== expected) return [{ code: 'version_mismatch', expected, found: text }]
  const isAbove = allowDowngrade || compareVersions(version, device.version) > 0
  return isAbove ? [] : [{ code: 'version_not_above', found: text }]
}

/** Reads an appcast as Sparkle 2 does: `SUAppcastItem.m`, `SUAppcastDriver.m`. */
export const readSparkle: ReadAnswer = ({ body, device, release, running }) => {
  const root = readXml(body)
  const [item] = root === undefined ? [] : elementsIn(root, 'channel', 'item')
  const [enclosure] = item === undefined ? [] : elementsIn(item, 'enclosure')
  const url = enclosure?.attributes.get('url') ?? ''
  if (item === undefined || enclosure === undefined || url === '') {
    return [{ code: 'feed_unreadable' }]
  }
  const named = elementsIn(item, 'sparkle:version')[0]?.text.trim()
  const version = named ?? enclosure.attributes.get('sparkle:version') ?? ''
  if (version === '') return [{ code: 'version_unreadable', found: '' }]
  const faults: Fault[] = []
  const expected = bundleVersionOf(release.version)
  if (version !== expected) faults.push({ code: 'version_mismatch', expected, found: version })
  const own = bundleVersionOf(device.version)
  if (compareAsSparkle(own, version) >= 0) {
    faults.push({ code: 'version_not_above', expected: own, found: version })
  }
  // An app with a public key installs nothing without a signature, and what it runs had one.
  const hadOne = sparkleFiles(running?.facts.artifacts ?? [], device.arch)[0]?.signature
  if (hadOne && (enclosure.attributes.get('sparkle:edSignature') ?? '') === '') {
    faults.push({ code: 'unsigned', file: url })
  }
  return faults
}

/** Reads what Squirrel.Mac is answered, which installs whatever it is given: `SQRLUpdate.m`. */
export const readSquirrelMac: ReadAnswer = ({ body }) =>
  readOr({ code: 'feed_unreadable' }, () => {
    z.looseObject({ url: z.url() }).parse(parsedJson(body))
    return []
  })
