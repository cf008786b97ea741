import { z } from 'zod'
import { Arch, ArtifactKind, Platform, Timestamp } from '../names.ts'

/**
 * What a channel does with the proof of its artifacts: downloading each one and comparing it with what was published.
 *
 * - `off`: only on request
 * - `warn`: after publishing, and daily for what is served
 * - `required`: the same, and a new release is served only once it is proven
 */
export const ProvingPolicy = z.enum(['off', 'warn', 'required'])
export type ProvingPolicy = z.infer<typeof ProvingPolicy>

/** Formats of signatures that the server cannot verify. `releases`: the line of Squirrel.Windows and Velopack. */
export const SignatureFormat = z.enum(['sparkle', 'releases'])
export type SignatureFormat = z.infer<typeof SignatureFormat>

/** The part of a download that took too long. `stalled`: data came too slowly, or not at all. */
export const TimedOutPhase = z.enum(['connect', 'first_byte', 'stalled', 'total'])
export type TimedOutPhase = z.infer<typeof TimedOutPhase>

const host = z.string().meta({ description: 'Host, with its port unless it is the usual one' })

/** Why an artifact is not proven. Hosts are those of the address that failed, which may be that of a redirect. */
export const ProofFailure = z
  .discriminatedUnion('code', [
    /** The app's allowed hosts do not have it. */
    z.strictObject({ code: z.literal('host_not_allowed'), host }),
    /** Not http or https, or with a user name or password. */
    z.strictObject({
      code: z.literal('url_not_allowed'),
      reason: z.enum(['protocol', 'credentials', 'malformed']),
    }),
    /** The host has an address that is not on the internet, and the allowed hosts do not name that. */
    z.strictObject({ code: z.literal('address_not_allowed'), host, address: z.string() }),
    z.strictObject({ code: z.literal('too_many_redirects'), maximum: z.int() }),
    z.strictObject({ code: z.literal('unresolved'), host }),
    z.strictObject({ code: z.literal('unreachable'), host }),
    z.strictObject({ code: z.literal('certificate'), host }),
    z.strictObject({ code: z.literal('timed_out'), phase: TimedOutPhase, seconds: z.number() }),
    /** The connection ended before the file did. */
    z.strictObject({ code: z.literal('broken_off') }),
    z.strictObject({ code: z.literal('status'), status: z.int() }),
    /** The response is compressed although that was not asked for. */
    z.strictObject({ code: z.literal('compressed'), encoding: z.string() }),
    /** Larger than any file that is read; in bytes. */
    z.strictObject({ code: z.literal('too_large'), maximum: z.int() }),
    /** In bytes. A null `actual` is larger than `expected`; reading ended there. */
    z.strictObject({
      code: z.literal('size_differs'),
      expected: z.int(),
      actual: z.int().nullable(),
    }),
    /** SHA-512 in hex. */
    z.strictObject({ code: z.literal('hash_differs'), actual: z.string() }),
    /** The app has a minisign key, and the artifact no signature. */
    z.strictObject({ code: z.literal('signature_missing') }),
    z.strictObject({ code: z.literal('signature_malformed') }),
    /** The base64 of the signature has white space in it, or the signature is not in base64: Tauri refuses both. */
    z.strictObject({ code: z.literal('signature_wrapped') }),
    z.strictObject({ code: z.literal('signature_not_encoded') }),
    /** Signed with another key than the app's; IDs in hex, as minisign shows them. */
    z.strictObject({
      code: z.literal('signature_other_key'),
      expected: z.string(),
      actual: z.string(),
    }),
    z.strictObject({ code: z.literal('signature_wrong') }),
    /** The file is signed, but the trusted comment of the signature was changed. */
    z.strictObject({ code: z.literal('trusted_comment_wrong') }),
  ])
  .meta({ id: 'ProofFailure' })
export type ProofFailure = z.infer<typeof ProofFailure>

/** `unchecked`: the artifact is signed, and the app has no key or the channel takes the format unchecked. */
export const SignatureFinding = z.enum(['valid', 'unsigned', 'unchecked'])
export type SignatureFinding = z.infer<typeof SignatureFinding>

/** `unproven`: never tried. `failed`: the last proof failed. While one runs, it is `queued` or `running`. */
export const ArtifactProofState = z.enum(['unproven', 'queued', 'running', 'proven', 'failed'])
export type ArtifactProofState = z.infer<typeof ArtifactProofState>

/** Where the proof of an artifact stands. */
export const ArtifactProof = z
  .strictObject({
    platform: Platform,
    arch: Arch,
    kind: ArtifactKind,
    state: ArtifactProofState,
    /** When the last proof ended; null if there is none. */
    checkedAt: Timestamp.nullable(),
    /** When the last successful proof ended. */
    provenAt: Timestamp.nullable(),
    /** What the last proof found; null if it was successful. */
    failure: ProofFailure.nullable(),
    /** Null until a proof was successful. */
    signature: SignatureFinding.nullable(),
    /** Bytes read so far, of how many: 0 if that is unknown. Null unless it is running. */
    progress: z.strictObject({ read: z.int(), total: z.int() }).nullable(),
  })
  .meta({ id: 'ArtifactProof' })
export type ArtifactProof = z.infer<typeof ArtifactProof>

/** `running` if any artifact is queued or running, else `failed` or `unproven` if any is, else `proven`. */
const ReleaseProofState = z.enum(['unproven', 'running', 'proven', 'failed'])
export type ReleaseProofState = z.infer<typeof ReleaseProofState>

/** Where the proof of a release stands. */
export const ReleaseProof = z
  .strictObject({
    state: ReleaseProofState,
    /** Whether the release is paused until it is proven. */
    awaitsProof: z
      .boolean()
      .meta({ description: 'True while the release is paused until it is proven' }),
    /** In the order of the release. */
    artifacts: z.array(ArtifactProof),
  })
  .meta({ id: 'ReleaseProof' })
export type ReleaseProof = z.infer<typeof ReleaseProof>

export const ProofAnswer = z.strictObject({ proof: ReleaseProof }).meta({ id: 'ProofAnswer' })

/** Returns where a release stands whose artifacts stand there. */
export function releaseProofState(states: readonly ArtifactProofState[]): ReleaseProofState {
  if (states.includes('running') || states.includes('queued')) return 'running'
  if (states.includes('failed')) return 'failed'
  return states.includes('unproven') ? 'unproven' : 'proven'
}

/** Returns whether a failure can pass by itself, so that it is tried again before anyone hears of it. */
export function isTransient(failure: ProofFailure): boolean {
  switch (failure.code) {
    case 'unresolved':
    case 'unreachable':
    case 'timed_out':
    case 'broken_off':
      return true
    case 'status':
      return failure.status >= 500 || failure.status === 429
    default:
      return false
  }
}
