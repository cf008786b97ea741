import type { ProofFailure, SignatureFinding, TimedOutPhase } from '../proof.ts'
import { formatCount, formatCounted, formatDuration, formatSize } from './format.ts'

/** Returns why an artifact is not proven, and what to do about it, as sentences. */
export function proofFailureSentence(failure: ProofFailure): string {
  switch (failure.code) {
    case 'host_not_allowed':
      return `${failure.host} is not an allowed host of the app. Ask an administrator to add it.`
    case 'url_not_allowed':
      return URL_PROBLEMS[failure.reason]
    case 'address_not_allowed':
      return `${failure.host} has the address ${failure.address}, which is not on the internet. Ask an administrator to add that address to the allowed hosts.`
    case 'too_many_redirects':
      return `More than ${formatCount(failure.maximum)} redirects. Use the address of the file itself.`
    case 'unresolved':
      return `${failure.host} cannot be found. Check the host name.`
    case 'unreachable':
      return `${failure.host} cannot be reached. Check that the server is running.`
    case 'certificate':
      return `${failure.host} has no valid TLS certificate.`
    case 'timed_out':
      return TIMEOUTS[failure.phase](formatDuration(failure.seconds, 'second', 1))
    case 'broken_off':
      return 'The connection was closed before the download was complete.'
    case 'status':
      return `The server answered with HTTP status ${failure.status}.`
    case 'compressed':
      return `The server answered with ${failure.encoding} compression, which was not asked for.`
    case 'too_large':
      return `The file is larger than ${formatSize(failure.maximum)}, the limit of this server.`
    case 'size_differs':
      return failure.actual === null
        ? `The file is larger than the ${bytes(failure.expected)} that were published.`
        : `The file has ${bytes(failure.actual)}, not the ${bytes(failure.expected)} that were published.`
    case 'hash_differs':
      return `The file has changed: its SHA-512 is ${failure.actual.slice(0, 16)}…, not the one that was published.`
    case 'signature_missing':
      return 'The file is not signed, and the app has a minisign key. Publish it with its signature.'
    case 'signature_malformed':
      return 'The signature is not a minisign signature. If this is the format of Sparkle, Squirrel.Windows or Velopack, an administrator can accept it in the channel policy.'
    case 'signature_wrapped':
      return 'The base64 of the signature has line breaks or spaces in it, which Tauri refuses. Publish it on one line.'
    case 'signature_not_encoded':
      return 'The signature is the text that minisign writes. Tauri needs the base64 of that text.'
    case 'signature_other_key':
      return `The file is signed with key ${failure.actual}, not with the app’s key ${failure.expected}.`
    case 'signature_wrong':
      return 'The signature does not match the file.'
    case 'trusted_comment_wrong':
      return 'The trusted comment of the signature was changed.'
  }
}

const URL_PROBLEMS: Readonly<
  Record<Extract<ProofFailure, { code: 'url_not_allowed' }>['reason'], string>
> = {
  protocol: 'The address, or a redirect, is not http or https.',
  credentials: 'The address, or a redirect, contains a user name or password.',
  malformed: 'The address, or a redirect, is not a valid URL.',
}

const TIMEOUTS: Readonly<Record<TimedOutPhase, (time: string) => string>> = {
  connect: (time) => `No connection within ${time}.`,
  first_byte: (time) => `No response within ${time}.`,
  stalled: (time) => `The download stalled: less than 16 KiB in ${time}.`,
  total: (time) => `The download took longer than ${time}.`,
}

function bytes(count: number): string {
  const exact = formatCounted(count, 'byte')
  return count < 10_000 ? exact : `${formatSize(count)} (${exact})`
}

/** What a successful proof says about the signature. */
export const SIGNATURE_FINDINGS: Readonly<Record<SignatureFinding, string>> = {
  valid: 'Signature valid',
  unsigned: 'Not signed',
  unchecked: 'Signature not checked',
}
