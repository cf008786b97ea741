import { z } from 'zod'
import { usualKinds } from '../aliases.ts'
import { type ArtifactDraft, newArtifact } from './artifact.ts'
import {
  type Candidate,
  type ImportRemark,
  type ImportResult,
  keepOnePerTarget,
} from './imported.ts'
import { kindOfEntry, readTauriTarget } from './tauri-target.ts'

const Manifest = z
  .object({
    version: z.string().optional(),
    // The plugin takes this for the version as well.
    name: z.string().optional(),
    notes: z.string().nullish(),
    platforms: z.record(z.string(), z.object({ signature: z.string().nullish(), url: z.string() })),
  })
  .transform(({ version, name, ...rest }) => ({ ...rest, version: version ?? name }))

/**
 * Reads the static `latest.json` of the Tauri updater. It holds no SHA-512 and no size: those
 * fields of the artifacts stay empty. An entry without a bundle, which is for older plugins, is left out where it is
 * the same file as the platform's usual bundle: devices that name no bundle get that one.
 */
export function readTauriManifest(manifest: string, text: string): ImportResult {
  const content = parseJson(text)
  if (content === undefined) return { ok: false, fault: 'not_json' }
  const result = Manifest.safeParse(content)
  if (!result.success || result.data.version === undefined) {
    return { ok: false, fault: 'not_tauri' }
  }
  const { version, notes, platforms } = result.data
  const unknown: ImportRemark[] = []
  const entries = Object.entries(platforms).flatMap(([entry, { url, signature }]) => {
    const target = readTauriTarget(entry, url)
    if (target === undefined) unknown.push({ code: 'unknown_platform', manifest, entry })
    return target === undefined
      ? []
      : [{ ...target, entry, url, signature: signature?.trim() ?? '' }]
  })
  const candidates = entries.map((each): Candidate => {
    const { platform, arch, url, signature, entry, assumedArch } = each
    const draft = newArtifact({
      ...{ platform, arch, url, signature },
      kind: kindOfEntry(each, entries),
      listed: { ...{ format: 'tauri', manifest, version, entry }, sha512: '', assumedArch },
    })
    return { name: entry, draft, rank: 0 }
  })
  const { artifacts, remarks } = keepOnePerTarget(
    manifest,
    candidates.filter(({ draft }) => !isUsual(draft, candidates)),
  )
  return {
    ok: true,
    release: { version, notes: notes ?? '', artifacts, remarks: [...unknown, ...remarks] },
  }
}

/** Returns whether an entry names no bundle, and another one is the same file as the usual bundle of the platform. */
function isUsual(draft: ArtifactDraft, candidates: readonly Candidate[]): boolean {
  const [usual] = usualKinds(draft.platform)
  return (
    draft.kind === '' &&
    candidates.some(
      ({ draft: { platform, arch, kind, url } }) =>
        platform === draft.platform && arch === draft.arch && kind === usual && url === draft.url,
    )
  )
}

function parseJson(text: string): unknown {
  try {
    // What Windows editors put first is no part of the text.
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch {
    return undefined
  }
}
