import { z } from 'zod'
import { newArtifact } from './draft.ts'
import { type Candidate, type ImportResult, keepOnePerTarget } from './imported.ts'

const Manifest = z.object({
  version: z.string(),
  notes: z.string().nullish(),
  platforms: z.record(z.string(), z.object({ signature: z.string().nullish(), url: z.string() })),
})

// `os-arch`, and since Tauri 2.10 also `os-arch-bundle`.
const TARGET = /^(linux|darwin|windows)-([a-z0-9_]+)(?:-([a-z0-9]+))?$/

/**
 * Reads the static `latest.json` of the Tauri updater. It holds no SHA-512 and no size: those
 * fields of the artifacts stay empty.
 */
export function readTauriManifest(text: string): ImportResult {
  const content = parseJson(text)
  if (content === undefined) return { ok: false, reason: 'The file is not valid JSON.' }
  const result = Manifest.safeParse(content)
  if (!result.success) {
    return {
      ok: false,
      reason:
        'The file is not a static Tauri manifest: it needs a version, and platforms with a url for each.',
    }
  }
  const { version, notes, platforms } = result.data
  const candidates: Candidate[] = []
  const unknown: string[] = []
  for (const [name, { url, signature }] of Object.entries(platforms)) {
    const match = TARGET.exec(name)
    if (match === null) {
      unknown.push(`The platform ${name} is left out: its name is not known.`)
      continue
    }
    const draft = newArtifact({
      platform: match[1] ?? '',
      arch: match[2] === 'universal' ? 'any' : (match[2] ?? ''),
      url,
      signature: signature ?? '',
      origin: `From ${name} in the Tauri manifest.`,
    })
    candidates.push({ name, draft, rank: match[3] === undefined ? 0 : 1 })
  }
  const { artifacts, remarks } = keepOnePerTarget(candidates)
  return {
    ok: true,
    release: { version, notes: notes ?? '', artifacts, remarks: [...unknown, ...remarks] },
  }
}

function parseJson(text: string): unknown {
  try {
    // What Windows editors put first is no part of the text.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
