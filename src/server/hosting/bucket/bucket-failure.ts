import type { BucketTrouble, BucketUnavailable } from '../../../shared/files/hosted-file.ts'
import { Refusal } from '../../catalog/errors.ts'

/** What the errors of S3-compatible servers, of the SDK and of Node mean, by their name or code. */
const TROUBLES: Readonly<Record<string, BucketTrouble>> = {
  CredentialsProviderError: 'no_credentials',
  InvalidAccessKeyId: 'credentials_rejected',
  SignatureDoesNotMatch: 'credentials_rejected',
  ExpiredToken: 'credentials_rejected',
  InvalidToken: 'credentials_rejected',
  TokenRefreshRequired: 'credentials_rejected',
  Unauthorized: 'credentials_rejected',
  AccessDenied: 'access_denied',
  Forbidden: 'access_denied',
  AllAccessDisabled: 'access_denied',
  AccountProblem: 'access_denied',
  NoSuchBucket: 'no_bucket',
  InvalidBucketName: 'no_bucket',
  PermanentRedirect: 'wrong_region',
  AuthorizationHeaderMalformed: 'wrong_region',
  IllegalLocationConstraintException: 'wrong_region',
  RequestTimeTooSkewed: 'clock_differs',
  QuotaExceeded: 'bucket_full',
  XMinioStorageFull: 'bucket_full',
  InsufficientStorage: 'bucket_full',
  TimeoutError: 'unreachable',
}

/** The same by the status of a response whose error has another name. */
const BY_STATUS: Readonly<Record<number, BucketTrouble>> = {
  301: 'wrong_region',
  401: 'credentials_rejected',
  403: 'access_denied',
  507: 'bucket_full',
}

/** Codes of Node for a certificate that is not trusted. */
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ALTNAME/

/** Returns the refusal of what a request to a bucket threw, and nothing else of it: responses can repeat what was signed. */
export function bucketFailure(bucket: string, error: unknown): Refusal {
  if (error instanceof Refusal) return error
  const detail = nameOf(error)
  return new Refusal({ code: 'bucket_unavailable', bucket, trouble: troubleOf(error), detail })
}

function troubleOf(error: unknown): BucketTrouble {
  const status = statusOf(error)
  const code = textOf(error, 'code')
  if (CERTIFICATE.test(code)) return 'certificate'
  const known = TROUBLES[textOf(error, 'name')] ?? TROUBLES[textOf(error, 'Code')]
  if (known !== undefined) return known
  if (/region is missing/i.test(textOf(error, 'message'))) return 'no_region'
  if (status === undefined) return 'unreachable'
  return BY_STATUS[status] ?? (status >= 500 || status === 429 ? 'failing' : 'rejected')
}

/** A short name, such as `ECONNREFUSED` or `AccessDenied`. */
function nameOf(error: unknown): string {
  const name = textOf(error, 'code') || textOf(error, 'Code') || textOf(error, 'name')
  return name.replace(/[^\w.-]/g, '').slice(0, 64)
}

function textOf(error: unknown, field: string): string {
  const value = fieldOf(error, field)
  return typeof value === 'string' ? value : ''
}

/** Returns the HTTP status of a response that was an error; undefined if there was none. */
export function statusOf(error: unknown): number | undefined {
  const status = fieldOf(fieldOf(error, '$metadata'), 'httpStatusCode')
  return typeof status === 'number' ? status : undefined
}

function fieldOf(value: unknown, field: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, field) : undefined
}

export interface BucketOutage {
  readonly facts: BucketUnavailable
  /** Unix time in milliseconds. */
  readonly since: number
}

/** Milliseconds after which people hear of an outage. A server that is restarted is back sooner. */
const LASTING = 2 * 60_000

/** Returns an outage that people should hear of at a time in Unix milliseconds; null for every other one. */
export function lastingOutage(outage: BucketOutage | null, now: number): BucketOutage | null {
  return outage !== null && now - outage.since >= LASTING ? outage : null
}

/** Returns the outage that an error shows; null for an error that is not about the bucket. `since`: of an earlier error. */
export function outageOf(error: unknown, since: number): BucketOutage | null {
  if (!(error instanceof Refusal) || error.facts.code !== 'bucket_unavailable') return null
  return { facts: error.facts, since }
}
