import type { KeyItem } from '../../shared/access/key.ts'
import type { ProofFailure, SignatureFinding } from '../../shared/files/proof.ts'
import type { ProvingSettings } from '../../shared/files/proving.ts'
import type { SignedDocument } from '../../shared/files/signed-document.ts'
import type { Freeze } from '../../shared/plans/freeze.ts'
import type {
  ClosedState,
  PreviewTotals,
  RequestedChange,
} from '../../shared/releases/change-request.ts'
import type { ChannelPolicy } from '../../shared/releases/channel.ts'
import type { Artifact } from '../../shared/releases/release.ts'
import type { ReleaseFacts } from '../rules/decision/channel.ts'

/** An app. `key` is the small integer that telemetry uses; it is never given out twice. */
export interface AppRecord {
  readonly key: number
  readonly id: string
  readonly ref: string
  readonly name: string
  readonly createdAt: string
  /** Set while the app is archived: it is not served. ISO 8601, UTC. */
  readonly archivedAt: string | null
  /** What its artifacts are proven against. */
  readonly proving: ProvingSettings
  /** Days on which none of its plans applies a step. */
  readonly freezes: readonly Freeze[]
}

/** A channel. `revision` grows with every change of the channel or of one of its releases. */
export interface ChannelRecord {
  readonly key: number
  readonly appKey: number
  readonly name: string
  readonly policy: ChannelPolicy
  readonly createdAt: string
  readonly revision: number
}

/** A release as it is stored: what decisions need of it, and where it stands. */
export interface ReleaseRecord extends ReleaseFacts {
  readonly appKey: number
  readonly channelKey: number
  readonly offered: boolean
  /** Whether it is paused until it is proven. */
  readonly awaitsProof: boolean
  /** Grows with every change of the release: two states of a release never share one. */
  readonly revision: number
}

/** An API key. The key itself is never stored: `hash` is the SHA-256 of it in hex. */
export interface KeyRecord extends Readonly<Omit<KeyItem, 'app'>> {
  readonly id: number
  readonly hash: string
  /** The one app that the key sees, or `null` for all. */
  readonly appKey: number | null
}

/** A change request. Times are ISO 8601, UTC. */
export interface ChangeRequestRecord<Change = RequestedChange> {
  readonly id: string
  readonly appKey: number
  readonly channelKey: number
  readonly version: string
  readonly change: Change
  readonly comment: string
  readonly preview: PreviewTotals
  /** Who proposed it, as `Principal.person` tells people apart. */
  readonly proposer: string
  /** The same as the audit log names them. */
  readonly proposedBy: string
  readonly proposedAt: string
  readonly expiresAt: string
  readonly closed: ChangeRequestClosing | null
}

/** How a change request ended. `by` is null for one that expired. */
export interface ChangeRequestClosing {
  readonly state: ClosedState
  readonly by: string | null
  readonly at: string
  readonly comment: string
}

/** The last proof of an artifact. Times are ISO 8601, UTC. */
export interface ProofRecord {
  readonly releaseId: string
  /** Of the artifact in its release, from 0. */
  readonly position: number
  readonly checkedAt: string
  /** When a proof was last successful; null for never. */
  readonly provenAt: string | null
  /** Null if the last proof was successful. */
  readonly failure: ProofFailure | null
  /** What the last successful proof found. */
  readonly signature: SignatureFinding | null
  /** Proofs in a row that failed. */
  readonly failures: number
  /** When the next proof is due, if the artifact is served on a channel that proves. */
  readonly dueAt: string
  /** Since when people have been told that it fails; null if they have not. */
  readonly alarmedAt: string | null
}

/** A release that is being put together. Times are ISO 8601, UTC. */
export interface DraftRecord {
  readonly appKey: number
  readonly channelKey: number
  readonly version: string
  readonly notes: string
  readonly artifacts: readonly Artifact[]
  /** Absent if there are none. */
  readonly documents?: SignedDocument[] | undefined
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  /** Another one after every change: two states of a draft never share one. */
  readonly revision: string
  /** Who has made it: a person or a key. */
  readonly owner: string
}
