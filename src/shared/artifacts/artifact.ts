import { newId } from '../basics/new-id.ts'
import type { ArtifactDetails } from '../files/artifact-details.ts'
/** What a manifest says about an artifact, as it was read. */
export interface ListedArtifact {
  readonly format: 'tauri' | 'electron_builder' | 'sparkle' | 'packages'
  /** The file name of the manifest. */
  readonly manifest: string
  /** The version that the manifest is for, as written there. */
  readonly version: string
  /** How the manifest names the artifact: `darwin-aarch64`, `Editor-1.4.0.exe`. */
  readonly entry: string
  /** Empty if the manifest has none. */
  readonly sha512: string
  /** The architecture that was assumed because neither manifest nor file name has one; empty if one has. */
  readonly assumedArch: string
}

/** A file of this computer that an artifact was read from. */
export interface BuiltFile {
  readonly name: string
  /** Bytes. */
  readonly size: number
}

/** An artifact in the form: every field as its text. */
export interface ArtifactDraft {
  /** Tells the rows of the form apart; nothing else reads it. */
  readonly id: string
  readonly platform: string
  readonly arch: string
  /** The kind of bundle; empty where not given. */
  readonly kind: string
  readonly url: string
  readonly sha512: string
  /** Bytes; empty where not given. */
  readonly size: string
  readonly signature: string
  /** Address from the base address on, percent-encoded; empty where `url` stands alone. */
  readonly relative: string
  /** What a manifest says of the file that the form does not show; its addresses can be relative. */
  readonly details: ArtifactDetails
  /** Null unless the row was read from a manifest, or a file; both if one completed the other. */
  readonly listed: ListedArtifact | null
  readonly file: BuiltFile | null
}

export type ArtifactField = 'platform' | 'arch' | 'kind' | 'url' | 'sha512' | 'size' | 'signature'

/** Returns a row with an id of its own; what is not given is empty. */
export function newArtifact(parts: Partial<Omit<ArtifactDraft, 'id'>> = {}): ArtifactDraft {
  return {
    id: newId(),
    platform: '',
    arch: '',
    kind: '',
    url: '',
    sha512: '',
    size: '',
    signature: '',
    relative: '',
    details: {},
    listed: null,
    file: null,
    ...parts,
  }
}

/** The fields that an artifact must have, in the order of the form. */
export const REQUIRED = ['platform', 'arch', 'url', 'sha512'] as const
export type RequiredField = (typeof REQUIRED)[number]

/** Returns the required fields of a row that are still empty, in the order of the form. */
export function missingFields(draft: ArtifactDraft): RequiredField[] {
  return REQUIRED.filter((field) => draft[field].trim() === '')
}
