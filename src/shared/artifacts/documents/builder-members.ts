import {
  type ArtifactDetails,
  type ArtifactExtra,
  RESERVED_MEMBERS,
} from '../../files/artifact-details.ts'
import { notesList, notesOf } from '../details.ts'
import type { ImportRemark } from '../imported.ts'

type Members = Readonly<Record<string, unknown>>

/** What a manifest says of all its files. */
interface OfManifest {
  readonly notes: string
  readonly stagingPercentage: number | null
  readonly minimumSystemVersion: string | undefined
  readonly extra: Members
}

/** Reads what a manifest of electron-builder says beyond where files are, and loses nothing without a remark. */
export class MemberReader {
  readonly remarks: ImportRemark[] = []
  readonly #manifest: string

  constructor(manifest: string) {
    this.#manifest = manifest
  }

  ofManifest(members: Members): OfManifest {
    const { releaseNotes, minimumSystemVersion, stagingPercentage } = members
    const list = notesList(releaseNotes)
    const notes = typeof releaseNotes === 'string' ? releaseNotes : list && notesOf(list)
    const floor = this.#read({ minimumSystemVersion }, floorOf(minimumSystemVersion))
    if (floor !== undefined && !COMPARED.test(floor)) {
      this.remarks.push({ code: 'floor_ignored', manifest: this.#manifest, floor })
    }
    const extra = without(members, [
      ...[...RESERVED_MEMBERS.electron.manifest, 'releaseNotes'],
      // They belong to the document, which is kept as it is.
      ...['signature', 'signatures'],
    ])
    return {
      notes: this.#read({ releaseNotes }, notes) ?? '',
      stagingPercentage: this.#read({ stagingPercentage }, percentageOf(stagingPercentage)) ?? null,
      minimumSystemVersion: floor,
      extra: list === undefined ? extra : { ...extra, releaseNotes },
    }
  }

  details(members: Members, entry: string, manifest: OfManifest): ArtifactDetails {
    const { isAdminRightsRequired, blockMapSize } = members
    const rights = typeof isAdminRightsRequired === 'boolean' ? isAdminRightsRequired : undefined
    const { minimumSystemVersion } = manifest
    const details = {
      minimumSystemVersion,
      isAdminRightsRequired: this.#read({ isAdminRightsRequired }, rights, entry),
      blockMapSize: this.#read({ blockMapSize }, sizeOf(blockMapSize), entry),
      extra: extraOf(without(members, RESERVED_MEMBERS.electron.file), manifest.extra),
    }
    return asJson(details)
  }

  /** Returns what was read of a member. A remark says that nothing was read of one that is there. */
  #read<T>(found: Members, read: T | undefined, entry = ''): T | undefined {
    const [[member, value] = ['']] = Object.entries(found)
    if (read === undefined && value !== undefined && value !== null) {
      this.remarks.push({ code: 'member_unreadable', manifest: this.#manifest, entry, member })
    }
    return read
  }
}

function extraOf(file: Members, manifest: Members): ArtifactExtra | undefined {
  const [hasFile, hasManifest] = [file, manifest].map((each) => Object.keys(each).length > 0)
  if (!hasFile && !hasManifest) return undefined
  return { updater: 'electron', ...(hasFile ? { file } : {}), ...(hasManifest ? { manifest } : {}) }
}

/** The client reads the whole number at the beginning, of a text as well; a fraction stays, so that it is noticed. */
function percentageOf(value: unknown): number | undefined {
  const read = Number.parseFloat(String(value))
  return Number.isNaN(read) ? undefined : Math.min(Math.max(read, 0), 100)
}

function floorOf(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && /^[\x21-\x7e]{1,64}$/.test(text) ? text : undefined
}

/** What the client compares (`checkIfUpdateSupported`): a version of npm's semver. */
const COMPARED = /^v?\d+\.\d+\.\d+(?:[-+].*)?$/

function sizeOf(value: unknown): number | undefined {
  const size = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof size === 'number' && Number.isInteger(size) && size > 0 ? size : undefined
}

function without(members: Members, names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))
}

/** YAML has values that JSON does not, such as `.inf`. */
function asJson(details: Record<string, unknown>): ArtifactDetails {
  return JSON.parse(JSON.stringify(details))
}
