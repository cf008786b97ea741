import { parse } from 'yaml'
import { z } from 'zod'
import { completeAddress, fileNameOf, isAbsolute } from './address.ts'
import { newArtifact } from './artifact.ts'
import { guessTarget } from './guess.ts'
import { type Candidate, type ImportResult, keepOnePerTarget } from './imported.ts'

const Entry = z.object({
  url: z.string(),
  sha512: z.string(),
  size: z.int().min(0).nullish(),
})

const Manifest = z.object({
  version: z.coerce.string(),
  files: z.array(Entry).min(1).nullish(),
  // The form before electron-builder 20: one file.
  path: z.string().nullish(),
  sha512: z.string().nullish(),
  releaseNotes: z
    .union([z.string(), z.array(z.object({ version: z.string(), note: z.string().nullish() }))])
    .nullish(),
})

/** Returns whether a file is an electron-builder manifest, by a name such as `beta-mac.yml`. */
export function isBuilderManifest(fileName: string): boolean {
  return /\.ya?ml$/i.test(fileName)
}

/**
 * Reads a `latest.yml`, `latest-mac.yml` or `latest-linux*.yml` of electron-builder. Its name tells
 * the platform; arch and kind are read from each file's name. electron-builder leaves out the arch for
 * x86_64, and an .exe that it lists is an NSIS installer. Relative addresses follow `base`, and stay empty without it.
 */
export function readBuilderManifest(fileName: string, text: string, base: string): ImportResult {
  const manifest = readManifest(text)
  if (manifest === undefined) return { ok: false, fault: 'not_electron_builder' }
  const platform = platformOf(fileName)
  const candidates = manifest.files.map(({ url, sha512, size }): Candidate => {
    const name = fileNameOf(url)
    const guess = guessTarget(name)
    const arch = guess.arch || guessTarget(fileName).arch
    const kind = /\.exe$/i.test(name) ? 'nsis' : guess.kind
    const draft = newArtifact({
      platform,
      arch: arch || 'x86_64',
      kind,
      url: completeAddress(base, url),
      relative: isAbsolute(url) ? '' : url,
      sha512,
      size: size?.toString() ?? '',
      listed: {
        ...{ format: 'electron_builder', manifest: fileName, version: manifest.version },
        ...{ entry: name, sha512, isArchAssumed: arch === '' },
      },
    })
    // A file for one arch goes before a combined installer that names none.
    return { name, draft, rank: arch === '' ? 1 : 0 }
  })
  const { version, notes } = manifest
  return { ok: true, release: { version, notes, ...keepOnePerTarget(fileName, candidates) } }
}

function readManifest(text: string) {
  const result = Manifest.safeParse(parseYaml(text.replace(/^\uFEFF/, '')))
  if (!result.success) return undefined
  const { version, files, path, sha512, releaseNotes } = result.data
  const single = path && sha512 ? [{ url: path, sha512, size: null }] : undefined
  const entries = files ?? single
  if (entries === undefined) return undefined
  const notes =
    typeof releaseNotes === 'string'
      ? releaseNotes
      : (releaseNotes ?? []).map(({ note }) => note ?? '').join('\n\n')
  return { version, files: entries, notes }
}

function parseYaml(text: string): unknown {
  try {
    return parse(text)
  } catch {
    return undefined
  }
}

function platformOf(fileName: string): string {
  if (/-mac\b/i.test(fileName)) return 'darwin'
  return /-linux\b/i.test(fileName) ? 'linux' : 'windows'
}
