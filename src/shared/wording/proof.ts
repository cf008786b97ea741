import { type Sentences, say } from '../coded.ts'
import type { ProofFailure, SignatureFinding, TimedOutPhase } from '../files/proof.ts'
import { formatCount, formatCounted, formatDuration, formatSize } from './format.ts'

/** Returns why an artifact is not proven, and what to do about it, as sentences. */
export function proofFailureSentence(failure: ProofFailure): string {
  return say(FAILURES, failure)
}

const FAILURES: Sentences<ProofFailure> = {
  host_not_allowed: ({ host }) =>
    `${host} is not an allowed host of the app. Ask an administrator to add it.`,
  url_not_allowed: ({ reason }) => URL_PROBLEMS[reason],
  address_not_allowed: ({ host, address }) =>
    `${host} has the address ${address}, which is not on the internet. Ask an administrator to add that address to the allowed hosts.`,
  too_many_redirects: ({ maximum }) =>
    `More than ${formatCount(maximum)} redirects. Use the address of the file itself.`,
  unresolved: ({ host }) => `${host} cannot be found. Check the host name.`,
  unreachable: ({ host }) => `${host} cannot be reached. Check that the server is running.`,
  certificate: ({ host }) => `${host} has no valid TLS certificate.`,
  timed_out: ({ phase, seconds }) => TIMEOUTS[phase](formatDuration(seconds, 'second', 1)),
  broken_off: () => 'The connection was closed before the download was complete.',
  status: ({ status }) => `The server answered with HTTP status ${status}.`,
  compressed: ({ encoding }) =>
    `The server answered with ${encoding} compression, which was not asked for.`,
  too_large: ({ maximum }) =>
    `The file is larger than ${formatSize(maximum)}, the limit of this server.`,
  size_differs: ({ actual, expected }) =>
    actual === null
      ? `The file is larger than the ${bytes(expected)} that were published.`
      : `The file has ${bytes(actual)}, not the ${bytes(expected)} that were published.`,
  hash_differs: ({ actual }) =>
    `The file has changed: its SHA-512 is ${actual.slice(0, 16)}…, not the one that was published.`,
  signature_missing: () =>
    'The file is not signed, and the app has a minisign key. Publish it with its signature.',
  signature_malformed: () =>
    'The signature is not a minisign signature. If this is the format of Sparkle, Squirrel.Windows or Velopack, an administrator can accept it in the channel policy.',
  signature_wrapped: () =>
    'The base64 of the signature has line breaks or spaces in it, which Tauri refuses. Publish it on one line.',
  signature_not_encoded: () =>
    'The signature is the text that minisign writes. Tauri needs the base64 of that text.',
  signature_other_key: ({ actual, expected }) =>
    `The file is signed with key ${actual}, not with the app’s key ${expected}.`,
  signature_wrong: () => 'The signature does not match the file.',
  trusted_comment_wrong: () => 'The trusted comment of the signature was changed.',
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
