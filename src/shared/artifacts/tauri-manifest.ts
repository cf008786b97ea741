import { z } from 'zod'
import { usualKinds } from '../aliases.ts'
import type { ArtifactDetails } from '../artifact-details.ts'
import { type ArtifactDraft, newArtifact } from './artifact.ts'
import {
  type Candidate,
  type ImportRemark,
  type ImportResult,
  keepOnePerTarget,
} from './imported.ts'
import { kindOfEntry, readTauriTarget } from './tauri-target.ts'
import { isVelopackList } from './unoffered.ts'

const Manifest = z
  .looseObject({
    version: z.string().optional(),
    // The plugin takes this for the version as well.
    name: z.string().optional(),
    notes: z.string().nullish(),
    platforms: z.record(
      z.string(),
      z.looseObject({ signature: z.string().nullish(), url: z.string() }),
    ),
  })
  .transform(({ version, name, notes, platforms, pub_date: _, ...members }) => {
    return { version: version ?? name, notes, platforms, members }
  })

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
    return { ok: false, fault: isVelopackList(content) ? 'not_packages' : 'not_tauri' }
  }
  const { version, notes, platforms, members } = result.data
  const found: ImportRemark[] = notServed(manifest, '', members)
  const entries = Object.entries(platforms).flatMap(([entry, { url, signature, ...file }]) => {
    const target = readTauriTarget(entry, url)
    if (target === undefined) {
      found.push({ code: 'unknown_platform', manifest, entry })
      return []
    }
    found.push(...notServed(manifest, entry, file))
    const details = detailsWith(file, members)
    return [{ ...target, entry, url, signature: signature?.trim() ?? '', details }]
  })
  const candidates = entries.map((each): Candidate => {
    const { platform, arch, url, signature, details, entry, assumedArch } = each
    const draft = newArtifact({
      ...{ platform, arch, url, signature, details },
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
    release: {
      ...{ version, notes: notes ?? '', stagingPercentage: null, artifacts },
      remarks: [...found, ...remarks],
    },
  }
}

type Members = Readonly<Record<string, unknown>>

/** The update check has no other members than those of the API. */
function notServed(manifest: string, entry: string, members: Members): ImportRemark[] {
  const names = Object.keys(members)
  return names.length === 0 ? [] : [{ code: 'not_served', manifest, entry, members: names }]
}

function detailsWith(file: Members, manifest: Members): ArtifactDetails {
  if (Object.keys(file).length + Object.keys(manifest).length === 0) return {}
  return { extra: { updater: 'tauri', file, manifest } }
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
