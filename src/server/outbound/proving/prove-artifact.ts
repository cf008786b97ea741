import { createHash } from 'node:crypto'
import { sha512InHex } from '../../../shared/artifacts/sha512.ts'
import { isInFormat } from '../../../shared/artifacts/signature-form.ts'
import type {
  ProofFailure,
  SignatureFinding,
  SignatureFormat,
} from '../../../shared/files/proof.ts'
import type { ProvingSettings } from '../../../shared/files/proving.ts'
import type { Artifact } from '../../../shared/releases/release.ts'
import { AllowedHosts } from '../allowed-hosts.ts'
import { addressesFrom } from '../guarded-request.ts'
import { type ByteRange, openDownload, openSigned } from './download.ts'
import { MinisignVerifier, publicKeyOf } from './minisign.ts'
import { failureOf, ProofError } from './proof-error.ts'
import { bodyOf, type FileBody, openStored, type StoredSource } from './stored-body.ts'
import { type ProvingTimeouts, Watch } from './timeouts.ts'

/** What one artifact is proven against, and within which limits. Plain data, for a thread. */
export interface ProofTask {
  readonly artifact: Pick<Artifact, 'url' | 'sha512' | 'size' | 'signature'>
  /** Where the file is, if this server keeps it; it is then read there, whatever the allowed hosts. */
  readonly stored: StoredSource | undefined
  readonly settings: ProvingSettings
  /** Formats of signatures that pass unchecked. */
  readonly unchecked: readonly SignatureFormat[]
  readonly limits: ProvingLimits
  readonly userAgent: string
}

export interface ProvingLimits {
  readonly timeouts: ProvingTimeouts
  /** Bytes of the largest file that is read. */
  readonly maxBytes: number
  /** DNS servers in place of the system's resolver; none for that one. */
  readonly dnsServers: readonly string[]
}

/** What a file is, as it was read: bytes, and SHA-512 in hex. */
export interface MeasuredFile {
  readonly size: number
  readonly sha512: string
}

export type ProofResult =
  | {
      readonly failure: null
      readonly signature: SignatureFinding
      readonly measured: MeasuredFile
    }
  | { readonly failure: ProofFailure }

/** Bytes read so far, of how many: 0 if that is unknown. */
export interface ProofProgress {
  readonly read: number
  readonly total: number
}

/** Reads an artifact where devices get it, and compares size (not 0), SHA-512 (not '') and signature. Throws only `signal`'s reason. */
export async function proveArtifact(
  task: ProofTask,
  signal: AbortSignal,
  onProgress: (progress: ProofProgress) => void = () => {},
): Promise<ProofResult> {
  const { artifact, limits } = task
  const watch = new Watch(limits.timeouts)
  let host = ''
  const onHost = (asked: string) => {
    host = asked
  }
  try {
    const verifier = verifierOf(task)
    const body = await openBody(task, watch, signal, onHost)
    try {
      const comparison = { artifact, verifier, watch, maxBytes: limits.maxBytes, onProgress }
      const measured = await compare(body, comparison)
      return { failure: null, signature: findingOf(artifact, verifier), measured }
    } finally {
      body.destroy()
    }
  } catch (error) {
    signal.throwIfAborted()
    return { failure: failureOf(watch.signal.aborted ? watch.signal.reason : error, host) }
  } finally {
    watch.stop()
  }
}

/** Opens a file where devices get it, wholly or a range of it. The caller destroys the body. */
export async function openBody(
  {
    artifact,
    stored,
    settings,
    limits: { dnsServers },
    userAgent,
  }: Omit<ProofTask, 'unchecked' | 'artifact'> & { readonly artifact: Pick<Artifact, 'url'> },
  watch: Watch,
  signal: AbortSignal,
  onHost: (host: string) => void,
  range?: ByteRange,
): Promise<FileBody> {
  if (stored !== undefined && 'path' in stored) {
    return openStored(stored, AbortSignal.any([signal, watch.signal]))
  }
  const rules = { userAgent, watch, signal, onHost, range }
  if (stored !== undefined) return bodyOf(await openSigned(stored.signed, rules))
  const response = await openDownload(artifact.url, {
    hosts: new AllowedHosts(settings.hosts),
    find: dnsServers.length === 0 ? undefined : addressesFrom(dnsServers),
    ...rules,
  })
  return bodyOf(response)
}

/** With a key, whatever is not in a format that passes unchecked has to be signed with it. */
function verifierOf({
  artifact: { signature },
  settings: { minisignKey },
  unchecked,
}: ProofTask): MinisignVerifier | undefined {
  if (minisignKey === null || isInFormat(signature, unchecked)) return undefined
  if (signature === '') throw new ProofError({ code: 'signature_missing' })
  const verifier = MinisignVerifier.begin(signature, publicKeyOf(minisignKey))
  if (verifier instanceof MinisignVerifier) return verifier
  throw new ProofError(verifier)
}

function findingOf(
  { signature }: ProofTask['artifact'],
  verifier: MinisignVerifier | undefined,
): SignatureFinding {
  if (verifier !== undefined) return 'valid'
  return signature === '' ? 'unsigned' : 'unchecked'
}

interface Comparison {
  readonly artifact: ProofTask['artifact']
  readonly verifier: MinisignVerifier | undefined
  readonly watch: Watch
  readonly maxBytes: number
  readonly onProgress: (progress: ProofProgress) => void
}

async function compare(
  body: FileBody,
  { artifact, verifier, watch, maxBytes, onProgress }: Comparison,
): Promise<MeasuredFile> {
  const expected = artifact.size
  const { length } = body
  refuseLength(length, expected, maxBytes)
  const total = expected === 0 ? (length ?? 0) : expected
  const hash = createHash('sha512')
  let read = 0
  watch.reading()
  for await (const bytes of body.pieces) {
    read += bytes.length
    if (expected > 0 && read > expected) {
      throw new ProofError({ code: 'size_differs', expected, actual: length ?? null })
    }
    if (read > maxBytes && expected === 0) {
      throw new ProofError({ code: 'too_large', maximum: maxBytes })
    }
    hash.update(bytes)
    verifier?.update(bytes)
    watch.arrived(bytes.length)
    onProgress({ read, total })
  }
  if (!body.isComplete()) throw new ProofError({ code: 'broken_off' })
  if (expected > 0 && read !== expected) {
    throw new ProofError({ code: 'size_differs', expected, actual: read })
  }
  const actual = hash.digest('hex')
  if (artifact.sha512 !== '' && actual !== sha512InHex(artifact.sha512)) {
    throw new ProofError({ code: 'hash_differs', actual })
  }
  const wrong = verifier?.end() ?? null
  if (wrong !== null) throw new ProofError(wrong)
  return { size: read, sha512: actual }
}

/** A length that the response announces is refused before anything is read. */
function refuseLength(length: number | undefined, expected: number, maxBytes: number): void {
  if (expected > maxBytes) throw new ProofError({ code: 'too_large', maximum: maxBytes })
  if (length === undefined) return
  if (expected > 0 && length !== expected) {
    throw new ProofError({ code: 'size_differs', expected, actual: length })
  }
  if (expected === 0 && length > maxBytes) {
    throw new ProofError({ code: 'too_large', maximum: maxBytes })
  }
}
