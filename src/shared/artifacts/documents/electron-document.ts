import { z } from 'zod'
import { archOf, parseYaml, platformOf } from './builder-manifest.ts'
import type { ReadDocument } from './read-document.ts'

const text = z
  .string()
  .min(1)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the updater refuses
  .regex(/^[^\x00-\x1f\x7f]*$/)
const count = z.number().nullish()
const Signature = z.looseObject({ keyId: z.string().nullish(), signature: z.string().nullish() })

/** What electron-updater requires of a signed manifest. */
const Signed = z.looseObject({
  version: text,
  stagingPercentage: count,
  minimumSystemVersion: text.or(z.literal('')).nullish(),
  // Its signature covers the address of a block map in a way that is not documented.
  files: z
    .array(
      z.looseObject({
        url: text,
        sha512: text,
        size: count,
        blockMapUrl: z.undefined().optional(),
      }),
    )
    .min(1),
  packages: z
    .record(
      text,
      z.looseObject({
        ...{ path: text, sha512: text, size: count, blockMapSize: count },
        isAdminRightsRequired: z.boolean().nullish(),
      }),
    )
    .nullish(),
  signature: z.string().nullish(),
  signatures: z.array(Signature.nullish()).nullish(),
})
type Signed = z.infer<typeof Signed>

/**
 * Reads a manifest that electron-builder signed, as https://www.electron.build/docs/features/signed-update-manifests/
 * describes it. Undefined if it carries no signature, or if the updater would refuse its form.
 */
export function readElectronDocument(name: string, content: string): ReadDocument | undefined {
  const result = Signed.safeParse(parseYaml(content))
  if (!result.success) return undefined
  const { version, files, packages } = result.data
  const signatures = signaturesOf(result.data)
  if (signatures.length === 0) return undefined
  const packed = Object.values(packages ?? {}).map(({ path, ...rest }) => ({ url: path, ...rest }))
  const platform = platformOf(
    name,
    files.map(({ url }) => url),
  )
  return {
    version,
    isFor: (other) => other === version,
    platform,
    // The client reads `latest-linux.yml` on x64 alone.
    arch: archOf(name, platform) || (platform === 'linux' ? 'x86_64' : ''),
    files: [...files, ...packed].map(({ url, sha512, size }) => {
      return { url, sha512, size: size ?? 0, signature: '' }
    }),
    signatures,
    payload: new TextEncoder().encode(payloadOf(result.data)),
  }
}

/** Returns whether a manifest carries a signature, whatever its form. */
export function isSignedManifest(content: string): boolean {
  const manifest = z
    .looseObject({ signature: z.unknown().optional(), signatures: z.unknown().optional() })
    .safeParse(parseYaml(content))
  const { signature, signatures } = manifest.data ?? {}
  return (signature ?? signatures ?? null) !== null
}

function signaturesOf({ signature, signatures }: Signed): ReadDocument['signatures'] {
  const listed = (signatures ?? []).flatMap((each) =>
    each?.signature ? [{ keyId: each.keyId || undefined, signature: each.signature }] : [],
  )
  const isListed = listed.some((each) => each.signature === signature)
  return signature && !isListed ? [...listed, { keyId: undefined, signature }] : listed
}

/** What is signed, in the form EBUM1: a record a line, so that neither order nor layout of the YAML counts. */
function payloadOf({ version, stagingPercentage, minimumSystemVersion, ...lists }: Signed): string {
  const files = lists.files.map(({ url, sha512, size }) => record('file', [url, sha512, size]))
  const packages = Object.entries(lists.packages ?? {}).map(([arch, each]) => {
    const { path, sha512, size, blockMapSize, isAdminRightsRequired } = each
    const fields = record('package', [arch, path, sha512, size, blockMapSize])
    return `${fields}\t${isAdminRightsRequired ? '1' : ''}`
  })
  return [
    'EBUM1',
    record('version', [version]),
    record('staging', [stagingPercentage]),
    record('minimumSystemVersion', [minimumSystemVersion]),
    ...files.toSorted(),
    ...packages.toSorted(),
  ].join('\n')
}

/** Texts in quotes as in JSON, numbers bare, and nothing for what is absent. */
function record(label: string, fields: readonly (string | number | null | undefined)[]): string {
  const written = fields.map((field) => (field == null ? '' : JSON.stringify(field)))
  return `${label}:${written.join('\t')}`
}
