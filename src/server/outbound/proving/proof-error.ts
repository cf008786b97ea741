import type { ProofFailure } from '../../../shared/files/proof.ts'
import { PrivateAddressError } from '../address-guard.ts'
import { TimedOut } from './timeouts.ts'

/** An artifact is not proven, and why. */
export class ProofError extends Error {
  override readonly name = 'ProofError'
  readonly failure: ProofFailure

  constructor(failure: ProofFailure) {
    super(failure.code)
    this.failure = failure
  }
}

/** Returns what an error of a download means. `host`: of the address that was asked last. */
export function failureOf(error: unknown, host: string): ProofFailure {
  if (error instanceof ProofError) return error.failure
  if (error instanceof TimedOut) {
    return { code: 'timed_out', phase: error.phase, seconds: error.seconds }
  }
  if (error instanceof PrivateAddressError) {
    return { code: 'address_not_allowed', host, address: error.address }
  }
  // All addresses of a host failed, each with an error of its own.
  const [first = error] = error instanceof AggregateError ? error.errors : [error]
  return byCode(first instanceof Error && 'code' in first ? String(first.code) : '', host)
}

function byCode(code: string, host: string): ProofFailure {
  if (/^(ENOTFOUND|EAI_|ENODATA|ESERVFAIL|EREFUSED|EBADRESP|ETIMEOUT)/.test(code)) {
    return { code: 'unresolved', host }
  }
  if (/CERT|SELF_SIGNED|UNABLE_TO|ERR_TLS|EPROTO|ERR_SSL/.test(code)) {
    return { code: 'certificate', host }
  }
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/.test(code)) {
    return { code: 'unreachable', host }
  }
  return { code: 'broken_off' }
}
