import { z } from 'zod'
import { newArtifact } from './artifact.ts'
import {
  type Candidate,
  type ImportRemark,
  type ImportResult,
  keepOnePerTarget,
} from './imported.ts'

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
export function readTauriManifest(manifest: string, text: string): ImportResult {
  const content = parseJson(text)
  if (content === undefined) return { ok: false, fault: 'not_json' }
  const result = Manifest.safeParse(content)
  if (!result.success) return { ok: false, fault: 'not_tauri' }
  const { version, notes, platforms } = result.data
  const candidates: Candidate[] = []
  const unknown: ImportRemark[] = []
  for (const [entry, { url, signature }] of Object.entries(platforms)) {
    const match = TARGET.exec(entry)
    if (match === null) {
      unknown.push({ code: 'unknown_platform', manifest, entry })
      continue
    }
    const draft = newArtifact({
      platform: match[1] ?? '',
      arch: match[2] === 'universal' ? 'any' : (match[2] ?? ''),
      url,
      signature: signature ?? '',
      listed: {
        ...{ format: 'tauri', manifest, version, entry },
        ...{ sha512: '', isArchAssumed: false },
      },
    })
    candidates.push({ name: entry, draft, rank: match[3] === undefined ? 0 : 1 })
  }
  const { artifacts, remarks } = keepOnePerTarget(manifest, candidates)
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
